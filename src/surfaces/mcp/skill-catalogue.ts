// The skills of the library as MCP's Skills extension (SEP-2640) serves them. Every skill goes through
// `admit`: the one that wins by precedence is read once and verified, and its entry is made from those bytes.
// Entries, directories and files are answered from what `admit` returns; a file is only read alone when its
// skill was admitted before and has not been written since. A refused skill is not served, and neither is any
// skill it shadows.
import { extname } from 'node:path'
import type { Skill } from '@modelcontextprotocol/server/ext/skills'
import { AppError, type ErrorCode, quoteText } from '../../base/index.ts'
import { idProblem, type Space } from '../../item/index.ts'
import { serveSkill } from '../../skills/index.ts'
import { SKILL_SIGNATURE } from '../../trust/index.ts'
import type { Library, OpenedItem, SharedView } from '../../workspace/index.ts'
import { KnownSkills } from './known-skills.ts'
import { parseSkillUri } from './skill-uri.ts'

/**
 * Our key in `_meta`: what we know of a skill's origin, with the signature for clients that want to check it
 * again.
 */
const TRUST_KEY = 'dev.ryekit/trust'
/** Our key in the `_meta` of a listing: the skills of that page that are not served, and why. */
export const OMITTED_KEY = 'dev.ryekit/omitted'

/**
 * How much one page holds, and how much is read for it, whatever the size of the library. Official clients
 * follow 64 pages and then give up, which is 128 000 skills at this size. Every page lists the library anew.
 */
const PAGE = { served: 2000, looked: 4000, bytes: 256 * 1024 * 1024 }
/** Development mode does not apply here: it is for the author's own calls. */
const SERVED = { signedOnly: true }
const DIRECTORY = 'inode/directory'
const MIME_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  py: 'text/x-python',
  sh: 'application/x-sh',
  svg: 'image/svg+xml',
  ts: 'text/typescript',
  txt: 'text/plain',
  webp: 'image/webp',
  yaml: 'application/yaml',
  yml: 'application/yaml',
}

export interface Omitted {
  readonly item_id: string
  readonly space: Space
  /** Spaces whose skill of this id is shadowed, and so not served either. */
  readonly shadows: readonly Space[]
  readonly code: ErrorCode
}

export interface SkillPage {
  readonly skills: Skill[]
  readonly omitted: readonly Omitted[]
  readonly nextCursor?: string
}

export interface ListOptions {
  /** Skills that were verified before, which are not read again while unchanged. */
  readonly known?: KnownSkills
  readonly page?: typeof PAGE
}

/** One page of the served skills, sorted by id. A page may be short, or empty, without being the last. */
export async function listSkills(
  view: SharedView,
  cursor: string | undefined,
  signal: AbortSignal,
  { known = new KnownSkills(), page = PAGE }: ListOptions = {},
): Promise<SkillPage> {
  const after = cursor === undefined ? '' : readCursor(cursor)
  const winners = view.list(['skill']).items.filter(item => item.shadowedBy === null)
  const ids = new Set(winners.map(item => item.entry.id))
  const rest = winners.filter(item => item.entry.id > after)
  const skills: Skill[] = []
  const omitted: Omitted[] = []
  let bytes = 0
  let looked = 0
  while (looked < rest.length && looked < page.looked && skills.length < page.served && bytes < page.bytes) {
    const found = rest[looked++]!
    const { id, space, size } = found.entry
    bytes += size
    signal.throwIfAborted()
    try {
      if (liesInside(id, ids)) throw new AppError('ITEM_AMBIGUOUS', `\`${id}\` is inside another skill`)
      skills.push(await entryOf(view, found, known))
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      const shadows = found.shadows.map(entry => entry.space)
      omitted.push({ item_id: id, space, shadows, code: thrown.code })
    }
  }
  const last = looked < rest.length ? rest[looked - 1] : undefined
  return { skills, omitted, ...(last && { nextCursor: Buffer.from(last.entry.id).toString('base64url') }) }
}

async function entryOf(
  view: SharedView,
  found: ReturnType<SharedView['find']>,
  known: KnownSkills,
): Promise<Skill> {
  const stamp = known.stamp(found)
  const before = known.outcome(view, found, stamp)
  if (before instanceof AppError) throw before
  if (before) return before
  try {
    const item = await view.permit(view.read(found), SERVED)
    const { entry } = await admit(item)
    // Not remembered when it is rolled back: another policy would refuse it.
    if (!item.verdict.rolled_back_from) known.remember(view, found, stamp, entry)
    return entry
  } catch (thrown) {
    if (thrown instanceof AppError) known.remember(view, found, stamp, thrown)
    throw thrown
  }
}

/** The entry of the skill whose `SKILL.md` has this address. */
export async function getSkill(view: SharedView, uri: string): Promise<Skill> {
  const { skill, path } = await openSkill(view, uri)
  if (path !== 'SKILL.md') throw notServed(uri, 'skill')
  return skill.entry
}

export interface ReadFile {
  readonly bytes: Uint8Array
  readonly mimeType: string | undefined
  readonly meta: Skill['_meta']
}

