// Collects what `verify` is asked about: a reference, a pattern over ids, one file, or a tree with `.ai/`
// folders in it.
import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, extname, join, sep } from 'node:path'
import { AppError, quoteShellWord, quoteText } from '../../../base/index.ts'
import { itemFileExtension } from '../../../extract/index.ts'
import { fileState } from '../../../files/index.ts'
import {
  folderOf,
  isGlob,
  matchesGlob,
  nameOf,
  parsePattern,
  parseRef,
  printRef,
  type SignedType,
  SKIPPED_FOLDERS,
  typeOfFolder,
  widerGlob,
} from '../../../item/index.ts'
import { type ItemFile, type ItemRoot, listItems, realPath } from '../../../scan/index.ts'
import { type ResolvedEntry, resolveSpaces } from '../../../space/index.ts'
import { userConfigPath } from '../../../user/index.ts'
import { joinRef, usedHelpers, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { emptyText, findPath, resolvePath } from '../../definition/resolve-path.ts'
import { SIGNED_TYPES } from '../../definition/shared-fields.ts'

const SKILL_FOLDERS = ['.claude', '.agents']
const ITEM_FOLDERS = ['.ai', ...SKILL_FOLDERS]
/** All items of a tree count as one space. */
const IN_TREE = { space: 'project', folder: 0 } as const
const MOST_FOLDERS = 200_000
/** `@user`, `tool:`: patterns without an id, which are neither paths nor references. */
const WITHOUT_ID = /^(?:\w+:)?(?:@\w*)?$/

/** Everything that the project sees, and the files that tools need beside them. */
export function collectAll(workspace: Workspace, type?: SignedType): ResolvedEntry<ItemFile>[] {
  const settings = userConfigPath(workspace.library.userSpace)
  const { items, skipped } = workspace.list(SIGNED_TYPES)
  return ofType(
    [...items, ...usedHelpers(workspace, skipped)].filter(
      ({ entry }) => entry.path !== settings && !isKey(entry),
    ),
    type,
  )
}

/** Collects what a person named. A path that exists is meant as one; `tool:name` is meant as an item. */
export function collectTarget(
  context: ActionContext,
  workspace: Workspace,
  { target, type }: { readonly target: string; readonly type?: SignedType | undefined },
): ResolvedEntry<ItemFile>[] {
  if (target === '') throw emptyText('an id, a pattern or a path')
  const named = findPath(context, target)
  // Links in the folders are resolved, since the place of an item may decide whether its key is trusted. A
  // file that is a link itself stays one.
  const path = named && join(realPath(dirname(named)), basename(named))
  if (path !== undefined) {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isDirectory()) return ofType(inTree(workspace, path), type)
    if (stat) return [oneFile(workspace, path, type)]
  }
  if (isGlob(target) || WITHOUT_ID.test(target)) return matching(workspace, target, type)
  if (!isRef(target))
    throw new AppError(
      'FILE_UNREADABLE',
      `no file or directory at \`${path ?? resolvePath(context, target)}\``,
    )
  return [findRef(workspace, target, type)]
}

/** Ids by a pattern, as `sign` takes it: `tool:deploy/*`, `deploy/*@user`. */
function matching(
  workspace: Workspace,
  target: string,
  given: SignedType | undefined,
): ResolvedEntry<ItemFile>[] {
  const named = parsePattern(target, SIGNED_TYPES)
  const { id: pattern, type, space } = joinRef(named, given, undefined)
  const all = collectAll(workspace, type).filter(({ entry }) => !space || entry.space === space)
  const found = all.filter(({ entry }) => matchesGlob(pattern, entry.id))
  if (found.length > 0) return found
  const ids = all.map(({ entry }) => entry.id)
  const wider = widerGlob(pattern, ids)
  throw new AppError('ITEM_NOT_FOUND', `no item matches ${quoteText(target)}`, {
    hint: wider
      ? `${quoteShellWord(printRef({ ...named, id: wider }))} matches`
      : '`rye list` shows the ids; a path with stars is expanded by your shell, if it is not quoted',
  })
}

function isRef(target: string): boolean {
  if (target.startsWith('config:')) return true
  try {
    parseRef(target)
    return true
  } catch {
    // Not a reference: then it was meant as a path.
    return false
  }
}

function findRef(
  workspace: Workspace,
  target: string,
  type: SignedType | undefined,
): ResolvedEntry<ItemFile> {
  if (target.startsWith('config:'))
    return workspace.find({ id: target.slice('config:'.length), type: 'config' })
  return workspace.find(joinRef(parseRef(target), type, undefined))
}

function inTree(workspace: Workspace, folder: string): ResolvedEntry<ItemFile>[] {
  const found = foldersWithItems(folder).flatMap(base => {
    const { extractors } = workspace
    const roots = rootsIn(base)
    const { items, skipped } = listItems(roots, extractors)
    return [...resolveSpaces(items, extractors).items, ...usedHelpers({ roots, extractors }, skipped)]
  })
  return found.filter(({ entry }) => isBelow(folder, entry.path) && !isKey(entry))
}

