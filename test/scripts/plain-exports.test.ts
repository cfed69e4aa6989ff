// The build's change to chunks affects how exports are read, and nothing else.
import { expect, it } from 'vitest'

const { plainExports } = await import(new URL('../../scripts/plain-exports.mjs', import.meta.url).href)

const getter = (exported: string, name: string) =>
  `Object.defineProperty(exports, "${exported}", {\n\tenumerable: true,\n\tget: function() {\n\t\treturn ${name};\n\t}\n});`

function change(code: string): string {
  return plainExports().renderChunk(code)
}

it('what never changes is exported as it is', () => {
  const code = [
    'function one() {}',
    'async function two() {}',
    'const three$1 = () => {};',
    'class Four {}',
    ...['one', 'two', 'three$1', 'Four'].map((name, at) => getter(`e${at}`, name)),
  ].join('\n')
  const exports: Record<string, unknown> = {}
  new Function('exports', change(code))(exports)
  expect(Object.keys(exports)).toEqual(['e0', 'e1', 'e2', 'e3'])
  expect(Object.values(Object.getOwnPropertyDescriptors(exports)).every(({ get }) => get === undefined)).toBe(
    true,
  )
  expect((exports.e3 as { name: string }).name).toBe('Four')
})

it('what may change is asked for each time', () => {
  const code = [
    'let count = 0;',
    'function add() { count++; }',
    getter('a', 'count'),
    getter('b', 'add'),
  ].join('\n')
  const exports: { a?: number; b?: () => void } = {}
  new Function('exports', change(code))(exports)
  exports.b!()
  expect(exports.a).toBe(1)
})

it('a name within another is no declaration', () => {
  const code = ['function two() {}', 'var one = 1;', '  const one2 = 1;', getter('a', 'one')].join('\n')
  expect(change(code)).toContain('return one;')
})
