// Scopes such as `tool`, `tool.rye.core.*` or `rye.fetch.knowledge.rye.core.*`: a type, and the namespace of
// the ids. A namespace ends at a segment boundary: `tool.rye.core.*` is not `rye/core-extra`.
import { AppError, nearest, quoteText } from '../base/index.ts'
import { ITEM_TYPES, type ItemType, idProblem, isItemType } from '../item/index.ts'

export interface Scope {
  readonly type: ItemType | 'all'
  /** A path such as `rye/core`, or an empty string for no restriction. */
  readonly namespace: string
  /** Whether the item whose id is the namespace itself is included: `tool.rye.bash`, without a star. */
  readonly self: boolean
}

const CAPABILITY_PREFIXES = ['rye.fetch.', 'rye.search.', 'rye.*.']

/**
 * Reads a scope, or throws `SCOPE_SYNTAX`. `*` in place of the type means all types. Dots separate the
 * segments of a namespace, unless it is written with slashes; then they are part of the id:
 * `tool.acme/v1.2/*`.
 */
export function parseScope(text: string): Scope {
  const prefix = CAPABILITY_PREFIXES.find(candidate => text.startsWith(candidate)) ?? ''
  const capability = text.slice(prefix.length)
  const dot = capability.indexOf('.')
  const typeWord = dot === -1 ? capability : capability.slice(0, dot)
  const type = readType(typeWord, text)
  const rest = dot === -1 ? '' : capability.slice(dot + 1)
  if (dot === -1 || rest === '*') return { type, namespace: '', self: false }
  return { type, ...readNamespace(rest, text) }
}

function readType(word: string, scope: string): Scope['type'] {
  if (word === '*') return 'all'
  const bare = word.endsWith('*') ? word.slice(0, -1) : word
  if (isItemType(bare)) return bare
  const close = nearest(bare, ITEM_TYPES)[0]
  throw scopeError(
    scope,
    `expected a type (${ITEM_TYPES.join(', ')} or \`*\`), got ${quoteText(word)}`,
    close,
  )
}

function readNamespace(text: string, scope: string): { namespace: string; self: boolean } {
  const starred = text.endsWith('*')
  const trimmed = starred ? text.slice(0, -1).replace(/[./]$/, '') : text
  const namespace = trimmed.includes('/') ? trimmed : trimmed.replaceAll('.', '/')
  if (namespace.includes('*')) throw scopeError(scope, 'expected `*` only at the end')
  const problem = idProblem(namespace)
  if (problem !== undefined) throw scopeError(scope, `expected a namespace such as \`rye.core\`: ${problem}`)
  return { namespace, self: !starred }
}

function scopeError(scope: string, problem: string, suggestion?: string): AppError {
  return new AppError('SCOPE_SYNTAX', `invalid scope ${quoteText(scope)}: ${problem}`, {
    hint: suggestion
      ? `did you mean \`${suggestion}\`?`
      : 'a scope is a type and an optional namespace, such as `tool` or `tool.rye.core.*`',
  })
}
