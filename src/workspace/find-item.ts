// From a reference to one file, or to an error that says what was looked for, where, and what is similar.
import { AppError, nearest } from '../base/index.ts'
import type { Extractors } from '../extract/index.ts'
import { type ItemRef, isSpace, printRef, type SignedType, SPACES, type Space } from '../item/index.ts'
import { type ItemFile, type ItemRoot, listItems, locate } from '../scan/index.ts'
import type { ResolvedEntry } from '../space/index.ts'

export interface FindRequest {
  readonly id: string
  readonly type?: SignedType
  readonly space?: Space
  /** As in `LocateRequest`. */
  readonly onlyExtension?: string
}

export function findItem(
  roots: readonly ItemRoot[],
  extractors: Extractors,
  request: FindRequest,
): ResolvedEntry<ItemFile> {
  const { found, skipped } = locate(roots, extractors, request)
  if (found.length === 1) return found[0]!
  if (found.length > 1) throw ambiguous(request, found)
  if (skipped.length > 0) {
    const { path, message } = skipped[0]!
    throw new AppError('FILE_UNREADABLE', `Item not readable: ${request.id}: \`${path}\`: ${message}`)
  }
  throw notFound(roots, extractors, request)
}

function ambiguous(request: FindRequest, found: readonly ResolvedEntry<ItemFile>[]): AppError {
  const types = found.map(({ entry }) => entry.type)
  return new AppError(
    'ITEM_AMBIGUOUS',
    `Ambiguous item id \`${request.id}\`: exists as ${types.join(', ')}`,
    {
      hint: `name the type: \`${types[0]}:${request.id}\``,
      details: { types },
    },
  )
}

function notFound(roots: readonly ItemRoot[], extractors: Extractors, request: FindRequest): AppError {
  const items = listNear(roots, extractors, request.id)
  const elsewhere = items.find(item => item.id === request.id && item.type !== 'config')
  const sameType = items.filter(item => (request.type ? item.type === request.type : item.type !== 'config'))
  const close =
    nearest(
      request.id,
      sameType.map(item => item.id),
    )[0] ?? lastSegmentMatch(request.id, sameType)
  const where = request.space ?? SPACES.join(', ')
  const hint = elsewhere
    ? `there is \`${elsewhere.type}:${elsewhere.id}@${elsewhere.space}\``
    : close
      ? `did you mean \`${close}\`?`
      : 'find items with `search`, list them with `rye list`'
  return new AppError('ITEM_NOT_FOUND', `Item not found: ${request.id}`, {
    hint,
    details: { searched: where, ...(request.type && { item_type: request.type }), item_id: request.id },
  })
}

function lastSegmentMatch(id: string, items: readonly ItemFile[]): string | undefined {
  const name = id.slice(id.lastIndexOf('/') + 1)
  return items.find(item => item.id.endsWith(`/${name}`))?.id
}

/** Enough for a library of one person. A server waits while they are read, so a large tree must not cost more. */
const NEAR_ENTRIES = 1000

/**
 * Items to suggest from: those of this id, whatever their type, those in its folder, and those at the top of each root. A bounded number
 * of names is read of each.
 */
function listNear(roots: readonly ItemRoot[], extractors: Extractors, id: string): ItemFile[] {
  const limits = { entries: NEAR_ENTRIES }
  const same = locate(roots, extractors, { id }).found.map(({ entry }) => entry)
  const top = listItems(roots, extractors, limits).items
  const folder = id.slice(0, Math.max(0, id.lastIndexOf('/')))
  if (folder === '') return [...same, ...top]
  const below = roots.map(root => ({ ...root, segments: [...root.segments, ...folder.split('/')] }))
  const siblings = listItems(below, extractors, limits).items
  return [...same, ...siblings.map(item => ({ ...item, id: `${folder}/${item.id}` })), ...top]
}

/** A reference with the fields that may repeat parts of it: type, source. Contradictions are refused. */
export function joinRef(ref: ItemRef, type: SignedType | undefined, source: string | undefined): FindRequest {
  if (ref.type && type && ref.type !== type) throw contradiction('type', ref, type)
  if (ref.space && source && ref.space !== source) throw contradiction('space', ref, source)
  const joinedType = ref.type ?? type
  const space = ref.space ?? (isSpace(source) ? source : undefined)
  return { id: ref.id, ...(joinedType && { type: joinedType }), ...(space && { space }) }
}

function contradiction(what: string, ref: ItemRef, other: string): AppError {
  return new AppError(
    'INVALID_INPUT',
    `the ${what} of \`${printRef(ref)}\` and \`${other}\` contradict each other`,
  )
}
