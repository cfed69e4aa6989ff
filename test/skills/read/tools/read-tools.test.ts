import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanScript } from '../../library.ts'

const IMPORT = 'from omni.api import skill_command\n'

async function schemaOf(signature: string, docstring = '') {
  const { schemas } = await scanScript(
    `${IMPORT}@skill_command\ndef t(${signature}):\n    """${docstring}"""\n`,
  )
  return schemas[0]
}

describe('input_schema', () => {
  it.each([
    ['x: int', { type: 'integer' }],
    ['x: float', { type: 'number' }],
    ['x: "str"', { type: 'string' }],
    ['x: Path', { type: 'string' }],
    ['x: int | None', { type: ['integer', 'null'] }],
    ['x: Optional[list[str]]', { type: ['array', 'null'], items: { type: 'string' } }],
    ['x: typing.Union[int, str, None]', { type: ['integer', 'string', 'null'] }],
    ['x: Literal[1, "a, b", None]', { enum: [1, 'a, b', null] }],
    ['x: Literal["a"]', { type: 'string', enum: ['a'] }],
    ['x: dict[str, int]', { type: 'object', additionalProperties: { type: 'integer' } }],
    ['x: dict[str, Any]', { type: 'object' }],
    ['x: list', { type: 'array' }],
    ['x: set[int]', { type: 'array', uniqueItems: true, items: { type: 'integer' } }],
    ['x: tuple[int, ...]', { type: 'array', items: { type: 'integer' } }],
    ['x: dict[str, Any] | str | None', { type: ['object', 'string', 'null'] }],
    [
      'x: list[int] | dict[str, int]',
      {
        anyOf: [
          { type: 'array', items: { type: 'integer' } },
          { type: 'object', additionalProperties: { type: 'integer' } },
        ],
      },
    ],
    ['x: Annotated[int, Field(ge=1, description="How many")]', { type: 'integer', description: 'How many' }],
    ['x: SomeClass', {}],
    ['x: Any', {}],
    ['x', {}],
    ['x=1', { type: 'integer', default: 1 }],
    ['x=1.0', { type: 'number', default: 1 }],
    ['x="a:b"', { type: 'string', default: 'a:b' }],
    ['x: int=5', { type: 'integer', default: 5 }],
    ['x: int = None', { type: ['integer', 'null'], default: null }],
    ['x: Literal["a"] = None', { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }], default: null }],
    ['x: Mode = Mode.FAST', { type: 'string' }],
    ['x: Path = Path(".")', { type: 'string' }],
    ['x: tuple = (1, "b")', { type: 'array', default: [1, 'b'] }],
  ])('%s', async (signature, expected) => {
    expect((await schemaOf(signature)).properties.x).toEqual(expected)
  })

  it('requires what has no default, in order, and leaves splats out', async () => {
    const schema = await schemaOf('a: str, *args, b: int, c=1, **kwargs')
    expect(schema.required).toEqual(['a', 'b'])
    expect(Object.keys(schema.properties)).toEqual(['a', 'b', 'c'])
    expect(schema.additionalProperties).toBe(true)
  })

  it('hides what the host injects, unless the decorator turns that off', async () => {
    const parameters =
      'a: str, paths: ConfigPaths | None = None, project_root: Path | None = None, key: str = ""'
    const { tools, schemas } = await scanScript(
      `${IMPORT}@skill_command(inject_settings=["git.key"])\ndef t(${parameters}): pass\n@skill_command(autowire=False)\ndef u(${parameters}): pass\n`,
    )
    expect(Object.keys(schemas[0].properties)).toEqual(['a'])
    expect(Object.keys(schemas[1].properties)).toEqual(['a', 'paths', 'project_root', 'key'])
    expect(tools[0]!.parameters).toEqual(['a', 'paths', 'project_root', 'key'])
  })

  it('keeps a parameter called __proto__ as a property', async () => {
    const schema = await schemaOf('__proto__: int')
    expect(Object.keys(schema.properties)).toEqual(['__proto__'])
  })
})

