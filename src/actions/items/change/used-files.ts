// Files beside a tool that it imports or reads. They are not part of it, since other tools may use them too.
import { readdirSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { AppError, escapePattern, systemErrorCode } from '../../../base/index.ts'
import { readFile } from '../../../files/index.ts'
import { WALK_LIMITS } from '../../../scan/index.ts'
import type { OpenedItem } from '../../../workspace/index.ts'

export interface UsedFile {
  readonly path: string
  /** Names of other files in the folder that use it too. */
  readonly also_used_by: readonly string[]
}

/** Files in a tool's folder whose names it mentions where it imports, requires or sources something. */
export function usedFiles({ file, bytes }: OpenedItem): UsedFile[] {
  if (file.type !== 'tool') return []
  const folder = dirname(file.path)
  const own = Buffer.from(bytes).toString('utf8')
  const names = namesIn(folder).filter(name => name !== basename(file.path) && !name.endsWith('.sig'))
  return names.flatMap(name => {
    const pattern = importOf(name)
    if (!pattern.test(own)) return []
    const also_used_by = names.filter(
      other => other !== name && pattern.test(textOf(join(folder, other), file.base)),
    )
    return { path: join(folder, name), also_used_by }
  })
}

/** `from ._lib import x`, `import './_lib.ts'`, `require("./_lib")`, `. "$dir/_lib.sh"`. */
function importOf(name: string): RegExp {
  const stem = escapePattern(name.slice(0, name.length - extname(name).length))
  return new RegExp(
    `^.*\\b(?:from|import|require|source)\\b.*(?<![\\w-])${stem}(?![\\w-])|^\\s*\\. .*/${stem}(?![\\w-])`,
    'm',
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => entry.name)
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return []
  }
}

/** Empty when the file cannot be read: it is only a neighbour of the item that is moved or removed. */
function textOf(path: string, root: string): string {
  try {
    return readFile(path, { maxBytes: WALK_LIMITS.fileBytes, root })?.bytes.toString('utf8') ?? ''
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return ''
  }
}
