// Which items a source holds, judged only by the names of its files: `.ai/` trees as they are, and Agent
// Skills wherever they lie. A link, a name that some system cannot have, or two names for one file exclude
// that item, but no others.
import { chooseItemFiles, type Extractors, itemFileExtension } from '../../extract/index.ts'
import { folderOf, ITEM_TYPES, type ItemType, idProblem, SKIPPED_FOLDERS } from '../../item/index.ts'
import { foldPath, isReservedId, pathProblem, splitPath } from '../../registry/bundle/index.ts'
import type { SourceTree } from './source-tree.ts'

export interface FoundItem {
  readonly type: ItemType
  /** The id in the source. */
  readonly id: string
  /** The path of the item's file in the source. */
  readonly path: string
  /** With its dot. */
  readonly extension: string
  /** Path below the item's type folder → path in the source; includes its signature. */
  readonly files: ReadonlyMap<string, string>
  /** A skill's folder in the source, with a slash at its end. Empty when the source itself is the skill. */
  readonly folder?: string
}

export interface RefusedItem {
  readonly path: string
  readonly reason: string
}

export interface FoundItems {
  /** Sorted by type and id. Among skills with the same id, the shorter path comes first. */
  readonly items: readonly FoundItem[]
  readonly refused: readonly RefusedItem[]
}

const TYPES: ReadonlyMap<string, ItemType> = new Map(ITEM_TYPES.map(type => [folderOf(type), type]))
const SKILL = { itemFile: 'SKILL', extensions: ['.md'] } as const
const LIBRARY = '.ai'

interface Search {
  readonly extractors: Extractors
  /** The name of a skill whose folder is the source itself. */
  readonly name: string
}

export function findItems(tree: Pick<SourceTree, 'files' | 'odd'>, { extractors, name }: Search): FoundItems {
  const paths = tree.files.map(file => file.path).filter(path => !isSkipped(path))
  const folders = skillFolders(paths)
  const known = new Set(paths)
  const plain = paths.flatMap(path =>
    skillOf(path, folders) === undefined ? plainItem(path, known, extractors) : [],
  )
  const bySkill = groupBySkill(paths, folders)
  const skills = [...bySkill].map(([folder, own]) => skillItem(folder, own, name))
  const refused: RefusedItem[] = []
  const items = [...plain, ...skills].filter(item => {
    const reason = problemOf(item, tree)
    if (reason !== undefined) refused.push({ path: item.folder || item.path, reason })
    return reason === undefined
  })
  // Reports entries that would be items if they were regular files.
  for (const { path, reason } of tree.odd) {
    if (isSkipped(path) || skillOf(path, folders) !== undefined) continue
    if (skillFolders([path]).size > 0 || plainItem(path, known, extractors).length > 0)
      refused.push({ path, reason: `\`${path}\` ${reason}` })
  }
  return { items: items.sort(inOrder), refused }
}

function inOrder(a: FoundItem, b: FoundItem): number {
  const [first, second] = [`${a.type}:${a.id}`, `${b.type}:${b.id}`]
  if (first !== second) return first < second ? -1 : 1
  return a.path.length - b.path.length || (a.path < b.path ? -1 : 1)
}

/** Folders that other programs install or keep for themselves are not part of a source. */
function isSkipped(path: string): boolean {
  return path.split('/').some(segment => SKIPPED_FOLDERS.has(segment))
}

/** The topmost folders with a skill file, each ending with a slash. */
function skillFolders(paths: readonly string[]): ReadonlySet<string> {
  const folders = paths.flatMap(path => {
    const slash = path.lastIndexOf('/') + 1
    return itemFileExtension(SKILL, path.slice(slash)) !== undefined ? [path.slice(0, slash)] : []
  })
  return new Set(folders)
}

function skillOf(path: string, folders: ReadonlySet<string>): string | undefined {
  if (folders.has('')) return ''
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const folder = path.slice(0, slash + 1)
    if (folders.has(folder)) return folder
  }
  return undefined
}

function groupBySkill(paths: readonly string[], folders: ReadonlySet<string>): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const folder = skillOf(path, folders)
    if (folder === undefined) continue
    const own = groups.get(folder)
    if (own) own.push(path)
    else groups.set(folder, [path])
  }
  return groups
}

function skillItem(folder: string, own: readonly string[], name: string): FoundItem {
  const [main] = chooseItemFiles(
    SKILL,
    own.map(path => path.slice(folder.length)),
  )
  const id = skillId(folder, name)
  const files = own.map(path => [`${id}/${path.slice(folder.length)}`, path] as const)
  return { type: 'skill', id, path: folder + main!.name, extension: '.md', files: new Map(files), folder }
}

/** Below `.ai/skills` the id is the whole path; elsewhere it is the folder's name. */
function skillId(folder: string, name: string): string {
  if (folder === '') return name
  const segments = folder.slice(0, -1).split('/')
  const at = segments.lastIndexOf(LIBRARY)
  const isBelow = at !== -1 && segments[at + 1] === folderOf('skill') && segments.length > at + 2
  return isBelow ? segments.slice(at + 2).join('/') : segments.at(-1)!
}

function plainItem(path: string, known: ReadonlySet<string>, extractors: Extractors): FoundItem[] {
  const segments = path.split('/')
  const at = segments.indexOf(LIBRARY)
  const type = at === -1 ? undefined : TYPES.get(segments[at + 1] ?? '')
  if (type === undefined || type === 'skill') return []
  const below = segments.slice(at + 2).join('/')
  const { id, extension } = splitPath(`${folderOf(type)}/${below}`)
  const format = extractors.get(type)?.signatureFormats.get(extension)
  if (format === undefined) return []
  const signature =
    format.detached && known.has(`${path}.sig`) ? [[`${below}.sig`, `${path}.sig`] as const] : []
  return [{ type, id, path, extension, files: new Map([[below, path], ...signature]) }]
}

function problemOf(item: FoundItem, { odd }: Pick<SourceTree, 'odd'>): string | undefined {
  if (isReservedId(item.id)) return 'ids that begin with `rye/` belong to the package'
  const idFault = idProblem(item.id)
  if (idFault !== undefined) return `its name cannot be an id: ${idFault}`
  const folder = item.folder
  const strange = folder === undefined ? undefined : odd.find(({ path }) => path.startsWith(folder))
  if (strange) return `\`${strange.path}\` ${strange.reason}`
  const seen = new Map<string, string>()
  for (const [path, from] of item.files) {
    const problem = pathProblem(`${folderOf(item.type)}/${withoutDots(path)}`)
    if (problem !== undefined) return `\`${from}\`: ${problem}`
    const twin = seen.get(foldPath(path))
    if (twin !== undefined) return `\`${from}\` and \`${twin}\` are one name on some systems`
    seen.set(foldPath(path), from)
  }
  return undefined
}

/** Unlike a published bundle, somebody's folder contains files such as `.gitignore`. */
function withoutDots(path: string): string {
  return path.replaceAll(/(^|\/)\.(?=[^./])/g, '$1')
}
