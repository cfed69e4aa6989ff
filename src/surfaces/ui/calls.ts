// What the page may call, and with which fields: a closed table over the actions of every surface. The page
// cannot name a path on the machine or another project, and no call in the table decides about keys.
import { AppError, isRecord } from '../../base/index.ts'

interface Call {
  readonly fields: readonly string[]
  /** Whether an input changes or runs something; a read-only server refuses those. */
  changes?(input: Readonly<Record<string, unknown>>): boolean
}

const CALLS: Readonly<Record<string, Call>> = {
  search: {
    fields: [
      ...['query', 'item_type', 'source', 'limit', 'offset', 'sort_by', 'category', 'tags'],
      ...['fields', 'filters', 'fuzzy', 'proximity', 'scope', 'match'],
    ],
  },
  list: { fields: ['pattern', 'item_type', 'source'] },
  show: { fields: ['item_id', 'item_type', 'content'] },
  load: { fields: ['item_id', 'item_type', 'source', 'view', 'offset', 'limit'] },
  runs: { fields: ['receipt', 'item_id', 'outcome', 'since', 'limit'] },
  doctor: { fields: [] },
  'keys list': { fields: [] },
  'mcp list': { fields: [] },
  outdated: { fields: ['to', 'timeout'] },
  review: { fields: ['item_id', 'item_type'] },
  execute: {
    fields: ['item_id', 'item_type', 'parameters', 'dry_run', 'timeout', 'trace'],
    changes: input => input.dry_run !== true,
  },
  // One item only, as it was shown: a pattern would sign items that nobody has read.
  sign: { fields: ['item_id', 'item_type', 'source', 'digest', 'take_over'], changes: () => true },
}

export interface PageCall {
  readonly action: string
  /** Index of one of the projects that the server was started for. */
  readonly project: number
  readonly input: Readonly<Record<string, unknown>>
}

/** Throws `INVALID_INPUT`, or `POLICY_DENIED` for a call that a read-only server refuses. */
export function readCall(raw: unknown, { readOnly }: { readonly readOnly: boolean }): PageCall {
  if (!isRecord(raw)) throw wrong('expected an object')
  const { action, project = 0, input = {} } = raw
  if (typeof action !== 'string' || !Object.hasOwn(CALLS, action))
    throw wrong(`expected \`action\` to be one of ${Object.keys(CALLS).join(', ')}`)
  if (typeof project !== 'number') throw wrong('expected `project` to be a number')
  if (!isRecord(input)) throw wrong('expected `input` to be an object')
  const { fields, changes } = CALLS[action]!
  const other = Object.keys(input).find(name => !fields.includes(name))
  if (other !== undefined) throw wrong(`\`${action}\` takes no \`${other.slice(0, 60)}\` from the page`)
  if (action === 'sign' && typeof input.digest !== 'string')
    throw wrong('`sign` needs the digest of what was read')
  if (readOnly && changes?.(input))
    throw new AppError('POLICY_DENIED', `\`${action}\` is off: the page was started with --read-only`, {
      hint: 'start `rye ui` without --read-only',
    })
  return { action, project, input }
}

function wrong(message: string): AppError {
  return new AppError('INVALID_INPUT', message)
}
