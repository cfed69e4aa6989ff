// Function signatures as we read them, compared with `ast` and `inspect` of a real Python: one process reads
// every case.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPythonFunctions } from '../../src/parse/index.ts'
import { readSkill } from '../../src/skills/read/read-skill.ts'
import { LIBRARY, makeFolder, scanLibrary } from '../skills/library.ts'

// Prints, for each source, every decorated function: names, annotations and defaults as `ast.unparse` spells them.
const ORACLE = `
import ast, builtins, inspect, json, sys
from unittest.mock import Mock

def decorated(node):
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
        if name in ("skill_command", "skill_resource", "command"):
            return decorator
    return None

def literal(node):
    try:
        value = ast.literal_eval(node)
        json.dumps(value)
        return {"value": list(value) if isinstance(value, (tuple, set)) else value}
    except Exception:
        return None

def describe(node):
    arguments = node.args
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    rows = list(zip(positional, defaults)) + list(zip(arguments.kwonlyargs, arguments.kw_defaults))
    decorator = decorated(node)
    keywords = {k.arg: literal(k.value) for k in getattr(decorator, "keywords", []) if k.arg}
    docstring = ast.get_docstring(node)
    return {
        "function": node.name,
        "is_async": isinstance(node, ast.AsyncFunctionDef),
        "docstring": docstring or "",
        "name": (keywords.get("name") or {}).get("value"),
        "description": inspect.cleandoc((keywords.get("description") or {}).get("value") or "").strip(),
        "parameters": [
            {
                "name": a.arg,
                "annotation": ast.unparse(a.annotation) if a.annotation else None,
                "has_default": d is not None,
                "default": literal(d) if d is not None else None,
            }
            for a, d in rows
        ],
    }

class Anything(dict):
    # What a source names and nobody has defined: any attribute, any call.
    def __missing__(self, name):
        if hasattr(builtins, name):
            return getattr(builtins, name)
        return Mock(name=name)

def plain(*given, **options):
    if len(given) == 1 and callable(given[0]) and not options:
        return given[0]
    return lambda function: function

class Module:
    skill_command = staticmethod(plain)

def signatures(source):
    # Runs the definitions and asks the functions themselves.
    names = Anything(skill_command=plain, x=Module)
    exec(compile("from __future__ import annotations\\n" + source, "case", "exec"), {}, names)
    return {
        name: [[p.name, p.kind.name, p.default is not inspect.Parameter.empty] for p in inspect.signature(f).parameters.values()]
        for name, f in names.items()
        if inspect.isfunction(f)
    }

request = json.load(sys.stdin)
answers = []
for source in request["read"]:
    tree = ast.parse(source)
    found = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and decorated(n)]
    answers.append([describe(n) for n in sorted(found, key=lambda n: n.lineno)])
json.dump({"read": answers, "run": [signatures(source) for source in request["run"]]}, sys.stdout)
`

interface OracleTool {
  function: string
  is_async: boolean
  docstring: string
  name: string | null
  description: string
  parameters: {
    name: string
    annotation: string | null
    has_default: boolean
    default: { value: unknown } | null
  }[]
}

const ANNOTATIONS = [
  '',
  ': int',
  ': str',
  ': "list[str] | None"',
  ': dict[str, Any]',
  ': Optional[int]',
  ': Literal["a", "b"]',
  ': Annotated[int, "x"]',
  ': tuple[int, ...]',
  ': a.b.C',
]
const DEFAULTS = [
  '',
  ' = 1',
  ' = -1',
  ' = None',
  ' = "a:b, c"',
  " = 'it''s'",
  ' = 0.5',
  ' = True',
  ' = [1, "x"]',
  ' = {"k": (1, 2)}',
  ' = Mode.FAST',
  ' = Path("x", y=[1])',
  '=5',
  ' = """t\n  r"""',
  ' = 0x1F',
  ' = 1_000',
  ' = 1e3',
]
const DOCSTRINGS = [
  '',
  '"""One line."""',
  '"""\n    Several\n      lines.\n\n    Args:\n        a: text\n    """',
  "'single'",
  '("not a docstring", 1)',
]

/** Every combination of a few parts, and signatures of each shape. */
function* sources(): Generator<string> {
  let number = 0
  for (const annotation of ANNOTATIONS) {
    for (const value of DEFAULTS) {
      number++
      const docstring = DOCSTRINGS[number % DOCSTRINGS.length]!
      const shapes = [
        `p${annotation}${value}`,
        `a, /, p${annotation}${value}, *, k${annotation} = 1, **rest`,
        `*args, p${annotation}${value}`,
      ]
      const signature = shapes[number % shapes.length]!
      const decorator = [
        '@skill_command',
        '@x.skill_command()',
        `@skill_command(\n    name="n${number}",  # it's "odd"\n    description="""\n    D "q" ${number}\n      more\n    """,\n    category="c",\n)`,
      ][number % 3]!
      yield `${decorator}\n${number % 2 ? 'async ' : ''}def f${number}(${signature}):\n    ${docstring || 'pass'}\n    return 1\n`
    }
  }
}

