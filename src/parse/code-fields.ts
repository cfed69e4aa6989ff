// What the code formats have in common: which constants are metadata, under which field, and what else is kept.
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

/** How a tool can be started: its `execute` function, its `__main__` block. */
export type CodeEntry = { execute: 'sync' | 'async' | null; main: boolean }

export interface CodeFacts {
  readonly constants: ReadonlyMap<string, JsonValue>
  readonly docstring: string | undefined
  readonly entry: CodeEntry
}

/** A constant that happens to bear the name of a field (`version = 3`) is left out: it must not pass for one. */
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

/** The source as an interpreter gets it: without the signature line, which may follow a `#!` line. */
export function withoutSignature(text: string): string {
  const [first = '', second = ''] = text.split('\n', 2)
  if (isSignatureLine(first)) return text.slice(first.length + 1)
  if (!first.startsWith('#!') || !isSignatureLine(second)) return text
  return `${first}\n${text.slice(first.length + second.length + 2)}`
}
