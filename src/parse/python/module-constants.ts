// Reads the constants of a Python module in the order in which they are bound, so each may refer to those
// before it. The last binding of a name counts: when it is not a constant, an earlier constant is forgotten.
import type { Diagnostic, JsonValue } from '../../base/index.ts'
import { CODE_FIELDS } from '../code-fields.ts'
import {
  type Constant,
  createSharedReading,
  namedConstant,
  noticesOf,
  type Refusal,
  refusedConstant,
} from '../constant.ts'
import { bindingsOf, findChanged } from './bindings.ts'
import { type Names, readConstant } from './literal.ts'
import type { PythonStatement } from './module.ts'
import type { Position } from './source.ts'

export interface PythonConstants {
  readonly values: ReadonlyMap<string, JsonValue>
  readonly diagnostics: readonly Diagnostic[]
}

export function readConstants(statements: readonly PythonStatement[]): PythonConstants {
  const bound = new Map<string, Constant<Position>>()
  /** Names that `import *` may have given another value. */
  const unsure = new Set<string>()
  const names = namesOf(statements, name => (unsure.has(name) ? undefined : bound.get(name)))
  const shared = createSharedReading()
  for (const { node, source } of statements) {
    const { names: given, value, reason } = bindingsOf(node)
    if (given.length === 0) continue
    if (given.includes('*')) for (const name of bound.keys()) unsure.add(name)
    const constant = value
      ? readConstant(value, source, names, shared)
      : refusedConstant(source.position(node.lineno, node.col_offset), reason)
    for (const name of given) {
      // Deleted first, so that the map is in the order of last bindings.
      bound.delete(name)
      bound.set(name, constant)
      unsure.delete(name)
    }
  }
  return describe(bound)
}

function namesOf(
  statements: readonly PythonStatement[],
  findBound: (name: string) => Constant<Position> | undefined,
): Names {
  let changed: ReadonlySet<string> | undefined
  return {
    find(name): Constant<Position> | Refusal {
      const constant = namedConstant(name, findBound(name))
      // It has no parts that could change.
      if ('reason' in constant || constant.value === null || typeof constant.value !== 'object')
        return constant
      changed ??= findChanged(statements.map(({ node }) => node))
      return changed.has(name) ? { reason: `the name \`${name}\`, whose value changes` } : constant
    },
  }
}

function describe(bound: ReadonlyMap<string, Constant<Position>>): PythonConstants {
  const values = new Map<string, JsonValue>()
  const diagnostics: Diagnostic[] = []
  for (const [name, constant] of bound) {
    const isField = CODE_FIELDS.has(name)
    // A constant that is not a field is kept only when it could be read completely.
    if (constant.value !== undefined && (isField || constant.problems.length === 0)) {
      values.set(name, constant.value)
    }
    if (!isField) continue
    for (const { place, ...notice } of noticesOf('python', name, constant)) {
      diagnostics.push({ ...notice, ...place })
    }
  }
  return { values, diagnostics }
}