/** Shared by all clients of a process. */
export function knownSkills(library: Library): Promise<KnownSkills> {
  return library.keep('served skills', () => new KnownSkills())
}

/** A file of a skill: the bytes that were verified with it. */
export async function readSkillFile(view: SharedView, uri: string, known: KnownSkills): Promise<ReadFile> {
  const { found, path } = findSkill(view, uri)
  const mimeType = mimeTypeOf(path)
  const stamp = known.stamp(found)
  const part = known.read(view, found, path, stamp)
  if (part) return { ...part, mimeType }
  const item = await view.use(view.read(found), SERVED)
  const { entry, files } = await admit(item)
  await view.memory.finish()
  // Not remembered when it is rolled back: another policy would refuse it.
  if (!item.verdict.rolled_back_from) known.remember(view, found, stamp, entry)
  const bytes = files.get(path)
  if (!bytes) throw notServed(uri, 'file of a skill')
  return { bytes, mimeType, meta: entry._meta }
}

export interface DirectoryEntry {
  readonly uri: string
  readonly name: string
  readonly mimeType?: string
  readonly size?: number
}

/** The direct children of a skill's folder, or of a folder below it. */
export async function readSkillDirectory(view: SharedView, uri: string): Promise<DirectoryEntry[]> {
  const { resources } = (await openSkill(view, uri)).skill.entry
  if (resources === 'dynamic') throw new Error('unreachable: entries are made from files')
  const folder = parseSkillUri(uri)!
  const children = new Map<string, DirectoryEntry>()
  for (const file of resources) {
    const segments = parseSkillUri(file.uri)!
    if (segments.length <= folder.length || folder.some((name, index) => segments[index] !== name)) continue
    const name = segments[folder.length]!
    const mimeType = mimeTypeOf(name)
    children.set(
      name,
      segments.length === folder.length + 1
        ? { uri: file.uri, name, size: file.size, ...(mimeType && { mimeType }) }
        : { uri: addressOfFolder(file.uri, folder.length + 1), name, mimeType: DIRECTORY },
    )
  }
  if (children.size === 0) throw notServed(uri, 'directory of a skill')
  return [...children.values()]
}

interface ServedSkill {
  readonly entry: Skill
  /** Maps each path below the folder to its bytes; includes the signature. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

interface Opened {
  readonly skill: ServedSkill
  /** The path below the skill's folder that follows the id; may be empty. */
  readonly path: string
}

async function openSkill(view: SharedView, uri: string): Promise<Opened> {
  const { found, path } = findSkill(view, uri)
  return { skill: await admit(await view.permit(view.read(found), SERVED)), path }
}

/** The shortest id that is a skill wins: the folders inside a skill are parts of it. */
function findSkill(view: SharedView, uri: string) {
  const segments = parseSkillUri(uri) ?? []
  for (let depth = 1; depth <= segments.length; depth++) {
    const id = segments.slice(0, depth).join('/')
    if (idProblem(id) !== undefined) break
    const request = { type: 'skill', id } as const
    if (!view.has(request)) continue
    return { found: view.find(request), path: segments.slice(depth).join('/') }
  }
  throw notServed(uri, 'skill')
}

/** The skill as it is served; throws if it may not be. */
async function admit(item: OpenedItem): Promise<ServedSkill> {
  const parts = new Map(item.parts)
  if (item.detached) parts.set(SKILL_SIGNATURE, item.detached)
  const { entry, files, adapted } = await serveSkill(item.file.id, parts, item.partDigests)
  const trust = { ...describeTrust(item), ...(adapted && { adapted }) }
  return { entry: { ...entry, _meta: { [TRUST_KEY]: trust } }, files }
}

function describeTrust(item: OpenedItem): object {
  const { file, verdict, shadows, detached } = item
  // A system item is known by its digest; a signature beside it was not checked.
  const signed = detached && verdict.format !== 'manifest'
  return {
    item_id: file.id,
    space: file.space,
    shadows,
    ...verdict,
    signature: signed ? Buffer.from(detached).toString('utf8').split('\n', 1)[0]! : null,
  }
}

function liesInside(id: string, ids: ReadonlySet<string>): boolean {
  for (let slash = id.indexOf('/'); slash !== -1; slash = id.indexOf('/', slash + 1)) {
    if (ids.has(id.slice(0, slash))) return true
  }
  return false
}

function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8')
  if (idProblem(id) === undefined) return id
  throw new AppError('INVALID_INPUT', 'expected a cursor from an earlier page')
}

/** The address of a folder, spelled as in the address of a file inside it. */
function addressOfFolder(uri: string, depth: number): string {
  // Two more for `skill:` and the empty part after it.
  return uri
    .split('/')
    .slice(0, depth + 2)
    .join('/')
}

function mimeTypeOf(path: string): string | undefined {
  const extension = extname(path).slice(1).toLowerCase()
  return Object.hasOwn(MIME_TYPES, extension) ? MIME_TYPES[extension] : undefined
}

function notServed(uri: string, what: string): AppError {
  return new AppError('ITEM_NOT_FOUND', `no ${what} is served at ${quoteText(uri, 200)}`, {
    hint: 'find skills with `search`',
  })
}
