// `python/ast`: Python tools. Module-level constants are the metadata. Nothing is run or guessed, so a field
// that is set to anything but a constant gives a diagnostic with its position.
import type { StmtNode } from 'py-ast'
import type { Diagnostic } from '../../base/index.ts'
import {
  type CodeEntry,
  codeMetadata,
  isMetadataName,
  type LineRange,
  withoutLines,
  withoutSignature,
} from '../code-fields.ts'
import type { Parser } from '../types.ts'
import { bindingsOf, isMainTest } from './bindings.ts'
import { readDocstring } from './docstring.ts'
import { completeEntry } from './entry.ts'
import { type PythonShape, type PythonStatement, parsePython, readShape } from './module.ts'
import { readConstants } from './module-constants.ts'
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
  const nodes = statements.map(statement => statement.node)
  const facts = {
    constants: constants.values,
    docstring: readDocstring(statements[0]),
    entry: completeEntry(readEntry(nodes), nodes),
    metadataLines: statements.flatMap(findMetadata),
  }
  return { facts, diagnostics: [...diagnostics, ...constants.diagnostics] }
}

/** The lines of a statement that sets metadata, whatever the value. */
function findMetadata({ node, source }: PythonStatement): LineRange[] {
  const { nodeType } = node
  if (nodeType !== 'Assign' && nodeType !== 'AnnAssign' && nodeType !== 'AugAssign') return []
  if (!bindingsOf(node).names.some(isMetadataName)) return []
  const first = source.position(node.lineno, 0).line
  return [{ first, last: source.position(node.end_lineno ?? node.lineno, 0).line }]
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
