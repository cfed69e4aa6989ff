// A slow registry beside a local search.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { readInput } from '../../../../src/actions/definition/read-input.ts'
import { findAction } from '../../../../src/actions/table.ts'
import { until } from '../../../fixtures/patience.ts'
import { knowledge, scratch } from '../../../workspace/scratch.ts'

/** Answers nothing until told to. */
async function startSlowRegistry() {
  const waiting: (() => void)[] = []
  let isQuick = false
  const answer = (response: ServerResponse, path: string) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(path.startsWith('/-/') ? FOUND : MANIFEST))
  const server = createServer((request, response) => {
    const send = () => answer(response, request.url ?? '')
    if (isQuick) send()
    else waiting.push(send)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const release = () => {
    isQuick = true
    for (const send of waiting.splice(0)) send()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, waiting, release }
}

const NAMED = { name: 'kitchen', version: '1.0.0', keywords: ['rye-bundle'] }
const FOUND = { objects: [{ package: NAMED }], total: 1 }
const MANIFEST = {
  ...NAMED,
  rye: { items: [{ type: 'knowledge', id: 'team/tea', description: 'About tea', version: '1.0.0' }] },
}

it('a local answer does not wait for it, and what it says later is there the next time', async () => {
  const registry = await startSlowRegistry()
  const made = await scratch({
    '.ai/knowledge/tea.md': knowledge('tea'),
    'user:.npmrc': `registry=${registry.url}\n`,
    'user:.ai/config/rye.toml': '[search]\nregistry = "ask"\n',
  })
  await made.sign('knowledge:tea')
  const search = () => made.run('search', { query: 'tea', item_type: 'knowledge' })
  const first = await search()
  expect(first.results).toMatchObject([{ id: 'tea', source: 'project' }])
  expect(first.warning).toContain('the registry has not answered yet')
  await until(() => registry.waiting.length > 0)
  registry.release()
  await until(async () => (await search()).results.length === 2)
  const later = await search()
  expect(later.results).toMatchObject([{ id: 'tea' }, { id: 'team/tea', source: 'registry' }])
  expect(later).not.toHaveProperty('warning')
})

it('is asked where a call names everything, and not where the user has turned that off', async () => {
  const registry = await startSlowRegistry()
  const made = await scratch({
    '.ai/knowledge/tea.md': knowledge('tea'),
    'user:.npmrc': `registry=${registry.url}\n`,
  })
  await made.sign('knowledge:tea')
  const search = (more: object) => made.run('search', { query: 'tea', item_type: 'knowledge', ...more })
  const plain = await search({})
  expect(plain).toMatchObject({ space: 'all', total: 1 })
  expect(plain).not.toHaveProperty('warning')
  expect((await search({ source: 'all', trusted: true })).warning).toBeUndefined()
  const fetched = await made.run('fetch', { query: 'tea', scope: 'knowledge' })
  expect(fetched).not.toHaveProperty('warning')
  expect(registry.waiting).toHaveLength(0)
  made.write('user:.ai/config/rye.toml', '[search]\nregistry = "off"\n')
  expect((await search({ source: 'all' })).warning).toBeUndefined()
  expect(registry.waiting).toHaveLength(0)
  made.write('user:.ai/config/rye.toml', '[search]\nregistry = "named"\n')
  expect((await search({ source: 'all' })).warning).toContain('the registry has not answered yet')
  await until(() => registry.waiting.length > 0)
  registry.release()
  const everywhere = { query: 'tea', scope: 'knowledge', source: 'all' }
  await until(async () => (await made.run('fetch', everywhere)).results.length === 2)
})

it('is not waited for at the end, either', async () => {
  const registry = await startSlowRegistry()
  const made = await scratch({
    'user:.npmrc': `registry=${registry.url}\n`,
    'user:.ai/config/rye.toml': '[search]\nregistry = "ask"\n',
  })
  await made.run('search', { query: 'tea' })
  await until(() => registry.waiting.length > 0)
  await made.library.close()
})

it('is waited for by a person who has the local answer already', async () => {
  const registry = await startSlowRegistry()
  const made = await scratch({
    '.ai/knowledge/tea.md': knowledge('tea'),
    'user:.npmrc': `registry=${registry.url}\n`,
  })
  await made.sign('knowledge:tea')
  const shown: object[] = []
  const action = await findAction('search')!.load()
  const input = readInput(
    action.fields,
    { query: 'tea', source: 'all', project_path: made.project },
    'person',
  )
  const search = (signal: AbortSignal) =>
    action.run(
      {
        ...{ library: made.library, caller: 'person', onProgress: () => {}, onNote: () => {}, signal },
        showFirst: answer => void shown.push(answer),
      },
      input,
    )
  const stopped = new AbortController()
  const given = search(stopped.signal)
  await until(() => shown.length === 1 && registry.waiting.length > 0)
  expect(shown).toMatchObject([{ results: [{ id: 'tea', source: 'project' }], total: 1 }])
  expect(shown[0]).not.toHaveProperty('warning')
  stopped.abort()
  expect(await given).toMatchObject({ warning: 'the registry was left out: the call was cancelled' })
  const asked = search(new AbortController().signal)
  await until(() => shown.length === 2)
  registry.release()
  expect(await asked).toMatchObject({ results: [{ id: 'team/tea', source: 'registry' }], total: 1 })
})
