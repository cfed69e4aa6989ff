// A plugin of the build: the schemas of the MCP SDK are made when they are first used. The SDK makes some 190 when it is
// imported, and as many for each era of the protocol, most of them for messages that never come; that is a quarter of
// what a client would wait for. Each is a constant made by a pure expression, so it does not matter when. Only that
// expression is wrapped, in place: a constant that is not recognised is made at once, as it was written.
import { parse } from '@babel/parser'

const MODULE = /\/@modelcontextprotocol\/\w+\/dist\/.+\.mjs$/
const SCHEMA = /^[A-Z]\w*Schema(\$\d+)?$/

/** Stands for a schema, and makes it when anything is asked of it. */
const HELPER = `
const lateHandler = {
  get: (late, key) => madeSchema(late)[key],
  set: (late, key, value) => Reflect.set(madeSchema(late), key, value),
  has: (late, key) => key in madeSchema(late),
  ownKeys: late => Reflect.ownKeys(madeSchema(late)),
  getPrototypeOf: late => Object.getPrototypeOf(madeSchema(late)),
  getOwnPropertyDescriptor(late, key) {
    const found = Reflect.getOwnPropertyDescriptor(madeSchema(late), key);
    return found && { ...found, configurable: true };
  },
};
function madeSchema(late) { return late.made ??= late.make(); }
function lateSchema(make) { return new Proxy({ make, made: undefined }, lateHandler); }
`

export function lateSchemas() {
  return {
    name: 'late-schemas',
    transform: { filter: { id: MODULE }, handler: code => ({ code: makeLate(code) }) },
  }
}

/** The same module, with every constant `FooSchema` made when it is first used. */
export function makeLate(code) {
  const found = schemasIn(parse(code, { sourceType: 'module' }).program.body)
  if (found.length === 0) return code
  const ends = [0, ...found.map(({ end }) => end)]
  const pieces = found.map(({ start, end }, index) => {
    return `${code.slice(ends[index], start)}/* @__PURE__ */ lateSchema(() => ${code.slice(start, end)})`
  })
  return HELPER + pieces.join('') + code.slice(ends.at(-1))
}

/** The expressions that make the schemas of a module and of its functions, in their order. */
function schemasIn(statements) {
  return statements.flatMap(statement => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type === 'FunctionDeclaration') return schemasIn(declaration.body.body)
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return []
    return declaration.declarations.filter(isSchema).map(({ init }) => init)
  })
}

/** `const FooSchema = z.object(...)`, `const FooSchema = BarSchema.extend(...)`. */
function isSchema({ id, init }) {
  if (!SCHEMA.test(id.name) || init?.type !== 'CallExpression') return false
  let node = init
  while (node.type === 'CallExpression' || node.type === 'MemberExpression') node = node.callee ?? node.object
  return node.name === 'z' || SCHEMA.test(node.name)
}
