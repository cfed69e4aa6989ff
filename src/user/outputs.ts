// Outputs that were too long for an answer, stored whole in `outputs/` of the project's state folder for
// reading on later. Their number is limited; the oldest goes first.
import { randomBytes } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { atomicWrite, readFile, removeFile } from '../files/index.ts'

/** Limits of number and total bytes; the newest is always kept. */
const MOST_OUTPUTS = 50
const MOST_BYTES = 64 * 1024 * 1024
/** More than a run may write. */
const LONGEST = 128 * 1024 * 1024
const NAME = /^([0-9a-f]{24})\.txt$/

/** Stores a text in a project's state folder, and returns its id. Throws `WRITE_FAILED`. */
export function keepOutput(stateFolder: string, text: string): string {
  const id = randomBytes(12).toString('hex')
  atomicWrite(pathOf(stateFolder, id), text, { root: stateFolder, mode: 0o600, folderMode: 0o700 })
  removeOldest(stateFolder, id)
  return id
}

/** Undefined when there is no output with this id, or not any more. */
export function readOutput(stateFolder: string, id: string): Buffer | undefined {
  if (!NAME.test(`${id}.txt`)) return undefined
  return readFile(pathOf(stateFolder, id), { root: stateFolder, maxBytes: LONGEST })?.bytes
}

function removeOldest(stateFolder: string, newest: string): void {
  const kept = listOutputs(stateFolder).sort((a, b) => b.time - a.time)
  let [count, bytes] = [0, 0]
  for (const { id, size } of kept) {
    count++
    bytes += size
    if (id === newest || (count <= MOST_OUTPUTS && bytes <= MOST_BYTES)) continue
    removeFile(pathOf(stateFolder, id), { root: stateFolder })
  }
}

function listOutputs(stateFolder: string): { id: string; size: number; time: number }[] {
  const folder = join(stateFolder, FOLDER)
  return readdirSync(folder).flatMap(name => {
    const id = NAME.exec(name)?.[1]
    const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
    return id === undefined || !stat?.isFile() ? [] : [{ id, size: stat.size, time: stat.mtimeMs }]
  })
}

const FOLDER = 'outputs'

function pathOf(stateFolder: string, id: string): string {
  return join(stateFolder, FOLDER, `${id}.txt`)
}
