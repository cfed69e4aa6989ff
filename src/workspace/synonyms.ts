// The synonyms of the project and the user: `.ai/config/search/synonyms.yaml`, which is used only if its
// signature is trusted.
import { AppError } from '../base/index.ts'
import { OWN_SPACES } from '../item/index.ts'
import { locate } from '../scan/index.ts'
import { joinSynonyms, type ReadSynonyms, readSynonyms, type Synonyms } from '../search/index.ts'
import type { Workspace } from './types.ts'

export const SYNONYMS_ID = 'search/synonyms'

const MOST_BYTES = 65_536
/** Number of cached files, by digest: one per project, and the user's. */
const CACHED = 64

export interface LibrarySynonyms {
  readonly synonyms: Synonyms
  /** What is left out, and why. */
  readonly warnings: readonly string[]
}

export async function librarySynonyms(workspace: Workspace): Promise<LibrarySynonyms> {
  const read: ReadSynonyms[] = []
  const warnings: string[] = []
  for (const space of OWN_SPACES.filter(own => workspace.spaces.includes(own))) {
    if (space === 'system') continue
    const roots = workspace.roots.filter(root => root.type === 'config' && root.space === space)
    const found = locate(roots, workspace.extractors, { type: 'config', id: SYNONYMS_ID, space }).found[0]
    if (!found) continue
    try {
      const { synonyms, problems } = await readVerified(workspace, found)
      read.push({ synonyms, problems })
      if (problems.length > 0)
        warnings.push(
          `\`config:${SYNONYMS_ID}@${space}\` is used in part: ${problems[0]}${more(problems.length - 1)}`,
        )
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      warnings.push(`synonyms of the ${space} are not used: ${thrown.message}`)
    }
  }
  return { synonyms: joinSynonyms(read.map(({ synonyms }) => synonyms)), warnings }
}

function more(count: number): string {
  return count > 0 ? ` (and ${count} more)` : ''
}

async function readVerified(
  workspace: Workspace,
  found: Parameters<Workspace['read']>[0],
): Promise<ReadSynonyms> {
  const item = await workspace.permit(workspace.read(found))
  if (item.bytes.length > MOST_BYTES)
    throw new AppError(
      'CONFIG_INVALID',
      `\`config:${SYNONYMS_ID}\`: expected at most ${MOST_BYTES} bytes, got ${item.bytes.length}`,
    )
  const { files } = await workspace.library.keep('synonyms', () => ({
    files: new Map<string, ReadSynonyms>(),
    close: () => {},
  }))
  const known = files.get(item.digest)
  if (known) return known
  const read = readSynonyms((await item.parse()).metadata)
  if (files.size >= CACHED) files.clear()
  files.set(item.digest, read)
  return read
}
