// `python/ast`: Python tools. Module-level constants are the metadata; nothing is run and nothing is guessed, so a
// field that is set to anything but a constant is an error with its place.
import type { ExprNode, StmtNode } from 'py-ast'
import type { Diagnostic, JsonValue } from '../../base/index.ts'
import {
  CODE_FIELDS,
  type CodeEntry,
  codeMetadata,
  isMetadataName,
  type LineRange,
  withoutLines,
  withoutSignature,
} from '../code-fields.ts'
import { TOO_LARGE } from '../metadata.ts'
import type { Parser } from '../types.ts'
import { readDocstring } from './docstring.ts'
import { evaluateLiteral } from './literal.ts'
import { type PythonShape, type PythonStatement, parsePython, readShape } from './module.ts'
import { withoutBlocks } from './outline.ts'
import { type PythonFacts, readPlainOutline } from './plain-outline.ts'

export const pythonAst: Parser = {
  name: 'python/ast',
  async parse({ text, outline }) {
    const shape = readShape(text)
    const plain =
      outline && shape.isBounded ? readPlainOutline(withoutBlocks(shape.text, shape.lines)) : undefined
    const { facts, diagnostics } = plain
      ? { facts: plain, diagnostics: shape.diagnostics }
      : await readModule(shape, outline)
    return {
      metadata: codeMetadata(facts),
      body: withoutSignature(text),
      prose: withoutLines(text, facts.metadataLines),
      diagnostics,
    }
  },
}

async function readModule(
  shape: PythonShape,
  outline: boolean | undefined,
): Promise<{ readonly facts: PythonFacts; readonly diagnostics: readonly Diagnostic[] }> {
  const { statements, diagnostics } = await parsePython(shape, { outline })
  const constants = readConstants(statements)
  const facts = {
    constants: constants.values,
    docstring: readDocstring(statements[0]),
    entry: readEntry(statements.map(statement => statement.node)),
    metadataLines: statements.flatMap(findMetadata),
  }
  return { facts, diagnostics: [...diagnostics, ...constants.diagnostics] }
}

/** The last binding of a name counts: when it is not a constant, an earlier constant is forgotten. */
function readConstants(statements: readonly PythonStatement[]) {
  const values = new Map<string, JsonValue>()
  const noticed = new Map<string, Diagnostic>()
  const forget = (name: string, reason: string, at: { line: number; column: number }) => {
    values.delete(name)
    if (!CODE_FIELDS.has(name)) return
    const message = `expected \`${name}\` to be a constant, got ${reason}`
    noticed.set(name, { severity: 'error', code: 'python-not-constant', message, ...at })
  }
  const noteTooLarge = (name: string, at: { line: number; column: number }) => {
    if (!CODE_FIELDS.has(name)) return
    const message = `at \`${name}\`: ${TOO_LARGE.message}`
    noticed.set(name, { severity: 'warning', code: TOO_LARGE.code, message, ...at })
  }
  for (const { node, source } of statements) {
    const { names, value, reason } = bindingsOf(node)
    if (names.length === 0) continue
    const literal = value && evaluateLiteral(value, source)
    for (const name of names) {
      if (literal?.constant) {
        values.set(name, literal.value)
        noticed.delete(name)
        if (literal.tooLarge)
          noteTooLarge(name, source.position(literal.tooLarge.lineno, literal.tooLarge.col_offset))
      } else {
        const place = literal?.node ?? node
        forget(name, literal?.reason ?? reason, source.position(place.lineno, place.col_offset))
      }
    }
  }
  return { values, diagnostics: [...noticed.values()] }
}

/** The lines of a statement that sets metadata, to whatever. */
function findMetadata({ node, source }: PythonStatement): LineRange[] {
  const { nodeType } = node
  if (nodeType !== 'Assign' && nodeType !== 'AnnAssign' && nodeType !== 'AugAssign') return []
  if (!bindingsOf(node).names.some(isMetadataName)) return []
  const first = source.position(node.lineno, 0).line
  return [{ first, last: source.position(node.end_lineno ?? node.lineno, 0).line }]
}

interface Bindings {
  readonly names: readonly string[]
  /** Absent when the names are bound to something other than one expression. */
  readonly value?: ExprNode
  readonly reason: string
}

function bindingsOf(node: StmtNode): Bindings {
  switch (node.nodeType) {
    case 'Assign': {
      const [only] = node.targets
      if (node.targets.every(target => target.nodeType === 'Name')) {
        return { names: node.targets.map(target => target.id), value: node.value, reason: '' }
      }
      return {
        names: node.targets.flatMap(rootNames),
        reason: only?.nodeType === 'Tuple' ? 'an unpacking' : 'a change',
      }
    }
    case 'AnnAssign': {
      const names = rootNames(node.target)
      if (!node.value) return { names: [], reason: '' }
      return node.target.nodeType === 'Name'
        ? { names, value: node.value, reason: '' }
        : { names, reason: 'a change' }
    }
    case 'AugAssign':
      return { names: rootNames(node.target), reason: 'a change' }
    case 'Delete':
      return { names: node.targets.flatMap(rootNames), reason: 'a deletion' }
    case 'Import':
    case 'ImportFrom':
      return { names: node.names.map(alias => alias.asname ?? alias.name), reason: 'an import' }
    case 'FunctionDef':
    case 'AsyncFunctionDef':
    case 'ClassDef':
      return { names: [node.name], reason: 'a definition' }
    default:
      return { names: [], reason: '' }
  }
}

/** The names that a target binds or changes: `X["key"] = 1` changes `X`. */
function rootNames(target: ExprNode): string[] {
  let node = target
  while (node.nodeType === 'Subscript' || node.nodeType === 'Attribute' || node.nodeType === 'Starred') {
    node = node.value
  }
  if (node.nodeType === 'Name') return [node.id]
  return node.nodeType === 'Tuple' || node.nodeType === 'List' ? node.elts.flatMap(rootNames) : []
}

function readEntry(nodes: readonly StmtNode[]): CodeEntry {
  const entry: CodeEntry = { execute: null, main: false }
  for (const node of nodes) {
    if (node.nodeType === 'FunctionDef' && node.name === 'execute') entry.execute = 'sync'
    else if (node.nodeType === 'AsyncFunctionDef' && node.name === 'execute') entry.execute = 'async'
    else if (node.nodeType === 'If' && isMainTest(node.test)) entry.main = true
  }
  return entry
}

/** `__name__ == "__main__"`, either way round. */
function isMainTest(test: ExprNode): boolean {
  if (test.nodeType !== 'Compare' || test.ops.length !== 1 || test.ops[0]!.nodeType !== 'Eq') return false
  const sides = [test.left, test.comparators[0]!]
  return (
    sides.some(side => side.nodeType === 'Name' && side.id === '__name__') &&
    sides.some(side => side.nodeType === 'Constant' && side.value === '__main__')
  )
}
