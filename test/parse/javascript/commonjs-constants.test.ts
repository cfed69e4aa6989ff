// CommonJS that exports its metadata as one constant object.
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'

describe('CommonJS exports a constant object as a whole', () => {
  const META = "const META = { __version__: '1', CONFIG: { a: 1 } }\n"

  async function readAll(source: string) {
    const { metadata, diagnostics } = await parseBytes(
      'javascript/javascript',
      new TextEncoder().encode(source),
      '.cjs',
    )
    const { version, config } = metadata
    return { version, config, told: diagnostics.map(({ line, message }) => `${line} ${message}`) }
  }

  it.each([
    ['by its name', 'module.exports = META', '1', { a: 1 }],
    ['spread', 'module.exports = { ...META, execute() {} }', '1', { a: 1 }],
    ['before a member', "module.exports = { ...META, __version__: '2' }", '2', { a: 1 }],
    ['after a member', "module.exports = { __version__: '2', ...META }", '1', { a: 1 }],
    ['as it stands', "module.exports = { ...{ __version__: '3' } }", '3', undefined],
    ['frozen', 'module.exports = Object.freeze({ ...META })', '1', { a: 1 }],
    ['by another name', 'const B = { ...META }\nmodule.exports = { ...B }', '1', { a: 1 }],
    ['beside what cannot be read', "module.exports = { ...require('./a'), ...META }", '1', { a: 1 }],
  ])('%s', async (_, exported, version, config) => {
    expect(await readAll(`${META}${exported}`)).toEqual({ version, config, told: [] })
  })

  it('of which a part cannot be read', async () => {
    const source =
      "const META = { __version__: f(), CONFIG: { a: f(), b: 1 } }\nmodule.exports = { __version__: '1', ...META }"
    expect(await readAll(source)).toEqual({
      version: undefined,
      config: { b: 1 },
      told: [
        '1 expected `__version__` to be a constant, got a call',
        '1 expected `CONFIG.a` to be a constant, got a call',
      ],
    })
  })

  it('that changes', async () => {
    const reason = 'got the name `META`, whose value changes'
    expect(await readAll(`${META}META.CONFIG.a = 2\nmodule.exports = { ...META }`)).toEqual({
      version: undefined,
      config: undefined,
      told: ['__version__', 'CONFIG'].map(name => `3 expected \`${name}\` to be a constant, ${reason}`),
    })
    const after = await readAll(`${META}module.exports = { ...META }\nmodule.exports.CONFIG.a = 2`)
    expect(after).toMatchObject({
      config: undefined,
      told: [expect.stringContaining('expected `CONFIG` to be a constant, got a value that changes')],
    })
  })
})
