// Generated modules, read by us and by the machine's own Python: the same constants, the same functions.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pythonAst } from '../../src/parse/python/python-ast.ts'
import { type PythonFunction, readPythonFunctions } from '../../src/parse/python/python-functions.ts'
import { tries } from '../fixtures/tries.ts'
import { printPython, pythonValue } from '../parse/python/print-python.ts'

const READER = `
import ast, inspect, json, sys

def plain(value):
    if isinstance(value, (list, tuple)): return [plain(v) for v in value]
    if isinstance(value, dict): return {k: plain(v) for k, v in value.items()}
    if isinstance(value, bytes): raise ValueError
    return value

def literal(node):
    try: return {"value": plain(ast.literal_eval(node))}
    except Exception: return None

def function(node, text, scope):
    a = node.args
    positional = [(p, "positional-only") for p in a.posonlyargs] + [(p, "positional") for p in a.args]
    defaults = [None] * (len(positional) - len(a.defaults)) + a.defaults
    rows = [(p, kind, d) for (p, kind), d in zip(positional, defaults)]
    if a.vararg: rows.append((a.vararg, "var-positional", None))
    rows += [(p, "keyword-only", d) for p, d in zip(a.kwonlyargs, a.kw_defaults)]
    if a.kwarg: rows.append((a.kwarg, "var-keyword", None))
    segment = lambda n: ast.get_source_segment(text, n) if n is not None else None
    return {
        "name": node.name, "scope": scope, "isAsync": isinstance(node, ast.AsyncFunctionDef), "line": node.lineno,
        "docstring": ast.get_docstring(node), "returns": segment(node.returns),
        "parameters": [[p.arg, kind, segment(p.annotation), segment(d), literal(d) if d is not None else None]
                       for p, kind, d in rows],
        "decorators": [[segment(d.func if isinstance(d, ast.Call) else d), isinstance(d, ast.Call),
                        [[k.arg, segment(k.value), literal(k.value)] for k in getattr(d, "keywords", [])]]
                       for d in node.decorator_list],
    }

def walk(body, text, scope, found):
    for node in body:
        inner = scope
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append(function(node, text, scope))
            inner = "function"
        elif isinstance(node, ast.ClassDef): inner = "class"
        for field in ("body", "handlers", "orelse", "finalbody"):
            walk(getattr(node, field, None) or [], text, inner, found)

def read(text):
    tree = ast.parse(text)
    constants = {}
    for node in tree.body:
        if isinstance(node, ast.Assign): names = [t.id for t in node.targets]
        elif isinstance(node, ast.AnnAssign) and node.value is not None: names = [node.target.id]
        else: continue
        value = literal(node.value)
        for name in names:
            constants.pop(name, None)
            if value is not None: constants[name] = value["value"]
    found = []
    walk(tree.body, text, "module", found)
    doc = ast.get_docstring(tree)
    return {"constants": constants, "functions": found, "docstring": doc}

# Surrogates that Python keeps apart are one character in JSON; escaped on both sides they compare.
json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
`

const choose = fc.infiniteStream(fc.nat()).map(stream => (most: number) => stream.next().value! % most)
const name = fc.constantFrom('A', 'B', 'CC', '_d', 'été', 'LIMIT', 'TIMEOUT')
const type = fc.constantFrom(
  'int',
  'str | None',
  'Optional[int]',
  'dict[str, Any]',
  '"forward"',
  "Literal['a', 'é']",
)
const text = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '\t', 'é', '"', "'", '\\', ':', '😀'),
  maxLength: 30,
})

const docstring = fc
  .tuple(text, choose)
  .map(([content, pick]) => printPython(content, pick))
  .filter(printed => !printed.startsWith('('))

const expression = fc.oneof(
  fc.tuple(pythonValue, choose).map(([value, pick]) => printPython(value, pick)),
  fc.constantFrom(
    'Color.RED',
    'Path("é")',
    'OTHER',
    'f"{x}"',
    '[1, *y]',
    '(lambda: 1)',
    'x if y else z',
    'b"x"',
    '1 + 2',
  ),
)

const assignment = fc.oneof(
  fc.tuple(name, expression).map(([target, value]) => `${target} = ${value}`),
  fc.tuple(name, name, expression).map(([one, two, value]) => `${one} = ${two} = ${value}`),
  fc.tuple(name, type, expression).map(([target, kind, value]) => `${target}: ${kind} = ${value}`),
  fc.tuple(name, type).map(([target, kind]) => `${target}: ${kind}`),
)

interface Piece {
  readonly annotation: string | undefined
  readonly value: string | undefined
}
const piece: fc.Arbitrary<Piece> = fc.record({
  annotation: fc.option(type, { nil: undefined }),
  value: fc.option(expression, { nil: undefined }),
})

