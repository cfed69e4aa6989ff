// From a reference to one file, or to an error that says what was looked for, where, and what is similar.
import { AppError, type Hint, nearest } from '../base/index.ts'
import type { Extractors } from '../extract/index.ts'
import {
  type ItemPattern,
  isSpace,
  nameOf,
  parseRef,
  printRef,
  type SignedType,
  SPACES,
  type Space,
} from '../item/index.ts'
import { type ItemFile, type ItemRoot, listItems, locate } from '../scan/index.ts'
import type { ResolvedEntry } from '../space/index.ts'

export interface FindRequest {
  readonly id: string
  readonly type?: SignedType
  readonly space?: Space
  /** As in `LocateRequest`. */
  readonly onlyExtension?: string
}

export interface FindPlaces {
  readonly roots: readonly ItemRoot[]
  readonly extractors: Extractors
  /** Listings made for suggestions. Cached, as one call may name thousands of missing items. */
  readonly listed: Map<string, readonly ItemFile[]>
}

/** `warning` says why the catalogue could not be used. */
export function findItem(
  places: FindPlaces,
  request: FindRequest,
  warning?: string,
): ResolvedEntry<ItemFile> {
  const { roots, extractors } = places
  const { found, skipped } = locate(roots, extractors, request)
  if (found.length === 1) return found[0]!
  if (found.length > 1) throw ambiguous(request, found)
  if (skipped.length > 0) {
    const { path, message } = skipped[0]!
    throw new AppError('FILE_UNREADABLE', `Item not readable: ${request.id}: \`${path}\`: ${message}`)
  }
  const missing = notFound(places, request)
  if (warning === undefined) throw missing
  throw new AppError(missing.code, missing.message, {
    hint: 'it may be in the catalogue: the warning says why it was not found there',
    details: { ...missing.details, warning },
  })
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

function notFound(places: FindPlaces, request: FindRequest): AppError {
  const { roots } = places
  const items = listNear(places, request)
  const elsewhere = items.find(item => item.id === request.id && item.type !== 'config')
  const sameType = items.filter(item => (request.type ? item.type === request.type : item.type !== 'config'))
  const ids = sameType.map(item => item.id)
  const [inside] = ids.filter(id => id.startsWith(`${request.id}/`))
  const close = closest(request.id, ids) ?? fileOfSkill(request, sameType)
  const where = request.space ?? spacesOf(roots).join(', ')
  const hint: Hint = elsewhere
    ? `there is \`${elsewhere.type}:${elsewhere.id}@${elsewhere.space}\``
    : inside
      ? `it is a folder; items in it have ids such as \`${inside}\``
      : close
        ? `did you mean \`${withSpace(close, request, sameType)}\`?`
        : {
            agent: 'find items with `search`',
            person: 'find items with `rye search`, list them with `rye list`',
          }
  return new AppError('ITEM_NOT_FOUND', `Item not found: ${request.id}`, {
    hint,
    details: { searched: where, ...(request.type && { item_type: request.type }), item_id: request.id },
  })
}

/** A file of a skill whose id was left without its folders: `pdf/forms.md` for `skill:team/pdf/forms.md`. */
function fileOfSkill({ id, space }: FindRequest, items: readonly ItemFile[]): string | undefined {
  const skill = items.find(item => item.type === 'skill' && id.startsWith(`${nameOf(item.id)}/`))
  return skill && space === undefined ? `skill:${skill.id}${id.slice(nameOf(skill.id).length)}` : undefined
}

/** If the request named a space, the suggestion names one too: the same space if it has the item. */
function withSpace(id: string, { type, space }: FindRequest, items: readonly ItemFile[]): string {
  if (space === undefined) return id
  const spaces = items.filter(item => item.id === id).map(item => item.space)
  return `${type ? `${type}:` : ''}${id}@${spaces.includes(space) ? space : spaces[0]}`
}

/** The spaces that are searched: `shared` only if it has roots. */
function spacesOf(roots: readonly ItemRoot[]): readonly Space[] {
  return SPACES.filter(space => space !== 'shared' || roots.some(root => root.space === space))
}

/** Whoever forgets a folder spells the name right: that counts more than an id that differs in few letters. */
function closest(id: string, ids: readonly string[]): string | undefined {
  const named = ids.filter(other => nameOf(other) === nameOf(id))
  return nearest(id, named)[0] ?? relatedId(id, named) ?? nearest(id, ids)[0] ?? relatedId(id, ids)
}

/**
 * An id of the same name, or a parent such as `rye/bash` of `rye/bash/bash`. The longest common start wins.
 */
function relatedId(id: string, ids: readonly string[]): string | undefined {
  const related = ids.filter(other => nameOf(other) === nameOf(id) || id.startsWith(`${other}/`))
  return related.sort((a, b) => commonSegments(id, b) - commonSegments(id, a) || a.length - b.length)[0]
}

function commonSegments(one: string, other: string): number {
  const [left, right] = [one.split('/'), other.split('/')]
  let count = 0
  while (count < left.length && left[count] === right[count]) count++
  return count
}

/** Enough for one person's library. A server blocks while these are read: large trees must not cost more. */
const NEAR_ENTRIES = 1000

/**
 * Items to suggest from: those with this id and any type, those in its folder, and those at the top of each
 * root. The number of names read for each is limited.
 */
function listNear(places: FindPlaces, { id, type, space }: FindRequest): ItemFile[] {
  // Without a space, this type was already looked for everywhere.
  const others = space === undefined ? places.roots.filter(root => root.type !== type) : places.roots
  const same = locate(others, places.extractors, { id }).found.map(({ entry }) => entry)
  const folder = id.slice(0, Math.max(0, id.lastIndexOf('/')))
  return [...same, ...(folder === '' ? [] : listOnce(places, folder)), ...listOnce(places, '')]
}

/**
 * Lists a folder once, with whole ids. Keyed by the number of roots too: a catalogue adds some during a call.
 */
function listOnce({ roots, extractors, listed }: FindPlaces, folder: string): readonly ItemFile[] {
  const key = `${roots.length}/${folder}`
  const known = listed.get(key)
  if (known) return known
  const segments = folder === '' ? [] : folder.split('/')
  const below = roots.map(root => ({ ...root, segments: [...root.segments, ...segments] }))
  const { items } = listItems(below, extractors, { entries: NEAR_ENTRIES })
  const named = folder === '' ? items : items.map(item => ({ ...item, id: `${folder}/${item.id}` }))
  listed.set(key, named)
  return named
}

/** Combines a reference with fields that may repeat parts of it. Contradictions are refused. */
export function joinRef(
  ref: ItemPattern,
  type: SignedType | undefined,
  source: string | undefined,
): FindRequest {
  if (ref.type && type && ref.type !== type) throw contradiction('type', ref, type)
  if (ref.space && source && ref.space !== source) throw contradiction('space', ref, source)
  const joinedType = ref.type ?? type
  const space = ref.space ?? (isSpace(source) ? source : undefined)
  return { id: ref.id, ...(joinedType && { type: joinedType }), ...(space && { space }) }
}

const CONFIG = 'config:'

/** Reads the reference of something signed: an item, or `config:ID`. */
export function signedRequest(text: string, type: SignedType | undefined): FindRequest {
  return text.startsWith(CONFIG) && type === undefined
    ? joinRef(parseRef(text.slice(CONFIG.length)), 'config', undefined)
    : joinRef(parseRef(text), type, undefined)
}

function contradiction(what: string, ref: ItemPattern, other: string): AppError {
  return new AppError(
    'INVALID_INPUT',
    `the ${what} of \`${printRef(ref)}\` and \`${other}\` contradict each other`,
  )
}
