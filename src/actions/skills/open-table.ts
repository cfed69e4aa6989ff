// The Lance table of an action, with the user's embeddings when there are any.
import { openSkillTable, type SkillTable } from '../../skills/index.ts'
import { userEmbedder } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'

/** Whoever writes a table waits longer for a batch of texts than a searcher waits for one. */
const WRITE_MS = 60_000

export async function openSkills(
  { library }: ActionContext,
  uri: string,
  use: 'search' | 'write',
): Promise<SkillTable> {
  const embedder = await userEmbedder(library, use === 'write' ? { timeoutMs: WRITE_MS } : {})
  return openSkillTable({ uri, ...(embedder && { embedder }) })
}
