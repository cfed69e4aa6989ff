// What a module exports under which name, in ES modules and CommonJS. An exported name is followed to the
// local variable or function of that name, one step.
import { memberName, withoutTypes } from './literal.ts'
import {
  type Expression,
  type FunctionDeclaration,
  type Program,
  spanOf,
  startOf,
  type VariableDeclarator,
} from './syntax-tree.ts'
import type { Span } from './without-spans.ts'

/** The expression or function behind an exported name. Undefined for an import or a pattern. */
export type Exported = Expression | FunctionDeclaration | undefined

export interface Export {
  readonly value: Exported
  readonly offset: number
  /** Set when this member of the value is exported, not the value itself. */
  readonly member?: string | undefined
}

export interface ModuleExports {
  readonly exported: ReadonlyMap<string, Export>
  /** Top-level variables that are not exported under any name, with their offsets. */
  readonly unexported: ReadonlyMap<string, number>
  /** Each place that gives a name its value: its declaration and its exports. */
  readonly sites: readonly Site[]
}

export interface Site {
  readonly name: string
  readonly span: Span
}

/** `keysOf` gives the members of a constant object. */
export function readExports(
  program: Program,
  isCommonJs: boolean,
  keysOf: (object: Expression) => readonly string[],
): ModuleExports {
  const locals = new Map<string, Declared>()
  const exported = new Map<string, Export>()
  const used = new Set<string>()
  const sites: Site[] = []
  /** Functions are not values that could be read, so they have no site. */
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
  /** Follows a name to the local declaration of that name. */
  const resolve = ({ name, value, span }: Assigned) => {
    sites.push({ name, span })
    const node = withoutTypes(value)
    const offset = startOf(value)
    if (node.type !== 'Identifier') return { value, offset }
    used.add(node.name)
    const local = locals.get(node.name)
    if (local) addSite(name, local)
    return local ?? { value, offset }
  }
  const addAssigned = (assigned: Assigned) => {
    const { name, member, value } = assigned
    const isMember = member !== undefined
    exported.set(name, isMember ? { member, value, offset: startOf(value) } : resolve(assigned))
  }

  for (const statement of program.body) {
    if (statement.type === 'ExportNamedDeclaration' && statement.exportKind !== 'type') {
      for (const specifier of statement.specifiers) {
        const name = exportedName(specifier.exported)
        const isOwn = specifier.type === 'ExportSpecifier' && !statement.source
        if (specifier.type === 'ExportSpecifier' && specifier.exportKind === 'type') continue
        const inner = isOwn ? specifier.local.name : undefined
        const found = inner === undefined ? undefined : locals.get(inner)
        exported.set(name, { value: found?.value, offset: found?.offset ?? startOf(specifier) })
        if (inner !== undefined) used.add(inner)
        sites.push({ name, span: spanOf(specifier) })
        if (found) addSite(name, found)
      }
    } else if (statement.type === 'ExportDefaultDeclaration') {
      // The default export is looked at last when the tool is called, so other exports win.
      const before = new Set(exported.keys())
      const whole = statement.declaration as Expression // a function or class has no members that could be read
      membersOf(whole, spanOf(statement), keysOf)
        .filter(({ name }) => !before.has(name))
        .forEach(addAssigned)
    } else if (isCommonJs && statement.type === 'ExpressionStatement') {
      assignedExports(statement.expression, spanOf(statement), keysOf).forEach(addAssigned)
    }
  }
  const unexported = new Map(
    [...locals].filter(([name]) => !used.has(name)).map(([name, { offset }]) => [name, offset]),
  )
  return { exported, unexported, sites }
}

interface Variable {
  readonly name: string
  readonly init: Expression
  readonly isConst: boolean
  readonly end: number
}

/** The top-level variables that a module declares with a value, in order. */
export function declaredVariables(program: Program): Variable[] {
  return program.body.flatMap(statement => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') return []
    const isConst = declaration.kind === 'const'
    return declaration.declarations.flatMap(({ id, init, end }) =>
      id.type === 'Identifier' && init ? [{ name: id.name, init, isConst, end: end ?? 0 }] : [],
    )
  })
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
  if (declaration?.type === 'FunctionDeclaration' && declaration.id) {
    const { name } = declaration.id
    return [{ name, value: declaration, offset: startOf(declaration), span: spanOf(statement) }]
  }
  return []
}

function declaredVariable(declarator: VariableDeclarator, whole: Parameters<typeof spanOf>[0]): Declared[] {
  const { id, init } = declarator
  if (id.type !== 'Identifier') return []
  return [
    { name: id.name, value: init ?? undefined, offset: startOf(init ?? declarator), span: spanOf(whole) },
  ]
}

interface Assigned extends Site {
  readonly value: Expression
  readonly member?: string
}

/** `exports.X = ...`, `module.exports.X = ...`, `module.exports = {X: ..., ...Y}`, `module.exports = Y`. */
function assignedExports(
  expression: Expression,
  span: Span,
  keysOf: (object: Expression) => readonly string[],
): Assigned[] {
  if (expression.type !== 'AssignmentExpression' || expression.operator !== '=') return []
  const { left, right } = expression
  if (left.type !== 'MemberExpression') return []
  if (isExportsObject(left)) return membersOf(right, span, keysOf)
  const name = exportedMember(left)
  return name === undefined ? [] : [{ name, value: right, span }]
}

/** The members of an object that is exported as a whole. */
function membersOf(
  whole: Expression,
  span: Span,
  keysOf: (object: Expression) => readonly string[],
): Assigned[] {
  const object = withoutTypes(whole)
  const namedIn = (value: Expression) =>
    keysOf(value).map((name): Assigned => ({ name, value, member: name, span }))
  if (object.type !== 'ObjectExpression') return namedIn(object)
  let members: Assigned[] = []
  for (const property of object.properties) {
    if (property.type === 'SpreadElement') {
      members.push(...namedIn(property.argument))
      continue
    }
    if (property.computed && property.key.type !== 'StringLiteral') continue
    const name = exportedName(property.key)
    // A method or getter replaces earlier members of the same name.
    if (property.type === 'ObjectMethod') members = members.filter(member => member.name !== name)
    // On the right of an assignment, the value is an expression, not a pattern.
    else members.push({ name, value: property.value as Expression, span: spanOf(property) })
  }
  return members
}

/** The `X` of `exports.X` and `module.exports.X`. */
export function exportedMember(node: { readonly type: string }): string | undefined {
  const given = node as Expression
  if (given.type !== 'MemberExpression' || !isExportsObject(given.object)) return undefined
  return memberName(given)
}

function isExportsObject(node: { readonly type: string }): boolean {
  const given = node as Expression
  if (given.type === 'Identifier') return given.name === 'exports'
  return (
    given.type === 'MemberExpression' &&
    memberName(given) === 'exports' &&
    given.object.type === 'Identifier' &&
    given.object.name === 'module'
  )
}

function exportedName(node: { type: string; name?: unknown; value?: unknown }): string {
  return String(node.type === 'Identifier' ? node.name : node.value)
}
