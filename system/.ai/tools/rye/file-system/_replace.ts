// Putting a new file in the place of an old one in one step, so that it is never half written.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { type Folder, inFolder, type Place, Refused, seeEntry } from './_inside.ts'

/** `known` is the old file as it was seen, if there was one: it must still be that one. */
export function replaceFile({ root, steps }: Place, data: Uint8Array, known: Stats | undefined): void {
  const name = steps.at(-1)!
  const temporary = `.${randomBytes(8).toString('hex')}.tmp`
  const replace = (folder: Folder) => {
    const { O_WRONLY, O_CREAT, O_EXCL } = constants
    const file = openSync(folder.at(temporary), O_WRONLY | O_CREAT | O_EXCL, 0o666)
    try {
      try {
        if (known !== undefined) fchmodSync(file, known.mode & 0o7777)
        writeFileSync(file, data)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      if (identityOf(seeEntry(folder, name)) !== identityOf(known))
        throw new Refused(`\`${steps.join('/')}\` changed meanwhile: read it again`)
      renameSync(folder.at(temporary), folder.at(name))
    } catch (thrown) {
      unlinkSync(folder.at(temporary))
      throw thrown
    }
    fsyncSync(folder.descriptor)
  }
  inFolder(root, steps.slice(0, -1), replace, { create: true })
}

/** What changes when a file is replaced or written to. */
function identityOf(seen: Stats | undefined): string {
  return seen === undefined ? '' : `${seen.ino} ${seen.size} ${seen.mtimeMs} ${seen.ctimeMs}`
}