function rootsIn(base: string): ItemRoot[] {
  const own = SIGNED_TYPES.map(
    (type): ItemRoot => ({ ...IN_TREE, type, base, segments: ['.ai', folderOf(type)] }),
  )
  const skills = SKILL_FOLDERS.map(
    (name, index): ItemRoot => ({
      ...IN_TREE,
      type: 'skill',
      base,
      segments: [name, 'skills'],
      folder: index + 1,
    }),
  )
  return [...own, ...skills]
}

/** Keys and identity documents: unlike settings, they are not signed. */
function isKey({ type, id }: ItemFile): boolean {
  return type === 'config' && id.startsWith('keys/')
}

function isBelow(folder: string, path: string): boolean {
  return folder === sep || path.startsWith(`${folder}${sep}`)
}

/** Folders with items: the one that the given folder is in, or else the given one and those below it. */
function foldersWithItems(folder: string): string[] {
  const segments = folder.split(sep)
  const inside = segments.findLastIndex((name, index) => isItemFolder(name, segments[index + 1]))
  if (inside !== -1) return [segments.slice(0, inside).join(sep) || sep]
  const found = new Set<string>()
  const pending = [folder]
  for (let seen = 0; pending.length > 0 && seen < MOST_FOLDERS; seen++) {
    const here = pending.pop()!
    for (const entry of foldersIn(here)) {
      if (ITEM_FOLDERS.includes(entry.name)) found.add(here)
      else if (!SKIPPED_FOLDERS.has(entry.name)) pending.push(join(here, entry.name))
    }
  }
  return [...found].sort()
}

/**
 * An item folder, last in a path or before the folder of a type: an `.ai` higher up may hold whole projects.
 */
function isItemFolder(name: string, below: string | undefined): boolean {
  if (below === undefined) return ITEM_FOLDERS.includes(name)
  return typeOfPlace(name, below) !== undefined
}

/** The type of the items in `.ai/tools`, `.claude/skills` and the like. */
function typeOfPlace(folder: string, below: string): SignedType | undefined {
  if (folder === '.ai') return typeOfFolder(below)
  return SKILL_FOLDERS.includes(folder) && below === 'skills' ? 'skill' : undefined
}

function foldersIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  } catch (cause) {
    throw new AppError('FILE_UNREADABLE', `cannot read the directory \`${folder}\``, { cause })
  }
}

function oneFile(workspace: Workspace, path: string, given: SignedType | undefined): ResolvedEntry<ItemFile> {
  const { type, id, holder } = identify(workspace, path, given)
  const stat = lstatSync(path)
  const entry: ItemFile = {
    type,
    id,
    space: 'project',
    path,
    extension: extname(path),
    folder: 0,
    base: holder ?? dirname(path),
    ...fileState(stat),
  }
  const extractor = workspace.extractors.get(type)
  const isItemFile = extractor?.itemFile == null || itemFileExtension(extractor, basename(path)) !== undefined
  if (!extractor?.extensions.includes(entry.extension) || !isItemFile) {
    throw new AppError('INVALID_INPUT', `expected a file of type ${type}, got \`${path}\``)
  }
  return { entry, shadows: [], shadowedBy: null }
}

/** Type and id from the place below `.ai/`. Elsewhere the type must be given, and the name is the id. */
export function identify(
  workspace: Workspace,
  path: string,
  given: SignedType | undefined,
): { type: SignedType; id: string; holder?: string } {
  const segments = path.split(sep)
  const at = segments.findLastIndex((name, index) => typeOfPlace(name, segments[index + 1] ?? ''))
  const placed = at === -1 ? undefined : typeOfPlace(segments[at]!, segments[at + 1]!)
  const type = given ?? placed
  if (!type) {
    throw new AppError('INVALID_INPUT', `unknown type of \`${path}\`: it is not below an \`.ai/\` folder`, {
      hint: 'give it with --type T',
    })
  }
  const isFolderItem = workspace.extractors.get(type)?.itemFile !== null
  const below = placed === type ? segments.slice(at + 2) : [segments.at(-1)!]
  const id =
    isFolderItem && below.length > 1 ? below.slice(0, -1).join('/') : below.join('/').replace(/\.[^./]+$/, '')
  return {
    type,
    id: isFolderItem && below.length === 1 ? nameOf(segments.at(-2) ?? id) : id,
    // The folder that holds its `.ai/`.
    ...(placed === type && { holder: segments.slice(0, at).join(sep) || sep }),
  }
}

function ofType(entries: ResolvedEntry<ItemFile>[], type: SignedType | undefined): ResolvedEntry<ItemFile>[] {
  return type ? entries.filter(({ entry }) => entry.type === type) : entries
}
