// Bundles with the items that their manifests list. Bundles of others, made without such a list, are not among them.
import { AppError } from '../../base/index.ts'
import { type ListedItem, type OpenedRegistry, readListedItems } from '../../registry/index.ts'
import { findBundles } from './search.ts'

export interface ListedBundle {
  readonly package: string
  readonly version: string
  readonly items: readonly ListedItem[]
}

/** How many manifests one search reads, of bundles that have the words and of others. */
const MOST_READ = 20

/** A registry knows the words of packages, not those of the items in them: bundles without the words are looked at, too. */
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

/** One bundle with a list that nobody could read does not hide the others. */
function unlessTooLarge(thrown: unknown): undefined {
  if (!(thrown instanceof AppError && thrown.code === 'OUTPUT_TOO_LARGE')) throw thrown
}
