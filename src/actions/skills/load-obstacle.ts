// Says why a folder could not be signed, loaded or run as a skill. Uses the code that reads and checks a
// skill when it is signed.
import { lstatSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { AppError, sha256Hex } from '../../base/index.ts'
import { fileState } from '../../files/index.ts'
import { digestSkill } from '../../trust/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { refuseConflict, validateForSigning } from '../items/sign/validate.ts'

type Reader = Pick<Workspace, 'read' | 'extractors'>

/** `main` is the name of its SKILL.md. */
export async function loadObstacle(view: Reader, folder: string, main: string): Promise<string | undefined> {
  const path = join(folder, main)
  try {
    const place = { type: 'skill', id: basename(folder), space: 'project', folder: 0 } as const
    const entry = { ...place, path, base: folder, extension: extname(main), ...fileState(lstatSync(path)) }
    const item = view.read({ entry, shadows: [], shadowedBy: null })
    refuseConflict(view, item)
    await validateForSigning(view, item)
    digestSkill(new Map([...item.parts].map(([name, bytes]) => [name, sha256Hex(bytes)])))
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const [issue] = Array.isArray(thrown.details.issues) ? thrown.details.issues : []
    return issue === undefined ? thrown.message : String(issue)
  }
}
