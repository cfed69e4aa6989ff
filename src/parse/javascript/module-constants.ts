// Reads the constants of a module in the order in which they are set, so each may refer to those before it
// and none to itself. A name that is set twice, or whose value changes, is not a constant.
import { isRecord } from '../../base/index.ts'
import {
  type Constant,
  createSharedReading,
  namedConstant,
  type Refusal,
  refusedConstant,
} from '../constant.ts'
import { findChanged } from './changes.ts'
import { declaredVariables } from './exports.ts'
import { type Names, readConstant, withoutTypes } from './literal.ts'
import { type Expression, type Program, startOf } from './syntax-tree.ts'

interface Declared {
  readonly init: Expression
  readonly isConst: boolean
  /** The offset from which the name has its value. */
  readonly end: number
}

export class ModuleConstants implements Names {
  readonly #program: Program
  readonly #declared = new Map<string, Declared>()
  readonly #setBy = new Map<Expression, string>()
  readonly #read = new Map<Expression, Constant<number>>()
  readonly #shared = createSharedReading()
  #changed: ReadonlySet<string> | undefined

  constructor(program: Program) {
    this.#program = program
    for (const { name, init, isConst, end } of declaredVariables(program)) {
      this.#declared.set(name, { init, isConst, end })
      this.#setBy.set(init, name)
    }
    for (const { init } of this.#declared.values()) this.read(init)
  }

  /** The constant exported under a name. `expression` may be the initial value of a variable. */
  exported(name: string, expression: Expression): Constant<number> {
    const variable = this.#setBy.get(expression)
    const isChanged = variable !== undefined && this.isChanged(variable)
    if (!isChanged && !this.#isExportChanged(name)) return this.read(expression)
    return refusedConstant(startOf(expression), 'a value that changes')
  }

  /** The keys of an object, including members that cannot be read or that change. Empty for anything else. */
  keysOf(expression: Expression): string[] {
    const node = withoutTypes(expression)
    const declared = node.type === 'Identifier' ? this.#declared.get(node.name) : undefined
    const { value, problems } = this.read(declared?.init ?? node)
    if (!isRecord(value)) return []
    const unread = problems.flatMap(({ path: [key] }) => (typeof key === 'string' ? [key] : []))
    return [...new Set([...Object.keys(value), ...unread])]
  }

  read(expression: Expression): Constant<number> {
    const known = this.#read.get(expression) ?? readConstant(expression, this, this.#shared)
    this.#read.set(expression, known)
    return known
  }

  find(name: string, offset: number): Constant<number> | Refusal {
    const declared = this.#declared.get(name)
    if (declared !== undefined && declared.end > offset)
      return { reason: `the name \`${name}\` before it is set` }
    // It is further up in the file, so it has been read already.
    const constant = namedConstant(name, declared && this.#read.get(declared.init))
    if ('reason' in constant || !this.isChanged(name)) return constant
    return { reason: `the name \`${name}\`, whose value changes` }
  }

  isChanged(name: string): boolean {
    const declared = this.#declared.get(name)
    if (declared === undefined) return false
    const value = this.#read.get(declared.init)?.value
    // It has no parts that could change.
    if (declared.isConst && (value === null || typeof value !== 'object')) return false
    return this.#findChanged().has(name)
  }

  /** Never for an ES module, whose exports cannot be assigned to. */
  #isExportChanged(name: string): boolean {
    return this.#program.sourceType !== 'module' && this.#findChanged().has(`exports.${name}`)
  }

  #findChanged(): ReadonlySet<string> {
    this.#changed ??= findChanged(this.#program)
    return this.#changed
  }
}
