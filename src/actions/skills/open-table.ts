// The Lance table of an action, with the user's embeddings when there are any.
import { openSkillTable, type SkillTable } from '../../skills/index.ts'
import { userEmbedder } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { resolvePath } from '../definition/resolve-path.ts'

/** Whoever writes a table waits longer for a batch of texts than a searcher waits for one. */
const WRITE_MS = 60_000

export interface TableUse {
  readonly use: 'search' | 'write'
  /** Under which trust rows are made. */
  readonly trust?: string
}

export async function openSkills(
  context: ActionContext,
  uri: string,
  { use, trust = '' }: TableUse,
): Promise<SkillTable> {
  const { library, directory } = context
  const embedder = await userEmbedder(library, use === 'write' ? { timeoutMs: WRITE_MS } : {})
  return openSkillTable({
    uri: resolveUri(context, uri),
    directory,
    trust,
    // A table that is searched outlives the call.
    signal: use === 'write' ? context.signal : undefined,
    ...(embedder && { embedder }),
  })
}

/** A directory as an absolute path, an address as it is. */
export function resolveUri(context: ActionContext, uri: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(uri) ? uri : resolvePath(context, uri)
}