interface OracleAnswer {
  /** Of sources that are only read. */
  read: OracleTool[][]
  /** Of sources that are run: by function, its parameters as `inspect.signature` has them. */
  run: Record<string, [name: string, kind: string, hasDefault: boolean][]>[]
}

function askPython(request: { read: readonly string[]; run: readonly string[] }): OracleAnswer {
  const input = JSON.stringify(request)
  return JSON.parse(
    execFileSync('python3', ['-c', ORACLE], { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  )
}

async function readOurs(source: string) {
  const skill = await readSkill(
    makeFolder('demo', { 'SKILL.md': '---\nname: demo\n---\n', 'scripts/a.py': source }),
  )
  return [...skill.tools].sort((a, b) => a.place.line - b.place.line)
}

/** Quotes and spaces are spelled in many ways; what is left of an annotation is its structure. */
function squeeze(annotation: string | null): string | null {
  return annotation === null ? null : annotation.replace(/["'\s]/g, '')
}

describe('signatures', () => {
  it('are read as Python itself reads them', async () => {
    const { skills } = await scanLibrary()
    const files = new Set(
      skills.flatMap(({ payload }) => Object.values(payload.skill_tools).map(({ tool }) => tool.file_path)),
    )
    const golden = [...files]
      .filter(path => !path.startsWith('broken/'))
      .map(path => readFileSync(`${LIBRARY}/${path}`, 'utf8'))
    const texts = [...golden, ...sources()]
    const answers = askPython({ read: texts, run: [] }).read
    let compared = 0
    for (const [index, text] of texts.entries()) {
      const expected = answers[index]!
      const ours = await readOurs(text)
      const { functions } = await readPythonFunctions(text)
      expect(
        ours.map(tool => tool.record.function_name),
        text,
      ).toEqual(expected.map(tool => tool.function))
      for (const [place, tool] of ours.entries()) {
        const oracle = expected[place]!
        const parameters = oracle.parameters.filter(one => one.name !== 'self')
        expect(tool.record.docstring, text).toBe(oracle.docstring)
        if (oracle.name) expect(tool.record.tool_name).toBe(`demo.${oracle.name}`)
        if (oracle.description) expect(tool.record.description).toBe(oracle.description)
        expect(tool.record.parameters, text).toEqual(parameters.map(one => one.name))
        const { parameters: declared } = functions.find(one => one.line === tool.place.line)!
        expect(
          declared
            .filter(one => tool.record.parameters.includes(one.name))
            .map(one => [one.name, squeeze(one.annotation?.source ?? null), one.default !== undefined]),
          text,
        ).toEqual(parameters.map(one => [one.name, squeeze(one.annotation), one.has_default]))
        const properties = tool.inputSchema.properties as Record<string, { default?: unknown }>
        for (const one of parameters) {
          const property = properties[one.name]
          if (property)
            expect({ value: property.default }, `${text} ${one.name}`).toEqual({ value: one.default?.value })
        }
        if (tool.record.execution_mode !== 'script' && tool.record.execution_mode !== 'resource')
          expect(tool.record.execution_mode).toBe(oracle.is_async ? 'async' : 'sync')
        compared++
      }
    }
    expect(compared).toBeGreaterThan(170)
  })

  it('may be called as Python itself says', async () => {
    const texts = [...sources()]
    const answers = askPython({ read: [], run: texts }).run
    for (const [index, text] of texts.entries()) {
      const [tool] = await readOurs(text)
      const signature = answers[index]![tool!.record.function_name]!
      const named = signature.filter(([, kind]) => !kind.startsWith('VAR_'))
      expect(tool!.record.parameters, text).toEqual(named.map(([name]) => name))
      expect(tool!.positionalOnly, text).toEqual(
        named.filter(([, kind]) => kind === 'POSITIONAL_ONLY').map(([name]) => name),
      )
      const { required = [], additionalProperties } = tool!.inputSchema
      expect(required, text).toEqual(named.filter(([, , hasDefault]) => !hasDefault).map(([name]) => name))
      expect(additionalProperties, text).toBe(signature.some(([, kind]) => kind === 'VAR_KEYWORD'))
    }
  })
})
