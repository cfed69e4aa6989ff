// Outputs that were too long for an answer, kept whole in `.ai/state/outputs/` for who wants to read on. Only so many are kept: the
// oldest goes first. They are a convenience, never evidence: whoever can write to the project can change them.
import { randomBytes } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { atomicWrite, makeStateFolder, readFile, removeFile } from '../files/index.ts'

/** How many are kept, and how many bytes of them; the newest is kept in any case. */
const MOST_OUTPUTS = 50
const MOST_BYTES = 64 * 1024 * 1024
/** Longer than what a run may write. */
const LONGEST = 128 * 1024 * 1024
const NAME = /^([0-9a-f]{24})\.txt$/

/** Keeps a text, and returns its id. Throws `WRITE_FAILED`. */
export function keepOutput(projectPath: string, text: string): string {
  makeStateFolder(projectPath)
  const id = randomBytes(12).toString('hex')
  atomicWrite(pathOf(projectPath, id), text, { root: projectPath, mode: 0o600, folderMode: 0o700 })
  removeOldest(projectPath, id)
  return id
}

/** Undefined if there is none of this id, or no longer. */
export function readOutput(projectPath: string, id: string): Buffer | undefined {
  if (!NAME.test(`${id}.txt`)) return undefined
  return readFile(pathOf(projectPath, id), { root: projectPath, maxBytes: LONGEST })?.bytes
}

function removeOldest(projectPath: string, newest: string): void {
  const kept = listOutputs(projectPath).sort((a, b) => b.time - a.time)
  let [count, bytes] = [0, 0]
  for (const { id, size } of kept) {
    count++
    bytes += size
    if (id === newest || (count <= MOST_OUTPUTS && bytes <= MOST_BYTES)) continue
    removeFile(pathOf(projectPath, id), { root: projectPath })
  }
}

function listOutputs(projectPath: string): { id: string; size: number; time: number }[] {
  const folder = join(projectPath, ...FOLDER)
  return readdirSync(folder).flatMap(name => {
    const id = NAME.exec(name)?.[1]
    const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
    return id === undefined || !stat?.isFile() ? [] : [{ id, size: stat.size, time: stat.mtimeMs }]
  })
}

const FOLDER = ['.ai', 'state', 'outputs']

function pathOf(projectPath: string, id: string): string {
  return join(projectPath, ...FOLDER, `${id}.txt`)
}
