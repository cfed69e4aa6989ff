// A plugin of the build: the schemas of the MCP SDK are made when they are first used. The SDK makes some 190 when it
// is imported, and as many for each era of the protocol, most of them for messages that never come; that is half of
// what a client would wait for. Every one of them is a constant made by a pure expression, so it does not matter when.
import { parseSync } from 'oxc-parser'

const MODULE = /\/@modelcontextprotocol\/\w+\/dist\/.+\.mjs$/
const SCHEMA = /^[A-Z]\w*Schema(\$\d+)?$/
/** Constants of one module that are made of the parts of schemas. */
const DERIVED = /^(ROOT_KEYS|PROPERTY_KEYS_BY_TYPE)$/
/** The functions that make all the schemas of an era, and return them as one object. */
const MAKER = /^build(\$\d+)?$/

const HELPERS = `
function lateValue(make) {
  let made
  return () => (made ??= make())
}
function lateObject(makers) {
  for (const key of Object.keys(makers)) {
    Object.defineProperty(makers, key, { enumerable: true, configurable: true, get: lateValue(makers[key]) })
  }
  return makers
}
`

/** Fills a table of all schemas, for callers that we are not: the table is made of what it is asked for. */
const REGISTRY = [
  [
    '\t_specTypeSchemas[name] = schema;',
    '\tObject.defineProperty(_specTypeSchemas, name, { enumerable: true, get: schema });',
  ],
  ['=> schema.safeParse(v).success;', '=> schema().safeParse(v).success;'],
  ['register(key, schemas_exports[key]);', 'register(key, () => schemas_exports[key]);'],
  [
    'for (const [key, schema] of Object.entries(authSchemas)) register(key, schema);',
    'for (const key of Object.keys(authSchemas)) register(key, () => authSchemas[key]);',
  ],
]

export function lateSchemas() {
  return {
    name: 'late-schemas',
    transform: {
      filter: { id: MODULE },
      handler: (code, id) => ({ code: defer(code, id) }),
    },
  }
}

/** The same module, with every constant `FooSchema` a function that makes it once. */
export function defer(source, id) {
  const code = patchRegistry(source, id)
  const { program, errors } = parseSync('module.mjs', code)
  if (errors.length > 0) throw new Error(`${id}: ${errors[0].message}`)
  const edits = []
  visit(program, { late: namesOf(program.body), edits, making: false, argument: false })
  return edits.length === 0 ? code : apply(code, edits) + HELPERS
}

function patchRegistry(code, id) {
  if (!code.includes('_specTypeSchemas[')) return code
  return REGISTRY.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`${id}: expected once: ${from}`)
    return text.replace(from, () => to)
  }, code)
}

/** The schemas that a list of statements declares, or imports from a module of the SDK. */
function namesOf(statements) {
  return new Set(
    statements.flatMap(statement => {
      const plain = statement.type.startsWith('Export') ? (statement.declaration ?? statement) : statement
      if (plain.type === 'ImportDeclaration' && /^\.|^@modelcontextprotocol\//.test(plain.source.value)) {
        return plain.specifiers.map(specifier => specifier.local.name).filter(name => SCHEMA.test(name))
      }
      return isConstant(plain) ? plain.declarations.filter(isSchema).map(({ id }) => id.name) : []
    }),
  )
}

function isConstant(node) {
  return node.type === 'VariableDeclaration' && node.kind === 'const'
}

function isSchema({ id }) {
  return id.type === 'Identifier' && (SCHEMA.test(id.name) || DERIVED.test(id.name))
}

function visit(node, scope, key, parent) {
  if (Array.isArray(node)) {
    for (const entry of node) visit(entry, scope, key, parent)
    return
  }
  if (typeof node?.type !== 'string') return
  if (node.type === 'Identifier') {
    if (scope.late.has(node.name) && isRead(key, parent))
      scope.edits.push({ at: node.end, text: readOf(node, parent), closes: true })
    return
  }
  if (node.type === 'ImportDeclaration' || (node.type === 'ExportNamedDeclaration' && !node.declaration))
    return
  const inner = scopeOf(node, scope)
  if (node.type === 'VariableDeclarator' && isSchema(node) && scope.late.has(node.id.name)) {
    wrap(node.init, inner, '/* @__PURE__ */ lateValue(() => (', '))')
  }
  if (node.type === 'ObjectExpression' && isTable(node, scope)) {
    wrap(node, inner, 'lateObject(', ')')
    for (const { shorthand, value } of node.properties) {
      if (shorthand) inner.edits.push({ at: value.end, text: `: () => ${value.name}()`, closes: true })
      else wrap(value, inner, '() => ', '')
    }
    if (node.properties[0].shorthand) return
  }
  for (const child of Object.keys(node)) {
    if (child === 'type' || child === 'start' || child === 'end') continue
    visit(node[child], inner, child, node)
  }
}

function scopeOf(node, scope) {
  if (node.type === 'FunctionDeclaration' && MAKER.test(node.id.name)) {
    const late = new Set([...scope.late, ...namesOf(node.body.body)])
    return { ...scope, late, making: true, argument: false }
  }
  const argument = scope.argument || node.type === 'CallExpression' || /Function/.test(node.type)
  return { ...scope, argument: node.type === 'FunctionDeclaration' ? false : argument }
}

/** An object of nothing but schemas. One that is an argument is a shape, which its schema reads at once anyway. */
function isTable({ properties }, { late, making, argument }) {
  if (argument || properties.length === 0) return false
  const [{ shorthand }] = properties
  return properties.every(({ type, kind, method, value, ...property }) => {
    if (type !== 'Property' || kind !== 'init' || method || property.shorthand !== shorthand) return false
    if (shorthand) return late.has(value.name)
    if (value.type === 'MemberExpression') return !value.computed && SCHEMA.test(value.property.name)
    return (
      making && (value.type === 'CallExpression' || (value.type === 'Identifier' && late.has(value.name)))
    )
  })
}

function isRead(key, parent) {
  if (parent.type === 'VariableDeclarator') return key === 'init'
  if (parent.type === 'MemberExpression') return key === 'object' || parent.computed
  if (parent.type === 'Property') return key === 'value' || parent.computed
  return !/^(Import|Export)/.test(parent.type)
}

function readOf(node, parent) {
  return parent.type === 'Property' && parent.shorthand ? `: ${node.name}()` : '()'
}

function wrap(node, { edits }, before, after) {
  edits.push({ at: node.start, text: before, closes: false }, { at: node.end, text: after, closes: true })
}

/** Of edits at one place, what was opened first stands first, and what was opened last is closed first. */
function apply(code, edits) {
  const opened = edits.filter(({ closes }) => !closes)
  const closed = edits.filter(({ closes }) => closes).reverse()
  const ordered = [...closed, ...opened].sort((a, b) => a.at - b.at)
  const starts = [0, ...ordered.map(({ at }) => at)]
  const pieces = starts.map((start, index) => code.slice(start, starts[index + 1]))
  return pieces.map((piece, index) => (ordered[index - 1]?.text ?? '') + piece).join('')
}
