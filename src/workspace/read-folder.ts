// Every file of a folder item, read together. A device or a file that is too large makes the whole folder unusable: what cannot be
// read cannot be verified. A symbolic link is no part of it: it is neither signed, nor copied, nor served, and whoever uses the
// folder is told. No name is left out: Python runs a planted `__pycache__` in place of the script beside it.
import { dirname } from 'node:path'
import { AppError, sha256Hex } from '../base/index.ts'
import { readFile } from '../files/index.ts'
import { type ItemFile, WALK_LIMITS, walk } from '../scan/index.ts'

const FOLDER_BYTES = 16 * 1024 * 1024

export interface LeftOut {
  /** Below the folder. */
  readonly path: string
  readonly message: string
}

export interface FolderParts {
  /** Path below the folder → bytes. */
  readonly parts: Map<string, Uint8Array>
  readonly leftOut: readonly LeftOut[]
}

export function readFolder(file: Pick<ItemFile, 'path' | 'base'>): FolderParts {
  const folder = dirname(file.path)
  const walked = walk(folder, { everything: true, root: file.base })
  const wrong = walked.skipped.find(({ reason }) => reason !== 'symbolic-link')
  if (wrong)
    throw new AppError('ITEM_MALFORMED', `\`${wrong.path}\` cannot be part of a skill: ${wrong.message}`)
  const total = walked.files.reduce((sum, entry) => sum + entry.size, 0)
  checkSize(folder, total)
  const parts = readParts(
    file,
    walked.files.map(({ path }) => path),
  )
  const leftOut = walked.skipped.map(({ path, message }) => ({
    path: path.slice(folder.length + 1),
    message: `${message}: it is no part of the skill`,
  }))
  return { parts, leftOut }
}

/** The same of a folder that was just listed: it is not walked again. */
export function readListed({ parts, size, ...file }: ItemFile): Map<string, Uint8Array> {
  if (parts === undefined) return readFolder(file).parts
  checkSize(dirname(file.path), size)
  return readParts(file, parts)
}

function checkSize(folder: string, bytes: number): void {
  if (bytes <= FOLDER_BYTES) return
  throw new AppError(
    'FILE_TOO_LARGE',
    `expected at most ${FOLDER_BYTES} bytes in \`${folder}\`, got ${bytes}`,
  )
}

function readParts(
  { path, base }: Pick<ItemFile, 'path' | 'base'>,
  names: readonly string[],
): Map<string, Uint8Array> {
  const folder = dirname(path)
  const parts = new Map<string, Uint8Array>()
  for (const name of names) {
    const read = readFile(`${folder}/${name}`, { maxBytes: WALK_LIMITS.fileBytes, root: base })
    if (!read) throw new AppError('FILE_UNREADABLE', `\`${folder}/${name}\` was removed while it was read`)
    parts.set(name, read.bytes)
  }
  return parts
}

/** Of every file of a folder item, by name. */
export function digestParts(parts: ReadonlyMap<string, Uint8Array>): string {
  return sha256Hex([...parts].map(([path, bytes]) => `${sha256Hex(bytes)} ${path}\n`).join(''))
}
