import { describe, expect, it } from 'vitest'
import { readPythonFunctions } from '../../../src/parse/python/python-functions.ts'

const one = async (text: string) => {
  const { functions, diagnostics } = await readPythonFunctions(text)
  expect(diagnostics).toEqual([])
  return functions[0]!
}
const typeOf = async (annotation: string) =>
  (await one(`def f(a: ${annotation}): ...`)).parameters[0]!.annotation!.type
const name = (text: string) => ({ kind: 'name', name: text })
const none = { kind: 'none' }

describe('functions', () => {
  it('are found wherever they stand, in order, with what encloses them', async () => {
    const { functions } = await readPythonFunctions(`
def a(): pass
class C:
    async def b(self):
        def c(): pass
if True:
    def d(): pass
else:
    try:
        pass
    except E:
        def e(): pass
    finally:
        def g(): pass
`)
    expect(functions.map(found => [found.qualifiedName, found.scope, found.isAsync, found.line])).toEqual([
      ['a', 'module', false, 2],
      ['C.b', 'class', true, 4],
      ['C.b.c', 'function', false, 5],
      ['d', 'module', false, 7],
      ['e', 'module', false, 12],
      ['g', 'module', false, 14],
    ])
  })

  it('have a cleaned docstring', async () => {
    expect((await one('def f():\n    """First.\n\n    Args:\n        a: one\n    """')).docstring).toBe(
      'First.\n\nArgs:\n    a: one',
    )
    expect((await one('def f():\n    x = 1\n    "late"')).docstring).toBeUndefined()
  })

  it('are not found in strings and comments', async () => {
    const { functions } = await readPythonFunctions(
      '"""\n@skill_command\ndef a(): pass\n"""\n# @skill_command\nx = "def b(): pass"\n',
    )
    expect(functions).toEqual([])
  })

  it('are found beside a broken one', async () => {
    const { functions, diagnostics } = await readPythonFunctions(
      '@skill_command(name="a")\ndef a(x: int): pass\n\ndef broken(:\n    pass\n\n@skill_command(\n  name="c",\n)\ndef c(): pass\n',
    )
    expect(functions.map(found => [found.name, found.line])).toEqual([
      ['a', 2],
      ['c', 10],
    ])
    expect(functions[1]!.decorators[0]).toMatchObject({ line: 7, column: 2 })
    expect(diagnostics).toMatchObject([{ code: 'python-syntax', line: 4 }])
  })
})

describe('decorators', () => {
  it('keep their name, arguments and places', async () => {
    const { decorators } = await one(`@bare
@x.skill_command(
    "first", *rest,
    name="a" "b",  # a comment, with "quotes")
    description="""
    Says "hello" (twice).
    """,
    read_only=True, limit=-1, when=Color.RED, **more,
)
@table[0](1)
def f(): pass`)
    expect(decorators.map(decorator => [decorator.name, decorator.isCall, decorator.line])).toEqual([
      ['bare', false, 1],
      ['x.skill_command', true, 2],
      ['table[0]', true, 10],
    ])
    expect(decorators[1]!.positional).toEqual([
      { source: '"first"', constant: { value: 'first' } },
      { source: '*rest' },
    ])
    expect(
      decorators[1]!.keywords.map(({ name: key, value }) => [key, value.constant?.value ?? value.source]),
    ).toEqual([
      ['name', 'ab'],
      ['description', '\n    Says "hello" (twice).\n    '],
      ['read_only', true],
      ['limit', -1],
      ['when', 'Color.RED'],
      ['**', 'more'],
    ])
  })
})

describe('parameters', () => {
  it('have their kind, annotation and default', async () => {
    const { parameters, returns } = await one(
      'def f(a, b: int = 1, /, c="é: =", *args: str, d, e: "Path | None" = Path("x"), **kw) -> dict: ...',
    )
    expect(
      parameters.map(({ name: key, kind, annotation, default: value }) => [
        key,
        kind,
        annotation?.source,
        value?.source,
      ]),
    ).toEqual([
      ['a', 'positional-only', undefined, undefined],
      ['b', 'positional-only', 'int', '1'],
      ['c', 'positional', undefined, '"é: ="'],
      ['args', 'var-positional', 'str', undefined],
      ['d', 'keyword-only', undefined, undefined],
      ['e', 'keyword-only', '"Path | None"', 'Path("x")'],
      ['kw', 'var-keyword', undefined, undefined],
    ])
    expect(parameters[1]!.default!.constant).toEqual({ value: 1 })
    expect(parameters[5]!.default!.constant).toBeUndefined()
    expect(returns).toEqual({ source: 'dict', type: name('dict') })
    // As a JSON value it would be a text.
    const large = await one('def f(n: int = 18446744073709551615): ...')
    expect(large.parameters[0]!.default).toEqual({ source: '18446744073709551615' })
  })
})

describe('types', () => {
  it.each([
    ['int', name('int')],
    ['typing.Any', name('Any')],
    ['None', none],
    ['int | None', { kind: 'union', members: [name('int'), none] }],
    ['dict | str | None', { kind: 'union', members: [name('dict'), name('str'), none] }],
    ['Optional[int]', { kind: 'union', members: [name('int'), none] }],
    ['t.Union[int, Optional[str]]', { kind: 'union', members: [name('int'), name('str'), none] }],
    ['"int | None"', { kind: 'union', members: [name('int'), none] }],
    ['"None"', none],
    ['Literal["a, b", 1, None, -2]', { kind: 'literal', values: ['a, b', 1, null, -2] }],
    ['Literal[Color.RED]', { kind: 'unknown', source: 'Literal[Color.RED]' }],
    ['list[int]', { kind: 'generic', name: 'list', arguments: [name('int')] }],
    ['tuple[int, ...]', { kind: 'generic', name: 'tuple', arguments: [name('int'), { kind: 'ellipsis' }] }],
    [
      'Callable[[int], str]',
      {
        kind: 'generic',
        name: 'Callable',
        arguments: [{ kind: 'generic', name: '', arguments: [name('int')] }, name('str')],
      },
    ],
    [
      'Annotated[list["A"], "text", Field(gt=1)]',
      {
        kind: 'annotated',
        type: { kind: 'generic', name: 'list', arguments: [name('A')] },
        metadata: [{ source: '"text"', constant: { value: 'text' } }, { source: 'Field(gt=1)' }],
      },
    ],
    ['make()', { kind: 'unknown', source: 'make()' }],
    ['"not a type ("', { kind: 'unknown', source: '"not a type ("' }],
    [`"'int'"`, { kind: 'unknown', source: `"'int'"` }],
  ])('%s', async (annotation, type) => {
    expect(await typeOf(annotation)).toEqual(type)
  })

  it('of any length are read', async () => {
    const type = await typeOf(`int${' | int'.repeat(20_000)}`)
    expect(type.kind === 'union' && type.members.length).toBe(20_001)
  })
})

it('500 functions in a file are read', async () => {
  const text = Array.from(
    { length: 500 },
    (_, i) => `@skill_command(name="n${i}")\ndef f${i}(a: int = ${i}): ...\n`,
  )
  const { functions } = await readPythonFunctions(text.join('\n'))
  expect(functions.map(found => found.decorators[0]!.keywords[0]!.value.constant!.value)).toEqual(
    Array.from({ length: 500 }, (_, i) => `n${i}`),
  )
})
