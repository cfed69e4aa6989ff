// Shared by the code formats: which constants are metadata, under which field, and what else is kept.
import type { JsonValue } from '../base/index.ts'
import { createMetadata } from './metadata.ts'
import { isSignatureLine } from './signature-line.ts'
import type { Metadata } from './types.ts'

/** Constant → metadata field. Every other constant is kept under its own name. */
export const CODE_FIELDS: ReadonlyMap<string, string> = new Map([
  ['__version__', 'version'],
  ['__tool_type__', 'tool_type'],
  ['__executor_id__', 'executor_id'],
  ['__category__', 'category'],
  ['__tool_description__', 'tool_description'],
  ['CONFIG_SCHEMA', 'config_schema'],
  ['ENV_CONFIG', 'env_config'],
  ['CONFIG', 'config'],
  ['CONFIG_RESOLVE', 'config_resolve'],
])

/** True for `__author__`, `CONFIG`, `tags` and the like, which are not shown as part of the code. */
export function isMetadataName(name: string): boolean {
  return CODE_FIELDS.has(name) || name === 'tags' || name === 'keywords' || /^__\w+__$/.test(name)
}

/**
 * How a tool can be started: `execute` says whether it has such a function, `main` whether it can run by
 * itself, through a `__main__` block or, if it has neither, because it acts at its top level.
 */
export type CodeEntry = { execute: 'sync' | 'async' | null; main: boolean }

export interface CodeFacts {
  readonly constants: ReadonlyMap<string, JsonValue>
  readonly docstring: string | undefined
  readonly entry: CodeEntry
}

/** Leaves out a constant that happens to have a field's name (`version = 3`): it is not that field. */
export function codeMetadata({ constants, docstring, entry }: CodeFacts): Metadata {
  const metadata = createMetadata()
  const fields = new Set([...CODE_FIELDS.values(), 'docstring', 'entry'])
  for (const [name, value] of constants) {
    const field = CODE_FIELDS.get(name)
    if (field !== undefined || !fields.has(name)) metadata[field ?? name] = value
  }
  if (docstring !== undefined) metadata.docstring = docstring
  metadata.entry = entry
  return metadata
}

/** Lines of a file, counted from 1, both included. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** A text without some of its lines. */
export function withoutLines(text: string, ranges: readonly LineRange[]): string {
  if (ranges.length === 0) return text
  const lines = text.split('\n')
  const isGone = new Uint8Array(lines.length)
  for (const { first, last } of ranges) isGone.fill(1, first - 1, last)
  return lines.filter((_, index) => isGone[index] === 0).join('\n')
}

/** The source as an interpreter gets it: without the signature line, which may follow a `#!` line. */
export function withoutSignature(text: string): string {
  const [first = '', second = ''] = text.split('\n', 2)
  if (isSignatureLine(first)) return text.slice(first.length + 1)
  if (!first.startsWith('#!') || !isSignatureLine(second)) return text
  return `${first}\n${text.slice(first.length + second.length + 2)}`
}
