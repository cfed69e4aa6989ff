// Warm-up searches for the words of item names, run while nobody is searching.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { warmSearch, wordsOf } from '../../../src/surfaces/ui/warm-search.ts'
import { type Library, openLibrary } from '../../../src/workspace/index.ts'
import { type LibrarySession, openSession } from '../../fixtures/library-session.ts'

let session: LibrarySession
let library: Library

beforeAll(async () => {
  session = await openSession()
  library = openLibrary({ environment: session.environment, caller: 'person', watches: true })
}, 60_000)
afterAll(async () => {
  await library?.close()
  await session?.close()
})

it('is the words of names, each once, the first of each name before the second', () => {
  const names = ['deploy_cluster-2', 'DeployToken', 'rotate_token', 'a-b', '']
  expect(wordsOf(names)).toEqual(['deploy', 'deploytoken', 'rotate', 'cluster', 'token'])
})

it('ends by itself, and with the signal', async () => {
  await expect(warmSearch(library, session.project, new AbortController().signal)).resolves.toBe(undefined)
  await expect(warmSearch(library, session.project, AbortSignal.abort())).resolves.toBe(undefined)
})

it('fails for nobody: of a project that is gone, too', async () => {
  const signal = new AbortController().signal
  await expect(warmSearch(library, `${session.outside}/gone`, signal)).resolves.toBe(undefined)
})
