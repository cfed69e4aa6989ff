// Takes copies out of the folder of a client: a rename moves each copy aside as a whole, and it is deleted
// there. A run that is killed leaves either the whole copy or none; the next run deletes what was moved
// aside.
import { basename, join } from 'node:path'
import { makeAside, move, removeTree, syncMoves } from '../../files/index.ts'
import type { SkillPlace } from './place-skills.ts'

export interface Remover {
  /** Throws `WRITE_FAILED`. */
  take(path: string): void
  /** Writes the notes and deletes what was taken out. */
  close(): void
}

export function openRemover({ base, folder, notes }: SkillPlace): Remover {
  const root = { root: base }
  let aside: string | undefined
  return {
    take(path) {
      aside ??= makeAside(folder, root)
      move(path, join(aside, 'gone', basename(path)), root)
      notes.forget(path)
    },
    close() {
      if (aside === undefined) return
      syncMoves([folder], root)
      notes.save()
      removeTree(aside, root)
    },
  }
}