describe('descriptions of parameters', () => {
  const cases: [string, Record<string, string>][] = [
    ['Args:\n        x: The text', { x: 'The text' }],
    [
      'Args:\n        x (int): The number\n        y (list[str], optional): Words',
      { x: 'The number', y: 'Words' },
    ],
    ['Args:\n        x: A long\n            line.\n        y: B', { x: 'A long line.', y: 'B' }],
    ['Args:\n    - x: str - The message (required)', { x: 'The message (required)' }],
    ['Args:\n    - x: non-empty list', { x: 'non-empty list' }],
    ['Args:\n    • x: bullets — with dashes', { x: 'bullets — with dashes' }],
    ['Args:\n    * x: str = "a" — After a dash', { x: 'After a dash' }],
    [
      'Args:\n    - x: Which one:\n        - y: not a parameter of its own\n    - None',
      { x: 'Which one: - y: not a parameter of its own' },
    ],
    ['Args:\n        x: First\n\n    Returns:\n        y: not this', { x: 'First' }],
    ['No section.\n    x: not documented', {}],
    ['Parameters:\n        *x: starred', { x: 'starred' }],
  ]
  it.each(cases)('%j', async (docstring, expected) => {
    const schema = await schemaOf('x=None, y=None', `Text.\n\n    ${docstring}\n    `)
    const found = Object.entries<{ description?: string }>(schema.properties)
      .filter(([, property]) => property.description !== undefined)
      .map(([name, property]) => [name, property.description])
    expect(Object.fromEntries(found)).toEqual(expected)
  })
})

describe('annotations', () => {
  it.each([
    ['', 'get_x', 'read_only idempotent'],
    ['', 'delete_x', 'destructive'],
    ['', 'getter', ''],
    ['', 'address_book', ''],
    ['', 'listen', ''],
    ['', 'capital_of', ''],
    ['', 'rapid_fire', ''],
    ['', 'fetch_page', 'read_only idempotent open_world'],
    ['', 'callHTTPApi', 'open_world'],
    ['read_only=False', 'get_x', ''],
    ['destructive=False', 'delete_x', ''],
    ['destructive=True', 'get_x', 'destructive'],
    ['read_only=True', 'save_x', 'read_only idempotent'],
    ['idempotent=True, open_world=False', 'update_url', 'destructive idempotent'],
  ])('%s def %s: %s', async (decorator, name, expected) => {
    const { tools } = await scanScript(`${IMPORT}@skill_command(${decorator})\ndef ${name}(): pass\n`)
    const set = Object.entries(tools[0]!.annotations).filter(([, value]) => value)
    expect(set.map(([key]) => key).join(' ')).toBe(expected)
  })

  it('reports a tool that is declared both read-only and destructive', async () => {
    const { diagnostics } = await scanScript(
      `${IMPORT}@skill_command(read_only=True, destructive=True)\ndef x(): pass\n`,
    )
    expect(diagnostics.map(found => found.code)).toEqual(['annotations-contradict'])
  })
})

describe('scripts', () => {
  it('does not find decorators in strings and comments', async () => {
    const { tools } = await scanScript(
      '"""\n@skill_command\ndef a(): pass\n"""\n# @skill_command\nx = "@skill_command"\n',
    )
    expect(tools).toEqual([])
  })

  it('reads 500 tools of one file', async () => {
    const functions = Array.from(
      { length: 500 },
      (_, index) => `@skill_command()\ndef tool_${index}(x: int = ${index}): pass\n`,
    )
    const { tools, diagnostics } = await scanScript(IMPORT + functions.join('\n'))
    expect([tools.length, diagnostics.length]).toEqual([500, 0])
  })

  it('says the name once when the decorator repeats the skill', async () => {
    const { tools } = await scanScript(`${IMPORT}@skill_command(name="demo.run")\ndef run(): pass\n`)
    expect(tools[0]!.tool_name).toBe('demo.run')
  })

  it('answers any text without throwing', async () => {
    const pieces = [
      '@skill_command',
      '(',
      ')',
      'def f',
      ':',
      '\n',
      '    ',
      '"""',
      "'",
      'x: int = ',
      'async ',
      '\\',
      '#',
      '•',
      '\0',
      'Args:',
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), async parts => {
        const { diagnostics } = await scanScript(parts.join(''), parts.join(' '))
        expect(diagnostics.every(found => found.line >= 1 && found.path.startsWith('demo/'))).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})
