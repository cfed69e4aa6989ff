// What a module exports under which name: ES modules and CommonJS, values and functions, one step of naming deep.
import type { Expression, Program, VariableDeclarator } from 'oxc-parser'
import { withoutTypes } from './literal.ts'

/** The expression or function behind an exported name; `undefined` when it lies elsewhere (an import, a pattern). */
export type Exported = Expression | undefined

export interface ModuleExports {
  readonly exported: ReadonlyMap<string, { readonly value: Exported; readonly offset: number }>
  /** Top-level variables that are not exported under any name, with their offsets. */
  readonly unexported: ReadonlyMap<string, number>
}

export function readExports(program: Program, isCommonJs: boolean): ModuleExports {
  const locals = new Map<string, { value: Exported; offset: number }>()
  const exported = new Map<string, { value: Exported; offset: number }>()
  const used = new Set<string>()

  for (const statement of program.body) {
    for (const [name, value, offset] of declaredBy(statement)) {
      locals.set(name, { value, offset })
      if (statement.type !== 'ExportNamedDeclaration') continue
      exported.set(name, { value, offset })
      used.add(name)
    }
  }
  /** A name stands for the local of that name. */
  const resolve = (value: Expression, offset: number) => {
    const node = withoutTypes(value)
    if (node.type !== 'Identifier') return { value, offset }
    used.add(node.name)
    return locals.get(node.name) ?? { value, offset }
  }

  for (const statement of program.body) {
    if (statement.type === 'ExportNamedDeclaration' && statement.exportKind !== 'type') {
      for (const { exported: outer, local, start, exportKind } of statement.specifiers) {
        if (exportKind === 'type') continue
        const inner = statement.source === null ? nameOf(local) : undefined
        const found = inner === undefined ? undefined : locals.get(inner)
        exported.set(nameOf(outer), { value: found?.value, offset: found?.offset ?? start })
        if (inner !== undefined) used.add(inner)
      }
    } else if (isCommonJs && statement.type === 'ExpressionStatement') {
      for (const [name, value] of assignedExports(statement.expression)) {
        exported.set(name, resolve(value, value.start))
      }
    }
  }
  const unexported = new Map(
    [...locals].filter(([name]) => !used.has(name)).map(([name, { offset }]) => [name, offset]),
  )
  return { exported, unexported }
}

type Declared = [name: string, value: Exported, offset: number]

function declaredBy(statement: Program['body'][number]): Declared[] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (declaration?.type === 'VariableDeclaration') return declaration.declarations.flatMap(declaredVariable)
  if (declaration?.type === 'FunctionDeclaration' && declaration.id !== null) {
    return [[declaration.id.name, declaration, declaration.start]]
  }
  return []
}

function declaredVariable({ id, init, start }: VariableDeclarator): Declared[] {
  return id.type === 'Identifier' ? [[id.name, init ?? undefined, init?.start ?? start]] : []
}

/** `exports.X = ...`, `module.exports.X = ...`, `module.exports = {X: ...}`. */
function assignedExports(expression: Expression): [string, Expression][] {
  if (expression.type !== 'AssignmentExpression' || expression.operator !== '=') return []
  const { left, right } = expression
  if (left.type !== 'MemberExpression') return []
  const name = memberName(left)
  if (isExportsObject(left)) {
    const object = withoutTypes(right)
    if (object.type !== 'ObjectExpression') return []
    return object.properties.flatMap((property): [string, Expression][] => {
      if (property.type === 'SpreadElement' || property.kind !== 'init') return []
      const key = property.computed ? undefined : nameOf(property.key)
      return key === undefined ? [] : [[key, property.value]]
    })
  }
  return name !== undefined && isExportsObject(left.object) ? [[name, right]] : []
}

function isExportsObject(node: Expression): boolean {
  if (node.type === 'Identifier') return node.name === 'exports'
  return (
    node.type === 'MemberExpression' &&
    memberName(node) === 'exports' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'module'
  )
}

function memberName(node: Expression & { type: 'MemberExpression' }): string | undefined {
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : undefined
  return node.property.type === 'Literal' && typeof node.property.value === 'string'
    ? node.property.value
    : undefined
}

function nameOf(node: { type: string; name?: unknown; value?: unknown }): string {
  return String(node.type === 'Literal' ? node.value : node.name)
}
