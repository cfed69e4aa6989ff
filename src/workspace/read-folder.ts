// Every file of a folder item, read together. A link, a device or a file that is too large makes the whole folder unusable:
// what cannot be read cannot be verified. No name is left out: Python runs a planted `__pycache__` in place of the script beside it.
import { dirname } from 'node:path'
import { AppError, sha256Hex } from '../base/index.ts'
import { readFile } from '../files/index.ts'
import { type ItemFile, WALK_LIMITS, walk } from '../scan/index.ts'

const FOLDER_BYTES = 16 * 1024 * 1024

/** Path below the folder → bytes. */
export function readFolder(file: ItemFile): Map<string, Uint8Array> {
  const folder = dirname(file.path)
  const walked = walk(folder, { everything: true, root: file.base })
  const wrong = walked.skipped[0]
  if (wrong)
    throw new AppError('ITEM_MALFORMED', `\`${wrong.path}\` cannot be part of a skill: ${wrong.message}`)
  const total = walked.files.reduce((sum, entry) => sum + entry.size, 0)
  if (total > FOLDER_BYTES) {
    throw new AppError(
      'FILE_TOO_LARGE',
      `expected at most ${FOLDER_BYTES} bytes in \`${folder}\`, got ${total}`,
    )
  }
  const parts = new Map<string, Uint8Array>()
  for (const entry of walked.files) {
    const read = readFile(`${folder}/${entry.path}`, { maxBytes: WALK_LIMITS.fileBytes, root: file.base })
    if (!read)
      throw new AppError('FILE_UNREADABLE', `\`${folder}/${entry.path}\` was removed while it was read`)
    parts.set(entry.path, read.bytes)
  }
  return parts
}

/** Of every file of a folder item, by name. */
export function digestParts(parts: ReadonlyMap<string, Uint8Array>): string {
  return sha256Hex([...parts].map(([path, bytes]) => `${sha256Hex(bytes)} ${path}\n`).join(''))
}
