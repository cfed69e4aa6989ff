// Prepares a skill for the Skills extension of MCP (SEP-2640): its entry and its files. The SDK's own rules
// decide whether every client can take it as it is. If not, or if clients would read something else than we
// do, its front matter is adapted, and the rules decide again.
import type { Skill } from '@modelcontextprotocol/server/ext/skills'
import { AppError, escapeHidden, lazy, sha256Hex } from '../../base/index.ts'
import { mainFileOf, SKILL_FILE } from '../read/structure.ts'
import { type AdaptedFile, adaptFrontMatter } from './adapt-front-matter.ts'

export interface ServedSkill {
  readonly entry: Skill
  /** Path below the folder → bytes, as they are served. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Front matter fields that are not served as written. Undefined when the file is served unchanged. */
  readonly adapted: readonly string[] | undefined
}

const NOTHING = new Uint8Array()
const CLIENT_NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/

const sdk = lazy(() => import('@modelcontextprotocol/server/ext/skills'))

/**
 * Throws `FILE_TOO_LARGE` or `VALIDATION_FAILED` with the reason why some client could not take it. `digests`
 * has known digests (path → hexadecimal SHA-256), which are not computed again.
 */
export async function serveSkill(
  id: string,
  parts: ReadonlyMap<string, Uint8Array>,
  digests: ReadonlyMap<string, string> = new Map(),
): Promise<ServedSkill> {
  const { SKILL_LIMITS } = await sdk()
  if (parts.size > SKILL_LIMITS.files) {
    throw new AppError(
      'FILE_TOO_LARGE',
      `expected at most ${SKILL_LIMITS.files} files in a served skill, got ${parts.size} in \`${id}\``,
    )
  }
  const main = mainFileOf({ files: parts })
  const asWritten = main === SKILL_FILE ? await tryEntry(id, parts, digests) : undefined
  const name = id.slice(id.lastIndexOf('/') + 1)
  const bytes = parts.get(main)
  const changed = bytes && (await adaptFrontMatter(bytes, name))
  if (!changed)
    throw refused(id, typeof asWritten === 'string' ? asWritten : `no \`${SKILL_FILE}\`, or it is not text`)
  if (typeof asWritten === 'object' && isReadAlike(asWritten, changed))
    return { entry: asWritten, files: parts, adapted: undefined }
  const files = new Map(parts)
  files.delete(main)
  files.set(SKILL_FILE, changed.bytes)
  const known = new Map([...digests].filter(([path]) => path !== main && path !== SKILL_FILE))
  const entry = await tryEntry(id, files, known)
  if (typeof entry === 'string') throw refused(id, entry)
  return { entry, files, adapted: changed.fields }
}

/** Whether clients read the same from the file as signing, search and every other use here. */
function isReadAlike({ frontmatter }: Skill, { description, isWhole }: AdaptedFile): boolean {
  return isWhole && frontmatter.description.trim() === description
}

/** The entry, or what is wrong with the skill. */
async function tryEntry(
  id: string,
  files: ReadonlyMap<string, Uint8Array>,
  digests: ReadonlyMap<string, string>,
): Promise<Skill | string> {
  const { SkillCatalogError, skillEntry } = await sdk()
  // The rules need only the names and SKILL.md. Given the other files, the SDK would hash them again.
  const named = [...files].map(([path, bytes]) => [path, path === SKILL_FILE ? bytes : NOTHING])
  try {
    const entry = await skillEntry(id, Object.fromEntries(named))
    if (entry.resources === 'dynamic') throw new Error('unreachable: entries are made from files')
    const above = `skill://${id}/`.length
    const resources = entry.resources.map(({ uri }) => {
      const path = decodeURIComponent(uri.slice(above))
      const bytes = files.get(path)!
      return { uri, digest: `sha256:${digests.get(path) ?? sha256Hex(bytes)}`, size: bytes.length }
    })
    return { ...entry, resources }
  } catch (cause) {
    if (!(cause instanceof SkillCatalogError)) throw cause
    return cause.problems.map(problem => problem.message).join('; ')
  }
}

function refused(id: string, problems: string): AppError {
  const name = id.slice(id.lastIndexOf('/') + 1)
  // A skill is served under the name of its folder, so a problem with its name is a problem with that.
  const way = CLIENT_NAME.test(name)
    ? ''
    : `; rename the folder \`${name}\`: the skill is served under its name`
  const shown = escapeHidden(problems + way, { oneLine: true })
  return new AppError('VALIDATION_FAILED', `not every client can read the skill \`${id}\`: ${shown}`)
}
