// Opens the Lance table of an action, with the embeddings of the user's settings: those of a provider or of
// the built-in model.

import { localTexts, providedTexts, type TextEmbedder } from '../../search/index.ts'
import { openSkillTable, type SkillTable } from '../../skills/index.ts'
import { type Library, readMeaning, SEARCH_MS } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { emptyText, resolvePath } from '../definition/resolve-path.ts'

export interface TableUse {
  readonly use: 'search' | 'write'
  /** A stamp of the trust under which rows are made. */
  readonly trust?: string
}

export async function openSkills(
  context: ActionContext,
  uri: string,
  { use, trust = '' }: TableUse,
): Promise<SkillTable> {
  const { library, directory } = context
  // Writing a table may wait longer for a batch of embeddings than a search may.
  const embedder = await textEmbedder(library, use === 'search' ? { timeoutMs: SEARCH_MS } : {})
  return openSkillTable({
    uri: resolveUri(context, uri),
    directory,
    trust,
    // A table opened for search outlives the call.
    signal: use === 'write' ? context.signal : undefined,
    ...(embedder && { embedder }),
  })
}

async function textEmbedder(
  library: Library,
  limits: { readonly timeoutMs?: number },
): Promise<TextEmbedder | undefined> {
  const { provider, builtIn } = await readMeaning(library, limits)
  if (provider) return providedTexts(provider)
  const embedder = builtIn?.().embedder
  return embedder && localTexts(embedder)
}

/**
 * Makes a directory absolute and leaves an address as it is. Throws `INVALID_INPUT` for an empty one, which
 * would mean the current directory.
 */
export function resolveUri(context: ActionContext, uri: string): string {
  if (uri.trim() === '') throw emptyText('a directory or an address of a table')
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(uri) ? uri : resolvePath(context, uri)
}
