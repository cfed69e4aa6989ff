// Bundles with the items that their manifests list. Bundles made by other programs without such a list are
// left out.
import { AppError } from '../../base/index.ts'
import { type ListedItem, type OpenedRegistry, readListedItems } from '../../registry/index.ts'
import { findBundles } from './search.ts'

export interface ListedBundle {
  readonly package: string
  readonly version: string
  readonly items: readonly ListedItem[]
}

/** How many manifests one search reads of bundles that match the words, and how many of others. */
const MOST_READ = 20

/**
 * A registry searches the words of packages, not of the items in them, so bundles without the words are read
 * too.
 */
export async function findListedBundles(
  registry: OpenedRegistry,
  words: readonly string[],
): Promise<ListedBundle[]> {
  const questions = [...new Set([words.join(' '), ''])]
  const found = await Promise.all(questions.map(question => findBundles(registry, question, MOST_READ)))
  const bundles = new Map(found.flat().map(bundle => [bundle.package, bundle]))
  const read = [...bundles.values()].map(async ({ package: name, version }): Promise<ListedBundle> => {
    const manifest = await registry.findManifest(name, version || 'latest').catch(unlessTooLarge)
    return { package: name, version, items: manifest ? readListedItems(manifest) : [] }
  })
  return (await Promise.all(read)).filter(({ items }) => items.length > 0)
}

/** One bundle whose list is too large to read does not hide the others. */
function unlessTooLarge(thrown: unknown): undefined {
  if (!(thrown instanceof AppError && thrown.code === 'OUTPUT_TOO_LARGE')) throw thrown
}