const parameters = fc
  .record({
    positionalOnly: fc.array(piece, { maxLength: 2 }),
    positional: fc.array(piece, { maxLength: 3 }),
    star: fc.constantFrom('', '*', '*args', '*args: int'),
    keywordOnly: fc.array(piece, { minLength: 1, maxLength: 2 }),
    keywords: fc.constantFrom('', '**kw', '**kw: str'),
    comma: fc.constantFrom(', ', ',\n        ', ',  # a, b=1\n    '),
  })
  .map(({ positionalOnly, positional, star, keywordOnly, keywords, comma }) => {
    let count = 0
    let hasDefault = false
    const print = ({ annotation, value }: Piece, mayLack: boolean): string => {
      const written = mayLack ? value : (value ?? (hasDefault ? 'None' : undefined))
      if (written !== undefined && !mayLack) hasDefault = true
      const typed = `p${count++}${annotation === undefined ? '' : `: ${annotation}`}`
      return written === undefined ? typed : `${typed} = ${written}`
    }
    const list = positionalOnly.map(one => print(one, false))
    if (list.length > 0) list.push('/')
    list.push(...positional.map(one => print(one, false)))
    if (star !== '') list.push(star, ...keywordOnly.map(one => print(one, true)))
    if (keywords !== '') list.push(keywords)
    return list.join(comma)
  })

const decorator = fc.oneof(
  fc.constantFrom('@skill_command', '@a.b.c', '@x[0]'),
  fc
    .tuple(fc.constantFrom('skill_command', 'x.skill_command'), fc.array(expression, { maxLength: 3 }))
    .map(
      ([target, values]) =>
        `@${target}(\n${values.map((value, i) => `    k${i}=${value},  # (\n`).join('')})`,
    ),
)

const definition = fc
  .record({
    decorators: fc.array(decorator, { maxLength: 2 }),
    keyword: fc.constantFrom('def', 'async def'),
    parameters,
    returns: fc.option(type, { nil: undefined }),
    docstring: fc.option(docstring, { nil: undefined }),
    shape: fc.constantFrom('module', 'class', 'nested', 'conditional'),
  })
  .map(({ decorators, keyword, parameters: list, returns, docstring: doc, shape }) => {
    const head = `${keyword} f(${list})${returns === undefined ? '' : ` -> ${returns}`}:`
    const plain = `${decorators.join('\n')}\n${head} ${doc ?? 'pass'}`
    if (shape === 'class') return `class C:\n    def method(self): ${doc ?? 'pass'}\n${plain}`
    if (shape === 'nested') return `${plain}\ndef outer():\n    def inner(a=1): pass\n    return inner`
    if (shape === 'conditional') return `try:\n    def one(): pass\nexcept E:\n    def two(): pass\n${plain}`
    return plain
  })

const module = fc
  .tuple(
    fc.option(docstring, { nil: undefined }),
    fc.array(fc.oneof(assignment, definition), { maxLength: 8 }),
  )
  .map(([doc, statements]) => `${doc === undefined ? '' : `${doc}\n`}${statements.join('\n')}\n`)

function describeFunction(one: PythonFunction) {
  const literal = (value: { constant?: unknown } | undefined) => value?.constant ?? null
  return {
    name: one.name,
    scope: one.scope,
    isAsync: one.isAsync,
    line: one.line,
    docstring: one.docstring ?? null,
    returns: one.returns?.source ?? null,
    parameters: one.parameters.map(parameter => [
      parameter.name,
      parameter.kind,
      parameter.annotation?.source ?? null,
      parameter.default?.source ?? null,
      literal(parameter.default),
    ]),
    decorators: one.decorators.map(({ name: target, isCall, keywords }) => [
      target,
      isCall,
      keywords.map(({ name: key, value }) => [key, value.source, literal(value)]),
    ]),
  }
}

/** Python writes whole floats as `1.0`; as JSON values they are the same. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

it('constants and functions equal those of the machine’s own Python', async () => {
  const modules = fc.sample(module, tries({ usual: 200, torture: 600 }))
  const output = execFileSync('python3', ['-c', READER], {
    input: JSON.stringify(modules),
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  })
  const expected: { constants: object; functions: object[]; docstring: string | null }[] = JSON.parse(output)
  expect(expected).toHaveLength(modules.length)
  for (const [index, source] of modules.entries()) {
    const whole = await pythonAst.parse({ text: source, extension: '.py' })
    const outline = await pythonAst.parse({ text: source, extension: '.py', outline: true })
    expect(outline, source).toEqual(whole)
    const { metadata, diagnostics } = whole
    const { entry: _, docstring: doc = null, ...constants } = metadata
    const { functions } = await readPythonFunctions(source)
    const ours = { constants, functions: functions.map(describeFunction), docstring: doc }
    expect(diagnostics, source).toEqual([])
    expect(plain(ours), source).toEqual(plain(expected[index]))
  }
})
