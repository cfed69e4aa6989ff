// Small promises of the documents that rye was built from, each checked on real files.
import { describe, expect, it } from 'vitest'
import { directive, scratch, tool } from '../../workspace/scratch.ts'

describe('plain Markdown', () => {
  it('is knowledge, named by its file and titled by its first heading', async () => {
    const made = await scratch({
      '.ai/knowledge/notes/oven.md': '```\n# not this\n```\n\n# The oven ##\n\nHot.\n',
    })
    expect(await made.run('sign', { item_id: 'knowledge:notes/oven' })).toMatchObject({ status: 'signed' })
    const titled = await scratch({ '.ai/knowledge/notes/oven.md': '# The oven ##\n\nHot.\n' })
    await titled.sign('*')
    expect(await titled.run('execute', { item_id: 'notes/oven' })).toMatchObject({
      content: expect.stringContaining('Hot.'),
      metadata: { name: 'oven', title: 'The oven', entry_type: 'note', version: '0.0.0' },
    })
  })
})

describe('knowledge in pure YAML', () => {
  it('is executed without its signature line', async () => {
    const text = 'name: oven\ntitle: Oven\nentry_type: note\nversion: "1.0.0"\ncategory: ""\nheat: 200\n'
    const made = await scratch({ '.ai/knowledge/oven.yaml': text })
    await made.sign('*')
    expect((await made.run('execute', { item_id: 'oven' })).content).toBe(text)
  })
})

describe('a condition of a hook', () => {
  it('keeps its text', async () => {
    const hooks = '<hooks><hook event="error"><condition>status is 500</condition></hook></hooks>'
    const text = directive('ship').replace('</metadata>', `${hooks}</metadata>`)
    const made = await scratch({ '.ai/directives/ship.md': text })
    const { metadata } = await made.run('show', { item_id: 'ship' })
    expect(JSON.stringify(metadata.hooks)).toContain('"condition":"status is 500"')
  })
})

describe('tags', () => {
  it.each([
    ['a.py', '__tags__ = ["oven"]\n'],
    ['a.py', 'tags = ["oven"]\n'],
    ['a.js', 'export const __tags__ = ["oven"]\n'],
    ['a.ts', 'export const __tags__: string[] = ["oven"]\n'],
    ['a.mts', 'export const tags = ["oven"] as const\n'],
    ['a.cjs', 'exports.__tags__ = ["oven"]\n'],
    ['a.mjs', 'export const __tags__ = ["oven"]\n'],
    ['a.mjs', 'export const tags = ["oven"]\n'],
    ['a.sh', '# __tags__ = ["oven"]\n'],
    ['a.sh', '# tags = ["oven"]\n'],
    ['a.yaml', 'tags: [oven]\n'],
    ['a.yml', '__tags__: [oven]\n'],
    ['a.json', '{"tags": ["oven"]}'],
    ['a.toml', 'tags = ["oven"]\n'],
  ])('of %s are read: %s', async (name, text) => {
    const made = await scratch({ [`.ai/tools/${name}`]: text })
    expect((await made.run('show', { item_id: 'tool:a' })).metadata.tags).toEqual(['oven'])
  })

  it('are told from a sentence', async () => {
    const made = await scratch({ '.ai/tools/a.sh': '# tags = what one hangs on an oven\n' })
    const { metadata, diagnostics } = await made.run('show', { item_id: 'tool:a' })
    expect(metadata).not.toHaveProperty('tags')
    expect(diagnostics.map(({ code }: { code: string }) => code)).toEqual(['metadata-missing'])
  })
})

describe('a helper beside a tool', () => {
  it('needs a signature and no constants, and is said to be one', async () => {
    const made = await scratch({ '.ai/tools/lib.py': 'WORD = "hello"\n' })
    expect(await made.run('sign', { item_id: 'tool:lib' })).toMatchObject({
      status: 'signed',
      message: 'Helper file validated and signed.',
      warnings: [expect.stringContaining('it does not declare a tool')],
    })
    expect((await made.run('show', { item_id: 'tool:lib' })).issues).toEqual([])
  })

  it('is no tool that somebody left unfinished', async () => {
    const made = await scratch({ '.ai/tools/half.py': '__version__ = "1.0.0"\n' })
    expect(await made.run('sign', { item_id: 'tool:half' })).toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})

describe('a runtime of the project under rye/core/', () => {
  const RUNTIME =
    'tool_type: runtime\nexecutor_id: rye/core/primitives/subprocess\ncategory: rye/core/runtimes/own\nversion: "1.0.0"\ndescription: oven\n'

  it('is not said to be missing when policy refuses it, and show and search say that it is not used', async () => {
    const made = await scratch({
      '.ai/tools/rye/core/runtimes/own/own.yaml': RUNTIME,
      '.ai/tools/a.py': tool('a').replace('python/function', 'own/own'),
    })
    await made.sign('*', { item_type: 'tool' })
    const answer = await made.run('execute', { item_id: 'a' })
    expect(answer).toMatchObject({ code: 'POLICY_DENIED' })
    expect(answer.error).toContain('is in the project space and is not used')
    expect(answer.hint).toContain('execute.core_shadowing = "allow"')
    const shown = await made.run('show', { item_id: 'rye/core/runtimes/own/own' })
    expect(shown.unused).toContain('execute.core_shadowing')
    const { warning } = await made.run('search', { query: 'oven', item_type: 'tool' })
    expect(warning).toContain('is not used')
    const { checks } = await made.run('doctor')
    expect(checks.map(({ name }: { name: string }) => name)).toContain('unused')
  })
})

describe('an id that goes on past an item', () => {
  it('is answered with that item', async () => {
    const made = await scratch({})
    expect(await made.run('execute', { item_id: 'tool:rye/bash/bash' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      hint: 'did you mean `rye/bash`?',
    })
  })
})
