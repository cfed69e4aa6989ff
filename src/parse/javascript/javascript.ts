// `javascript/javascript`: JavaScript and TypeScript tools. Exported constants are the metadata; nothing is run and
// nothing is guessed, so a field that is set to anything but a constant is an error with its place.
import type { Comment, Program } from 'oxc-parser'
import type { JsonValue } from '../../base/index.ts'
import {
  CODE_FIELDS,
  type CodeEntry,
  codeMetadata,
  isMetadataName,
  withoutSignature,
} from '../code-fields.ts'
import { TOO_LARGE } from '../metadata.ts'
import { createReport, type Report } from '../report.ts'
import type { Parser } from '../types.ts'
import { type Exported, type ModuleExports, readExports } from './exports.ts'
import { evaluateLiteral, withoutTypes } from './literal.ts'
import { parseJavaScript } from './native-parser.ts'
import { withoutSpans } from './without-spans.ts'

export const javascript: Parser = {
  name: 'javascript/javascript',
  async parse({ text, extension }) {
    const report = createReport(text)
    const body = withoutSignature(text)
    const isTypeScript = /^\.[mc]?ts$/.test(extension)
    const isModule = extension === '.mjs' || extension === '.mts'
    const isCommonJs = extension === '.cjs' || extension === '.cts'
    const { result, refusal } = await parseJavaScript(`tool${extension}`, text, {
      lang: isTypeScript ? 'ts' : 'js',
      sourceType: isModule ? 'module' : isCommonJs ? 'commonjs' : 'unambiguous',
      preserveParens: false,
    })
    if (refusal !== undefined) {
      report.error(refusal.code, refusal.message, 0)
      const metadata = codeMetadata({
        constants: new Map(),
        docstring: undefined,
        entry: readEntry(undefined),
      })
      return { metadata, body, diagnostics: report.diagnostics }
    }
    for (const { message, labels } of result.errors) {
      report.error('javascript-syntax', lowerFirst(message), labels[0]?.start ?? 0)
    }
    const program = result.program
    const names = readExports(program, !isModule)
    const metadata = codeMetadata({
      constants: readConstants(names, report),
      docstring: readDocstring(result.comments, program),
      entry: readEntry(names.exported.get('execute')?.value),
    })
    const sites = names.sites.filter(({ name }) => isMetadataName(name))
    const prose = withoutSpans(
      text,
      sites.map(({ span }) => span),
    )
    return { metadata, body, prose, diagnostics: report.diagnostics }
  },
}

function readConstants({ exported, unexported }: ModuleExports, report: Report): Map<string, JsonValue> {
  const constants = new Map<string, JsonValue>()
  for (const [name, { value, offset }] of exported) {
    const literal = value && evaluateLiteral(value)
    if (literal?.constant) {
      constants.set(name, literal.value)
      // Of a constant that is no field, nobody reads the value here.
      if (literal.tooLarge === undefined || !CODE_FIELDS.has(name)) continue
      report.warning(TOO_LARGE.code, `at \`${name}\`: ${TOO_LARGE.message}`, literal.tooLarge)
    } else if (CODE_FIELDS.has(name)) {
      const message = `expected \`${name}\` to be a constant, got ${literal?.reason ?? 'no value in this file'}`
      report.error('javascript-not-constant', message, literal?.offset ?? offset)
    }
  }
  for (const [name, offset] of unexported) {
    if (!CODE_FIELDS.has(name) || exported.has(name)) continue
    report.warning('javascript-not-exported', `expected \`${name}\` to be exported`, offset)
  }
  return constants
}

function readEntry(value: Exported): CodeEntry {
  const node = value && withoutTypes(value)
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
  const statement = program.body.find(one => one.type !== 'ExpressionStatement' || !one.directive)
  const first = statement?.start ?? Number.POSITIVE_INFINITY
  const block = comments.find(comment => comment.type === 'Block' && comment.start < first)
  if (block === undefined) return undefined
  const lines = block.value.split('\n').map(line => line.replace(/^\s*\*+ ?/, '').trimEnd())
  return lines.join('\n').trim() || undefined
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1)
}
