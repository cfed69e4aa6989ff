// What a module exports under which name: ES modules and CommonJS, values and functions, one step of naming deep.
import type { Expression, Program, VariableDeclarator } from 'oxc-parser'
import { withoutTypes } from './literal.ts'
import type { Span } from './without-spans.ts'

/** The expression or function behind an exported name; `undefined` when it lies elsewhere (an import, a pattern). */
export type Exported = Expression | undefined

export interface ModuleExports {
  readonly exported: ReadonlyMap<string, { readonly value: Exported; readonly offset: number }>
  /** Top-level variables that are not exported under any name, with their offsets. */
  readonly unexported: ReadonlyMap<string, number>
  /** Each place that says what value a name stands for: where it is declared, where it is exported. */
  readonly sites: readonly Site[]
}

export interface Site {
  readonly name: string
  readonly span: Span
}

export function readExports(program: Program, isCommonJs: boolean): ModuleExports {
  const locals = new Map<string, Declared>()
  const exported = new Map<string, { value: Exported; offset: number }>()
  const used = new Set<string>()
  const sites: Site[] = []
  /** A function is no value that could be read. */
  const addSite = (name: string, { value, span }: Declared) => {
    if (value?.type !== 'FunctionDeclaration') sites.push({ name, span })
  }

  for (const statement of program.body) {
    for (const declared of declaredBy(statement)) {
      const { name, value, offset } = declared
      locals.set(name, declared)
      addSite(name, declared)
      if (statement.type !== 'ExportNamedDeclaration') continue
      exported.set(name, { value, offset })
      used.add(name)
    }
  }
  /** A name stands for the local of that name. */
  const resolve = ({ name, value, span }: Assigned) => {
    sites.push({ name, span })
    const node = withoutTypes(value)
    if (node.type !== 'Identifier') return { value, offset: value.start }
    used.add(node.name)
    const local = locals.get(node.name)
    if (local) addSite(name, local)
    return local ?? { value, offset: value.start }
  }

  for (const statement of program.body) {
    if (statement.type === 'ExportNamedDeclaration' && statement.exportKind !== 'type') {
      for (const specifier of statement.specifiers) {
        const { exported: outer, local, start, exportKind } = specifier
        if (exportKind === 'type') continue
        const inner = statement.source === null ? nameOf(local) : undefined
        const found = inner === undefined ? undefined : locals.get(inner)
        exported.set(nameOf(outer), { value: found?.value, offset: found?.offset ?? start })
        if (inner !== undefined) used.add(inner)
        sites.push({ name: nameOf(outer), span: specifier })
        if (found) addSite(nameOf(outer), found)
      }
    } else if (isCommonJs && statement.type === 'ExpressionStatement') {
      for (const assigned of assignedExports(statement.expression, statement)) {
        const { value, offset } = resolve(assigned)
        exported.set(assigned.name, { value, offset })
      }
    }
  }
  const unexported = new Map(
    [...locals].filter(([name]) => !used.has(name)).map(([name, { offset }]) => [name, offset]),
  )
  return { exported, unexported, sites }
}

interface Declared extends Site {
  readonly value: Exported
  readonly offset: number
}

function declaredBy(statement: Program['body'][number]): Declared[] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (declaration?.type === 'VariableDeclaration') {
    const { declarations } = declaration
    return declarations.flatMap(one => declaredVariable(one, declarations.length === 1 ? statement : one))
  }
  if (declaration?.type === 'FunctionDeclaration' && declaration.id !== null) {
    return [{ name: declaration.id.name, value: declaration, offset: declaration.start, span: statement }]
  }
  return []
}

function declaredVariable({ id, init, start }: VariableDeclarator, span: Span): Declared[] {
  if (id.type !== 'Identifier') return []
  return [{ name: id.name, value: init ?? undefined, offset: init?.start ?? start, span }]
}

interface Assigned extends Site {
  readonly value: Expression
}

/** `exports.X = ...`, `module.exports.X = ...`, `module.exports = {X: ...}`. */
function assignedExports(expression: Expression, statement: Span): Assigned[] {
  if (expression.type !== 'AssignmentExpression' || expression.operator !== '=') return []
  const { left, right } = expression
  if (left.type !== 'MemberExpression') return []
  const name = memberName(left)
  if (isExportsObject(left)) {
    const object = withoutTypes(right)
    if (object.type !== 'ObjectExpression') return []
    return object.properties.flatMap((property): Assigned[] => {
      if (property.type === 'SpreadElement' || property.kind !== 'init') return []
      const key = property.computed ? undefined : nameOf(property.key)
      return key === undefined ? [] : [{ name: key, value: property.value, span: property }]
    })
  }
  if (name === undefined || !isExportsObject(left.object)) return []
  return [{ name, value: right, span: statement }]
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
