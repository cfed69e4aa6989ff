// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of another program
// Constants that are members of others, and those of a default export, compared with what Node exports.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'
import { readConfig } from './read-config.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rye-exports-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a tool exports by its own name, or else as a member of its default export. */
function exportedByNode(source: string, extension: string): { version: unknown; config: unknown } {
  const file = join(folder, `tool${extension}`)
  writeFileSync(file, source)
  const program = `const { default: whole = {}, ...own } = await import(${JSON.stringify(file)})
const { __version__: version, CONFIG: config } = { ...whole, ...own }
console.log(JSON.stringify({ version, config }))`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }),
  )
}

async function readAll(source: string, extension: string) {
  const { metadata, diagnostics } = await parseBytes(
    'javascript/javascript',
    new TextEncoder().encode(source),
    extension,
  )
  const { version, config } = metadata
  return { read: JSON.parse(JSON.stringify({ version, config })), told: diagnostics.map(one => one.message) }
}

const META = "const META = { version: '1', config: { a: [1, { b: 2 }] }, 'odd-key': 3 }\n"

describe('what is read is what Node exports', () => {
  it.each([
    ['.cjs', 'a member', 'exports.__version__ = META.version', { version: '1' }],
    ['.cjs', 'a member of a member', 'exports.CONFIG = META.config.a', { config: [1, { b: 2 }] }],
    ['.cjs', 'a member by a text', "exports.CONFIG = META['odd-key']", { config: 3 }],
    [
      '.cjs',
      'members of one object',
      'module.exports = { __version__: META.version, CONFIG: { ...META.config } }',
      { version: '1', config: { a: [1, { b: 2 }] } },
    ],
    [
      '.mjs',
      'a member',
      'export const __version__ = META.version, CONFIG = [META.config.a]',
      { version: '1', config: [[1, { b: 2 }]] },
    ],
    ['.mjs', 'a member in a text', 'export const __version__ = `${META.version}.0`', { version: '1.0' }],
    [
      '.mjs',
      'a name of a member',
      'const PART = META.config\nexport const CONFIG = PART.a',
      { config: [1, { b: 2 }] },
    ],
    [
      '.mjs',
      'a default object',
      "export default { __version__: '2', CONFIG: META.config, execute() {} }",
      { version: '2', config: { a: [1, { b: 2 }] } },
    ],
    [
      '.mjs',
      'a default object of a spread',
      "const A = { __version__: '1', CONFIG: 1 }\nexport default { ...A, __version__: '2' }",
      { version: '2', config: 1 },
    ],
    [
      '.mjs',
      'a default object by its name',
      "const A = { __version__: '1' }\nexport default A",
      { version: '1' },
    ],
    [
      '.mjs',
      'a default object after an export',
      "export const CONFIG = 1\nexport default { CONFIG: 2, __version__: '2' }",
      { version: '2', config: 1 },
    ],
    [
      '.mjs',
      'a default object before an export',
      "export default { CONFIG: 2, __version__: '2' }\nexport const CONFIG = 1",
      { version: '2', config: 1 },
    ],
    [
      '.mjs',
      'a default object before a list of exports',
      'const C = 1\nexport default { CONFIG: 2 }\nexport { C as CONFIG }',
      { config: 1 },
    ],
    [
      '.mjs',
      'a default object with a key in brackets',
      "export default { CONFIG: 1, ['CONFIG']: 2 }",
      { config: 2 },
    ],
    [
      '.mjs',
      'a default object whose function takes the place of a value',
      "export default { __version__: '2', CONFIG: 1, CONFIG() {} }",
      { version: '2' },
    ],
    [
      '.cjs',
      'an object with a key in brackets',
      "module.exports = { ['__version__']: '2', ['CONFIG']: 2 }",
      { version: '2', config: 2 },
    ],
    ['.mjs', 'an empty default object', 'export default {}', {}],
    ['.mjs', 'a default function', 'export default function execute() {}', {}],
    ['.mjs', 'a default class', 'export default class {}', {}],
    ['.mjs', 'a default list', 'export default [1]', {}],
  ])('%s: %s', async (extension, _, source, expected) => {
    expect(exportedByNode(META + source, extension)).toEqual(expected)
    expect(await readAll(META + source, extension)).toEqual({ read: expected, told: [] })
  })
})

describe('a member that is no constant', () => {
  it.each([
    ['of an unknown name', '', 'B.a', 'the name `B`'],
    ['of an object that changes', 'const A = { b: 1 }; A.b = 2', 'A.b', 'the name `A`, whose value changes'],
    [
      'of a part that changes',
      'const A = { b: { c: 1 } }; const B = A.b; B.c = 2',
      'A.b.c',
      'the name `A`, whose value changes',
    ],
    ['that is not there', 'const A = { b: 1 }', 'A.c', 'a member of an object'],
    ['of the prototype', 'const A = { b: 1 }', 'A.toString', 'a member of an object'],
    ['of a list', 'const A = [1]', 'A.length', 'a member of an object'],
    ['by an expression', "const A = { b: 1 }; const K = 'b'", 'A[K]', 'a member of an object'],
    ['of a call', '', 'f().a', 'a member of an object'],
    ['that a spread may set', 'const A = { b: 1, ...f() }', 'A.b', 'a member of an object'],
    ['that a key may set', 'const A = { b: 1, [f()]: 2 }', 'A.b', 'a member of an object'],
    ['that has to run', 'const A = { b: f(), c: 1 }', 'A.b', 'a call'],
    ['that is a getter', 'const A = { get b() { return 1 } }', 'A.b', 'a function'],
  ])('%s', async (_, before, expression, reason) => {
    const { config, told } = await readConfig(`${before}\nexport const CONFIG = ${expression}`)
    expect(config).toBe(undefined)
    expect(told).toEqual([
      expect.stringContaining(`error: expected \`CONFIG\` to be a constant, got ${reason}`),
    ])
  })

  it('costs nothing else', async () => {
    const source = 'const A = { b: f(), c: 1 }\nexport const CONFIG = { x: A.c }'
    expect(await readConfig(source)).toEqual({ config: { x: 1 }, told: [] })
  })
})
