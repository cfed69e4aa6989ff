// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a server item names its secrets so
// The items of a server as text: they are read back as written, whatever the server says.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printYaml } from '../../../src/actions/servers/print-yaml.ts'
import { compareItem, printServer, printTools } from '../../../src/actions/servers/server-items.ts'
import type { JsonObject } from '../../../src/base/json.ts'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'

const tool = (name: string, description = name) => ({ name, description, inputSchema: { type: 'object' } })

describe('printYaml', () => {
  it('is read back as the same value', async () => {
    const text = fc.string({ unit: 'binary' })
    const key = fc
      .oneof(text, fc.constantFrom('on', 'No', 'null', 'a b', '"', '-', '1', '#x'))
      .filter(name => name !== '__proto__' && name !== '')
    const { value } = fc.letrec(tie => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.boolean(),
        fc.integer(),
        fc.constant(null),
        text,
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    }))
    await fc.assert(
      fc.asyncProperty(value, async given => {
        const { metadata, diagnostics } = await parseBytes(
          'yaml/yaml',
          Buffer.from(printYaml({ given } as JsonObject)),
          '.yaml',
        )
        expect(diagnostics).toEqual([])
        expect(JSON.parse(JSON.stringify(metadata.given))).toEqual(JSON.parse(JSON.stringify(given)))
      }),
    )
  })

  it('lets no text of a server be more than a text', () => {
    expect(printYaml({ description: 'a"\nexecutor_id: x\u2028\u{e0001}', yes: ['# no', {}, []] })).toBe(
      'description: "a\\"\\nexecutor_id: x\\u2028\\U000e0001"\n"yes":\n  - "# no"\n  - {}\n  - []\n',
    )
  })
})

describe('the item of a server', () => {
  it('declares variables and hosts, and gives a package runner time to fetch', () => {
    const config = { transport: 'stdio', command: 'npx', args: ['-y', 'x'], env: { A: '${A}' } }
    const text = printServer('x', { config, network: ['*'], variables: ['A'], needsSignature: undefined })
    expect(text).toContain('secrets:\n  - "A"\n')
    expect(text).toContain('permissions:\n  network:\n    - "*"\n')
    expect(text).toContain('  timeout: 120\n')
  })
})

describe('the items of its tools', () => {
  it('have an id each, whatever the names', () => {
    const names = ['a/b', 'a b', '../x', '...', '', 'é']
    const ids = [
      ...printTools(
        's',
        'http',
        names.map(name => tool(name)),
      ).keys(),
    ]
    expect(ids).toEqual(['mcp/s/a_b', 'mcp/s/a_b-2', 'mcp/s/x', 'mcp/s/tool', 'mcp/s/tool-2', 'mcp/s/tool-3'])
  })

  it('are the same as before but for version and signature, or get the next version', () => {
    const text = printTools('s', 'stdio', [tool('a')]).get('mcp/s/a')!
    const signed = `# rye:signed:x\n${text.replace('"1.0.0"', '"1.4.0"')}`
    expect(compareItem(signed, text)).toBeUndefined()
    const other = printTools('s', 'stdio', [tool('a', '$& other')]).get('mcp/s/a')!
    expect(compareItem(signed, other)?.text).toBe(other.replace('"1.0.0"', '"1.5.0"'))
    expect(compareItem('something else', text)).toEqual({ before: 'something else', text })
  })
})

describe('a server that says too much', () => {
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]))
  const nest = (levels: number, inner: JsonObject): JsonObject =>
    Array.from({ length: levels }).reduce<JsonObject>(value => ({ a: value }), inner)

  it('is printed in one go, however deep', () => {
    expect(printYaml(nest(60, wide)).split('\n')).toHaveLength(60 + 20_000 + 1)
  })

  it('has no item that could not be read back', () => {
    const described = { ...tool('wide'), inputSchema: nest(60, wide) }
    expect(() => printTools('w', 'stdio', [described])).toThrow(
      expect.objectContaining({
        code: 'REMOTE_FAILED',
        message: expect.stringMatching(
          /^server `mcp\/servers\/w` described its tool `wide` at length: expected .* at most 1000000 bytes, got \d+$/,
        ),
      }),
    )
  })
})
