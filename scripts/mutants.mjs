// Generates the mutants of a source file: small changes to its code, each of which a test should notice.
// Types, imports and the wording of messages are left alone.
import { parse } from '@babel/parser'

const COMPARISONS = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' }
const ARITHMETIC = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
}
const LOGIC = { '&&': '||', '||': '&&' }
const ASSIGNMENTS = { '+=': '-=', '-=': '+=', '*=': '/=' }
const METHODS = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
}
/** Methods whose call can be dropped, leaving the object it was called on as the result. */
const LEFT_OUT = [
  'filter',
  'slice',
  'sort',
  'reverse',
  'trim',
  'trimEnd',
  'trimStart',
  'toLowerCase',
  'normalize',
]

/**
 * @typedef {{ start: number, end: number, text: string, line: number, what: string }} Mutant
 * `text` replaces the source from `start` to `end`; `what` describes the change in words.
 */

/** @returns {Mutant[]} */
export function findMutants(path, source) {
  const { program } = parse(source, {
    sourceType: 'module',
    sourceFilename: path,
    plugins: ['typescript', 'estree'],
  })
  const found = []
  const lines = lineStarts(source)
  const replace = ({ start, end }, text) => {
    const line = lines.findLastIndex(from => from <= start) + 1
    found.push({ start, end, text, line, what: `${shorten(source.slice(start, end))} -> ${shorten(text)}` })
  }
  const code = node => source.slice(node.start, node.end)
  /** Replaces the operator and keeps both operands. */
  const operator = (node, other) => {
    if (other === undefined) return
    const at = node.left.end + source.slice(node.left.end, node.right.start).indexOf(node.operator)
    replace(
      node,
      `${source.slice(node.start, at)}${other}${source.slice(at + node.operator.length, node.end)}`,
    )
  }
  const tests = new Set()
  /**
   * Makes a condition always false or always true. Negating it would reveal nothing that these two do not.
   */
  const decide = (node, values) => {
    tests.add(node)
    for (const value of values) if (code(node) !== value) replace(node, value)
  }

  const visitors = {
    BinaryExpression(node) {
      const joinsText = node.operator === '+' && [node.left, node.right].some(isText)
      const isOpposite = tests.has(node) && node.operator.endsWith('==')
      if (!joinsText && !isOpposite) operator(node, COMPARISONS[node.operator] ?? ARITHMETIC[node.operator])
    },
    LogicalExpression(node) {
      if (node.operator === '??') replace(node, code(node.left))
      else operator(node, LOGIC[node.operator])
    },
    AssignmentExpression(node) {
      operator(node, ASSIGNMENTS[node.operator])
    },
    UpdateExpression(node) {
      const other = node.operator === '++' ? '--' : '++'
      replace(node, node.prefix ? `${other}${code(node.argument)}` : `${code(node.argument)}${other}`)
    },
    UnaryExpression(node) {
      if (node.operator === '!' && !tests.has(node)) replace(node, code(node.argument))
    },
    ConditionalExpression: node => decide(node.test, ['true', 'false']),
    IfStatement: node => decide(node.test, ['true', 'false']),
    WhileStatement: node => decide(node.test, ['false']),
    ForStatement: node => node.test && decide(node.test, ['false']),
    Literal(node) {
      if (typeof node.value === 'boolean') replace(node, String(!node.value))
      else if (typeof node.value === 'number') replace(node, String(node.value + 1))
    },
    CallExpression(node) {
      const { callee } = node
      if (callee.type !== 'MemberExpression' || callee.computed) return
      const { name } = callee.property
      if (Object.hasOwn(METHODS, name)) replace(callee.property, METHODS[name])
      else if (LEFT_OUT.includes(name)) replace(node, code(callee.object))
    },
    ExpressionStatement(node) {
      if (!node.directive) replace(node, ';')
    },
    ThrowStatement: node => replace(node, ';'),
    ContinueStatement: node => replace(node, ';'),
    ReturnStatement(node) {
      if (node.argument === null) replace(node, ';')
    },
  }
  walk(program, node => visitors[node.type]?.(node))
  return found.sort((a, b) => a.start - b.start)
}

/** Yields every node once, parents first. Literals inside types are skipped. */
function walk(node, visit) {
  if (node.type === 'TSLiteralType') return
  visit(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit)
  }
}

function isNode(value) {
  return typeof value?.type === 'string' && typeof value.start === 'number'
}

function isText(node) {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
}

function lineStarts(source) {
  return [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
}

function shorten(text) {
  const line = text.replaceAll(/\s+/g, ' ')
  return `\`${line.length > 80 ? `${line.slice(0, 77)}...` : line}\``
}
