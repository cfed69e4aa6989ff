// A catalogue with the items of a signed library, and a user who has it as the shared space.
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import { signedLibrary } from '../../catalogue/library.ts'
import { type Answer, type Scratch, scratch } from '../../workspace/scratch.ts'

/** Who keeps the catalogue, and who uses it: another user on another machine, who trusts the same key. */
export let keeper: Scratch
export let user: Scratch
export let table: string

/** Makes both anew before each test of a file. */
export function useCatalogue(): void {
  beforeEach(async () => {
    keeper = await signedLibrary()
    table = join(keeper.root, 'catalogue')
    await keeper.run('catalogue sync', { table })
    user = await usersMachine()
  })
}

export async function usersMachine(settings = `catalogue = "${table}"\n`): Promise<Scratch> {
  const cache = join(keeper.root, `cache-${Math.random().toString(36).slice(2)}`)
  return scratch({ 'user:.ai/config/rye.toml': settings }, { environment: { XDG_CACHE_HOME: cache } })
}

export async function openRows() {
  const { connect } = await import('@lancedb/lancedb')
  return (await connect(table)).openTable('items')
}

/** Waits for the catalogue as long as it takes: a machine under test may be slow. */
export const search = (query: string, input: object = {}): Promise<Answer> =>
  user.run('search', { query, source: 'shared', ...input })
export const shared = (answer: Answer) =>
  answer.results.filter((result: Answer) => result.source === 'shared')
