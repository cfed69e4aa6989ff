// Every file of a folder item, read together. A device or a file that is too large makes the whole folder
// unusable: what cannot be read cannot be verified. A symbolic link is not part of the item: it is neither
// signed, copied nor served, and users of the folder are told. No name is left out, since Python runs a
// planted `__pycache__` in place of the script beside it.
import { dirname } from 'node:path'
import { AppError, sha256Hex } from '../base/index.ts'
import { type FileState, fileState, readFile, stateAt } from '../files/index.ts'
import { type ItemFile, WALK_LIMITS, walk } from '../scan/index.ts'
import { isMainFile } from '../skills/index.ts'
import { SKILL_SIGNATURE } from '../trust/index.ts'

const FOLDER_BYTES = 16 * 1024 * 1024

export interface LeftOut {
  /** Relative to the folder. */
  readonly path: string
  readonly message: string
}

export interface FolderParts {
  /** Path below the folder → bytes. */
  readonly parts: Map<string, Uint8Array>
  readonly leftOut: readonly LeftOut[]
  /**
   * States of the folder, its subfolders and its files: while they stay the same, reading again gives the
   * same. Empty when one is gone.
   */
  readonly seen: readonly SeenState[]
}

/** The state in which a file or folder was read. */
export interface SeenState extends FileState {
  /** Absolute. */
  readonly path: string
}

export function readFolder(file: Pick<ItemFile, 'path' | 'base'>): FolderParts {
  const folder = dirname(file.path)
  const own = stateAt(folder)
  const walked = walk(folder, { everything: true, root: file.base })
  const wrong = walked.skipped.find(({ reason }) => reason !== 'symbolic-link')
  if (wrong)
    throw new AppError('ITEM_MALFORMED', `\`${wrong.path}\` cannot be part of a skill: ${wrong.message}`, {
      hint: 'move it out of the folder of the skill, or make it smaller: what cannot be read cannot be verified',
    })
  const total = walked.files.reduce((sum, entry) => sum + entry.size, 0)
  checkSize(folder, total)
  const seen: SeenState[] = own ? [{ ...own, path: folder }] : []
  for (const { path, ...state } of walked.folders) seen.push({ ...state, path: `${folder}/${path}` })
  const names = walked.files.map(({ path }) => path)
  const parts = readParts(file, names, seen)
  const leftOut = walked.skipped.map(({ path, message }) => ({
    path: path.slice(folder.length + 1),
    message: `${message}: it is no part of the skill`,
  }))
  return { parts, leftOut, seen: own ? seen : [] }
}

/** The searched files of a folder that was just listed, without walking it again. */
export function readSearched({ parts, size, ...file }: ItemFile): Map<string, Uint8Array> {
  if (parts === undefined) return onlySearched(readFolder(file).parts)
  checkSize(dirname(file.path), size)
  return readParts(file, parts.filter(isSearched))
}

/** The files that the index is made from, and the signature, to tell whether there is one. */
export function onlySearched<Part>(parts: Iterable<readonly [path: string, part: Part]>): Map<string, Part> {
  return new Map([...parts].filter(([path]) => isSearched(path)))
}

/** Images, other programs and the like contain nothing to search, and are most of some skills. */
function isSearched(path: string): boolean {
  return path === SKILL_SIGNATURE || isMainFile(path) || /^(?:scripts\/.*\.py|references\/.*\.md)$/.test(path)
}

function checkSize(folder: string, bytes: number): void {
  if (bytes <= FOLDER_BYTES) return
  throw new AppError(
    'FILE_TOO_LARGE',
    `expected at most ${FOLDER_BYTES} bytes in \`${folder}\`, got ${bytes}`,
    {
      hint: 'move large files out of the folder of the skill: all of it is read and verified before each use',
    },
  )
}

function readParts(
  { path, base }: Pick<ItemFile, 'path' | 'base'>,
  names: readonly string[],
  seen: SeenState[] = [],
): Map<string, Uint8Array> {
  const folder = dirname(path)
  const parts = new Map<string, Uint8Array>()
  for (const name of names) {
    const read = readFile(`${folder}/${name}`, { maxBytes: WALK_LIMITS.fileBytes, root: base })
    if (!read) throw new AppError('FILE_UNREADABLE', `\`${folder}/${name}\` was removed while it was read`)
    parts.set(name, read.bytes)
    seen.push({ ...fileState(read.stat), path: `${folder}/${name}` })
  }
  return parts
}

/** One digest of all files of a folder item and their names. */
export function digestParts(parts: ReadonlyMap<string, Uint8Array>): string {
  return joinDigests([...parts].map(([path, bytes]) => [path, sha256Hex(bytes)]))
}

/** Like `digestParts`, from the digests of the files. */
export function joinDigests(digests: Iterable<readonly [path: string, digest: string]>): string {
  return sha256Hex(Array.from(digests, ([path, digest]) => `${digest} ${path}\n`).join(''))
}
