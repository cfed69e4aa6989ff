// The Lance table of an action, with the embeddings of the user's settings: a provider's, or those of the built-in model.

import { localTexts, providedTexts, type TextEmbedder } from '../../search/index.ts'
import { openSkillTable, type SkillTable } from '../../skills/index.ts'
import { type Library, readMeaning, SEARCH_MS } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { emptyText, resolvePath } from '../definition/resolve-path.ts'

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
  // Whoever writes a table waits longer for a batch of texts than a searcher waits for one.
  const embedder = await textEmbedder(library, use === 'search' ? { timeoutMs: SEARCH_MS } : {})
  return openSkillTable({
    uri: resolveUri(context, uri),
    directory,
    trust,
    // A table that is searched outlives the call.
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

/** A directory as an absolute path, an address as it is. Throws `INVALID_INPUT` for an empty one, which would be the current directory. */
export function resolveUri(context: ActionContext, uri: string): string {
  if (uri.trim() === '') throw emptyText('a directory or an address of a table')
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(uri) ? uri : resolvePath(context, uri)
}
