// What `verify` is asked about: a reference, one file, or a tree with `.ai/` folders in it.
import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { AppError } from '../base/index.ts'
import {
  folderOf,
  ITEM_TYPES,
  idProblem,
  nameOf,
  parseRef,
  type SignedType,
  typeOfFolder,
} from '../item/index.ts'
import { type ItemFile, type ItemRoot, listItems } from '../scan/index.ts'
import { type ResolvedEntry, resolveSpaces } from '../space/index.ts'
import { joinRef, type Workspace } from '../workspace/index.ts'

const TYPES: readonly SignedType[] = [...ITEM_TYPES, 'config']
const SKIPPED = new Set(['node_modules', '.git', '__pycache__', '.venv'])
const MOST_FOLDERS = 200_000

export function collectSigned(
  workspace: Workspace,
  targets: readonly string[],
  type: SignedType | undefined,
): ResolvedEntry<ItemFile>[] {
  if (targets.length === 0) return ofType(everything(workspace), type)
  return targets.flatMap(target => {
    const path = resolve(workspace.projectPath, target)
    const stat = looksLikePath(target) ? lstatSync(path, { throwIfNoEntry: false }) : undefined
    if (stat?.isDirectory()) return ofType(inTree(workspace, path), type)
    if (stat) return [oneFile(workspace, path, type)]
    if (looksLikePath(target) && !isRef(target)) {
      throw new AppError('FILE_UNREADABLE', `no file or directory at \`${path}\``)
    }
    return [workspace.find(joinRef(parseRef(target), type, undefined))]
  })
}

/** An id that is also the name of a file here is read as an id; `./name` means the file. */
function looksLikePath(target: string): boolean {
  return (
    target.startsWith('.') || target.startsWith(sep) || idProblem(target) !== undefined || existsHere(target)
  )
}

function existsHere(target: string): boolean {
  return lstatSync(resolve(target), { throwIfNoEntry: false }) !== undefined
}

function isRef(target: string): boolean {
  try {
    parseRef(target)
    return true
  } catch {
    // Not a reference: then it was meant as a path.
    return false
  }
}

function everything(workspace: Workspace): ResolvedEntry<ItemFile>[] {
  return [...workspace.list(ITEM_TYPES).items]
}

function inTree(workspace: Workspace, folder: string): ResolvedEntry<ItemFile>[] {
  return aiFoldersIn(folder).flatMap(base => {
    const roots = TYPES.map(
      (type): ItemRoot => ({ type, space: 'project', base, segments: ['.ai', folderOf(type)], folder: 0 }),
    )
    const { items } = listItems(roots, workspace.extractors)
    const own = items.filter(item => !(item.type === 'config' && item.id.startsWith('keys/')))
    return [...resolveSpaces(own, workspace.extractors).items]
  })
}

/** Folders that hold an `.ai/`, the given one and those below; a path inside an `.ai/` means the whole of it. */
function aiFoldersIn(folder: string): string[] {
  const inside = folder.split(sep).indexOf('.ai')
  if (inside !== -1) return [folder.split(sep).slice(0, inside).join(sep) || sep]
  const found: string[] = []
  const pending = [folder]
  for (let seen = 0; pending.length > 0 && seen < MOST_FOLDERS; seen++) {
    const here = pending.pop()!
    for (const entry of foldersIn(here)) {
      if (entry.name === '.ai') found.push(here)
      else if (!SKIPPED.has(entry.name)) pending.push(join(here, entry.name))
    }
  }
  return found.sort()
}

function foldersIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  } catch (cause) {
    throw new AppError('FILE_UNREADABLE', `cannot read the directory \`${folder}\``, { cause })
  }
}

function oneFile(workspace: Workspace, path: string, given: SignedType | undefined): ResolvedEntry<ItemFile> {
  const { type, id } = identify(workspace, path, given)
  const stat = lstatSync(path)
  const dot = path.lastIndexOf('.')
  const entry: ItemFile = {
    type,
    id,
    space: 'project',
    path,
    extension: dot === -1 ? '' : path.slice(dot),
    folder: 0,
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    inode: stat.ino,
  }
  if (!workspace.extractors.get(type)?.extensions.includes(entry.extension)) {
    throw new AppError('INVALID_INPUT', `expected a file of type ${type}, got \`${path}\``)
  }
  return { entry, shadows: [], shadowedBy: null }
}

/** Type and id from the place below `.ai/`; elsewhere the type must be given, and the name is the id. */
export function identify(
  workspace: Workspace,
  path: string,
  given: SignedType | undefined,
): { type: SignedType; id: string } {
  const segments = path.split(sep)
  const ai = segments.lastIndexOf('.ai')
  const placed = ai === -1 ? undefined : typeOfFolder(segments[ai + 1] ?? '')
  const type = given ?? placed
  if (!type) {
    throw new AppError(
      'INVALID_INPUT',
      `the type of \`${path}\` is not known: it does not lie below an \`.ai/\` folder`,
      {
        hint: 'name it with --type T',
      },
    )
  }
  const isFolderItem = workspace.extractors.get(type)?.itemFile !== null
  const below = placed === type ? segments.slice(ai + 2) : [segments.at(-1)!]
  const id =
    isFolderItem && below.length > 1 ? below.slice(0, -1).join('/') : below.join('/').replace(/\.[^./]+$/, '')
  return { type, id: isFolderItem && below.length === 1 ? nameOf(segments.at(-2) ?? id) : id }
}

function ofType(entries: ResolvedEntry<ItemFile>[], type: SignedType | undefined): ResolvedEntry<ItemFile>[] {
  return type ? entries.filter(({ entry }) => entry.type === type) : entries
}
