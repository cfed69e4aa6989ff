// A build plugin that creates the schemas of the MCP SDK on first use. On import, the SDK creates some 190 of
// them, and as many again for each era of the protocol, most for messages that never come. That takes a
// quarter of a client's waiting time. Each schema is a constant with a pure initialiser, so it does not
// matter when it runs. Only that expression is wrapped, in place. A constant that is not recognised is left
// as written and created at once.
import { parse } from '@babel/parser'

const MODULE = /\/@modelcontextprotocol\/\w+\/dist\/.+\.mjs$/
const SCHEMA = /^[A-Z]\w*Schema(\$\d+)?$/

/** A proxy that creates its schema when any property is accessed. */
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

/** Returns the module with every constant `FooSchema` created on first use. */
export function makeLate(code) {
  const found = schemasIn(parse(code, { sourceType: 'module' }).program.body)
  if (found.length === 0) return code
  const ends = [0, ...found.map(({ end }) => end)]
  const pieces = found.map(({ start, end }, index) => {
    return `${code.slice(ends[index], start)}/* @__PURE__ */ lateSchema(() => ${code.slice(start, end)})`
  })
  return HELPER + pieces.join('') + code.slice(ends.at(-1))
}

/** The initialisers of the schemas in a module and in its functions, in source order. */
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
