// `@skill_command` and `@skill_resource`, however they are imported, and their arguments. Nothing is evaluated: an
// argument that is not a constant is reported and ignored.
import { type JsonValue, quoteText } from '../../../base/index.ts'
import type { PythonFunction } from '../../../parse/index.ts'
import type { FileReport } from '../file-report.ts'
import type { DecoratorArgs } from '../records.ts'
import type { DeclaredAnnotations } from './annotations.ts'
import { type Injection, readInjection } from './injected.ts'

export type ToolKind = 'command' | 'resource'

/** Names of the decorators in one file: their own, and aliases made by `import ... as`. */
export type DecoratorNames = ReadonlyMap<string, ToolKind>

export interface Declaration {
  readonly kind: ToolKind
  readonly args: DecoratorArgs
  readonly annotations: DeclaredAnnotations
  readonly injection: Injection
}

type Decorator = PythonFunction['decorators'][number]

const KINDS: Readonly<Record<string, ToolKind>> = { skill_command: 'command', skill_resource: 'resource' }
const POSITIONS = ['name', 'description', 'category']
const ALIAS = /\b(skill_command|skill_resource)[ \t]+as[ \t]+([A-Za-z_]\w*)/g

/** Undefined when the text names no decorator, as in most scripts: those need not be parsed. */
export function findDecoratorNames(text: string): DecoratorNames | undefined {
  const found = Object.entries(KINDS).filter(([name]) => text.includes(name))
  if (found.length === 0) return undefined
  const names = new Map(found)
  for (const [, name, alias] of text.matchAll(ALIAS)) names.set(alias!, KINDS[name!]!)
  return names
}

/** Reads the decorator nearest to the function; undefined when the function is not a tool. */
export function readDeclaration(
  found: PythonFunction,
  names: DecoratorNames,
  report: FileReport,
): Declaration | undefined {
  for (const decorator of [...found.decorators].reverse()) {
    const kind = names.get(decorator.name.slice(decorator.name.lastIndexOf('.') + 1))
    if (kind === undefined) continue
    const argument = readArguments(decorator, report)
    const text = (name: string) => typed(name, 'string', argument(name), decorator, report)
    const flag = (name: string) => typed(name, 'boolean', argument(name), decorator, report)
    const read_only = flag('read_only')
    const destructive = flag('destructive')
    return {
      kind,
      args: {
        name: text('name'),
        description: text('description'),
        category: text('category'),
        destructive,
        read_only,
      },
      annotations: { read_only, destructive, idempotent: flag('idempotent'), open_world: flag('open_world') },
      injection: readInjection(argument),
    }
  }
  return undefined
}

function readArguments(decorator: Decorator, report: FileReport): (name: string) => JsonValue | undefined {
  const given = [
    ...decorator.positional.map((value, index) => ({ name: POSITIONS[index] ?? '*', value })),
    ...decorator.keywords,
  ]
  const values = new Map<string, JsonValue>()
  for (const { name, value } of given) {
    if (value.constant) values.set(name, value.constant.value)
    else {
      const message = `\`${name}\`: expected a constant, got ${quoteText(value.source)}`
      report.warning('argument-not-constant', message, decorator)
    }
  }
  return name => values.get(name)
}

interface Kinds {
  string: string
  boolean: boolean
}

function typed<K extends keyof Kinds>(
  name: string,
  kind: K,
  value: JsonValue | undefined,
  decorator: Decorator,
  report: FileReport,
): Kinds[K] | null {
  if (value === undefined || value === null) return null
  // `typeof` has just checked it.
  if (typeof value === kind) return value as Kinds[K]
  const expected = kind === 'string' ? 'text' : 'True or False'
  report.warning(
    'argument-type',
    `\`${name}\`: expected ${expected}, got \`${JSON.stringify(value)}\``,
    decorator,
  )
  return null
}
