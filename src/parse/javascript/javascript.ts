// `javascript/javascript`: JavaScript and TypeScript tools. Exported constants are the metadata. Nothing is
// run or guessed, so a field that is set to anything but a constant gives a diagnostic with its position.
import type { JsonValue } from '../../base/index.ts'
import {
  CODE_FIELDS,
  type CodeEntry,
  codeMetadata,
  isMetadataName,
  withoutSignature,
} from '../code-fields.ts'
import { type Constant, memberOf, noticesOf, refusedConstant } from '../constant.ts'
import { createReport, type Report } from '../report.ts'
import type { Parser } from '../types.ts'
import { completeEntry } from './entry.ts'
import { type Export, type Exported, type ModuleExports, readExports } from './exports.ts'
import { unwrapFrozen } from './frozen.ts'
import { withoutTypes } from './literal.ts'
import { ModuleConstants } from './module-constants.ts'
import { parseJavaScript } from './parse-javascript.ts'
import { type Comment, type Program, startOf } from './syntax-tree.ts'
import { withoutSpans } from './without-spans.ts'

export const javascript: Parser = {
  name: 'javascript/javascript',
  async parse({ text, extension }) {
    const report = createReport(text)
    const body = withoutSignature(text)
    const isModule = extension === '.mjs' || extension === '.mts'
    const isCommonJs = extension === '.cjs' || extension === '.cts'
    const { program, comments, failure } = await parseJavaScript(text, {
      language: /^\.[mc]?ts$/.test(extension) ? 'typescript' : 'javascript',
      sourceType: isModule ? 'module' : isCommonJs ? 'commonjs' : 'unambiguous',
    })
    if (failure) {
      report.error(failure.code, failure.message, failure.offset)
      const nothing = { constants: new Map(), docstring: undefined, entry: readEntry(undefined) }
      return { metadata: codeMetadata(nothing), body, diagnostics: report.diagnostics }
    }
    unwrapFrozen(program, text)
    const module = new ModuleConstants(program)
    const names = readExports(program, !isModule, object => module.keysOf(object))
    const metadata = codeMetadata({
      constants: readConstants(names, module, report),
      docstring: readDocstring(comments, program),
      entry: completeEntry(readEntry(names.exported.get('execute')?.value), program.body, names.exported),
    })
    const sites = names.sites.filter(({ name }) => isMetadataName(name))
    const prose = withoutSpans(
      text,
      sites.map(({ span }) => span),
    )
    return { metadata, body, prose, diagnostics: report.diagnostics }
  },
}

function readConstants(
  { exported, unexported }: ModuleExports,
  module: ModuleConstants,
  report: Report,
): Map<string, JsonValue> {
  const constants = new Map<string, JsonValue>()
  for (const [name, value] of exported) {
    const isField = CODE_FIELDS.has(name)
    const constant = constantOf(name, value, module)
    // A constant that is not a field is kept only when it could be read completely.
    if (constant.value !== undefined && (isField || constant.problems.length === 0)) {
      constants.set(name, constant.value)
    }
    if (!isField) continue
    for (const { severity, code, message, place } of noticesOf('javascript', name, constant)) {
      report.at(place)(severity, code, message)
    }
  }
  for (const [name, offset] of unexported) {
    if (!CODE_FIELDS.has(name) || exported.has(name)) continue
    report.warning('javascript-not-exported', `expected \`${name}\` to be exported`, offset)
  }
  return constants
}

function constantOf(
  name: string,
  { value, offset, member }: Export,
  module: ModuleConstants,
): Constant<number> {
  if (value === undefined) return refusedConstant(offset, 'no value in this file')
  if (value.type === 'FunctionDeclaration') return refusedConstant(offset, 'a function')
  const constant = module.exported(name, value)
  return member === undefined ? constant : memberOf(constant, member)
}

function readEntry(value: Exported): CodeEntry {
  const node = value?.type === 'FunctionDeclaration' ? value : value && withoutTypes(value)
  switch (node?.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return { execute: node.async ? 'async' : 'sync', main: false }
    default:
      return { execute: null, main: false }
  }
}

/** The block comment before the first statement, without its stars; `'use strict'` does not count. */
function readDocstring(comments: readonly Comment[], program: Program): string | undefined {
  const [statement] = program.body
  const first = statement === undefined ? Number.POSITIVE_INFINITY : startOf(statement)
  const block = comments.find(comment => comment.type === 'CommentBlock' && startOf(comment) < first)
  if (block === undefined) return undefined
  const lines = block.value.split('\n').map(line => line.replace(/^\s*\*+ ?/, '').trimEnd())
  return lines.join('\n').trim() || undefined
}
