// `json/json`: a tool with the keys of a YAML tool, written in JSON.
import { isRecord } from '../../base/index.ts'
import { createMetadata, toMetadata } from '../metadata.ts'
import { createReport, type Report } from '../report.ts'
import { addConfigSchema } from '../tool-schema.ts'
import type { Metadata, Parser } from '../types.ts'
import { readJson, skipSpace } from './read-json.ts'

export const json: Parser = {
  name: 'json/json',
  parse({ text }) {
    const report = createReport(text)
    const metadata = readDocument(text, report)
    addConfigSchema(metadata, report.at(0))
    return { metadata, body: '', diagnostics: report.diagnostics }
  },
}

function readDocument(text: string, report: Report): Metadata {
  const { value, end, problem, duplicates } = readJson(text, 0)
  for (const { key, offset } of duplicates) {
    report.error('json-duplicate-key', `the key \`${key}\` is given twice; the last value is kept`, offset)
  }
  if (problem !== undefined) report.error('json-syntax', problem, end)
  const rest = skipSpace(text, end)
  if (problem === undefined && rest < text.length) {
    report.error('json-syntax', 'expected the end of the file after the value', rest)
  } else if (isRecord(value)) {
    return toMetadata(value, report.at(0))
  } else if (problem === undefined) {
    report.error('json-not-object', 'expected a JSON object', 0)
  }
  return createMetadata()
}
