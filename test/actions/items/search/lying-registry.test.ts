// A registry that answers anything, beside a local search: it spoils neither the local answer nor another
// search.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { until } from '../../../fixtures/patience.ts'
import { knowledge, scratch } from '../../../workspace/scratch.ts'

const found = (...packages: object[]) => ({
  objects: packages.map(named => ({ package: { keywords: ['rye-bundle'], ...named } })),
})
const listing = (...ids: string[]) => ({
  rye: { items: ids.map(id => ({ type: 'knowledge', id, description: `About ${id}` })) },
})

/** A project with one item, and a registry that answers by path; with or without words it is one path, unless `PATH?tea` is there. */
async function beside(answers: Record<string, object | string>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!
    asked.push(path)
    const answer = (request.url!.includes('tea') ? answers[`${path}?tea`] : undefined) ?? answers[path]
    if (answer === undefined) response.writeHead(404).end('{}')
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const made = await scratch({ '.ai/knowledge/tea.md': knowledge('tea'), 'user:.npmrc': `registry=${url}\n` })
  await made.sign('knowledge:tea')
  const search = (more = {}) =>
    made.run('search', { query: 'tea', item_type: 'knowledge', source: 'all', ...more })
  /** Once the registry has answered. */
  const settled = async (more = {}) => {
    let answer = await search(more)
    await until(async () => {
      if (answer.warning?.includes('not answered yet')) answer = await search(more)
      return !answer.warning?.includes('not answered yet')
    })
    return answer
  }
  return { asked, settled }
}

it('is not asked for what cannot be a package, and neither fails nor leads the search elsewhere', async () => {
  const names = ['https:[', 'https:localhost:1/x', 'a/b/../../-/whoami', '..', '', 'k\u001b[31m', null, {}]
  const { asked, settled } = await beside({
    '/-/v1/search': found(
      ...names.map(name => ({ name, version: '1.0.0' })),
      { name: 'odd', version: '..' },
      { name: 'good', version: '1.0.0' },
    ),
    '/odd/latest': listing('odd/tea'),
    '/good/1.0.0': listing('good/tea'),
  })
  const answer = await settled()
  expect(answer).not.toHaveProperty('warning')
  expect(answer.results).toMatchObject([
    { id: 'tea', source: 'project' },
    { id: 'good/tea', source: 'registry', package: 'good@1.0.0' },
    { id: 'odd/tea', source: 'registry', package: 'odd' },
  ])
  expect([...new Set(asked)].sort()).toEqual(['/-/v1/search', '/good/1.0.0', '/odd/latest'])
})

it('is not read further than a list of items needs, and a list that is too long hides no other', async () => {
  const long = JSON.stringify({ ...listing('long/tea'), pad: 'x'.repeat(1_000_000) })
  const packages = found({ name: 'long', version: '1.0.0' }, { name: 'good', version: '1.0.0' })
  const one = await beside({
    '/-/v1/search': packages,
    '/long/1.0.0': long,
    '/good/1.0.0': listing('good/tea'),
  })
  expect((await one.settled()).results).toMatchObject([{ id: 'tea' }, { id: 'good/tea' }])
  const other = await beside({ '/-/v1/search': JSON.stringify({ ...packages, pad: 'x'.repeat(4_000_000) }) })
  expect(await other.settled()).toMatchObject({
    results: [{ id: 'tea' }],
    warning: expect.stringContaining('the registry was left out: the answer exceeds 4000000 bytes'),
  })
})

it('has the lists of all bundles searched, whatever package is called like the words', async () => {
  const { settled } = await beside({
    '/-/v1/search?tea': found({ name: 'tea-pack', version: '1.0.0' }),
    '/-/v1/search': found({ name: 'tea-pack', version: '1.0.0' }, { name: 'good', version: '1.0.0' }),
    '/tea-pack/1.0.0': listing('pack/coffee'),
    '/good/1.0.0': listing('good/tea'),
  })
  const { results } = await settled()
  expect(results).toContainEqual(expect.objectContaining({ id: 'good/tea', package: 'good@1.0.0' }))
})

it('has many bundles asked at once, without a word of Node about it', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const names = Array.from({ length: 20 }, (_, at) => `many-${at}`)
  const { settled } = await beside({
    '/-/v1/search': found(...names.map(name => ({ name, version: '1.0.0' }))),
    ...Object.fromEntries(names.map(name => [`/${name}/1.0.0`, listing(`${name}/tea`)])),
  })
  expect(await settled({ limit: 100 })).toMatchObject({ total: 21 })
  expect(warn).not.toHaveBeenCalled()
})

it('tells one search nothing of what another asked', async () => {
  const { settled } = await beside({
    '/-/v1/search': found({ name: 'good', version: '1.0.0' }),
    '/good/1.0.0': listing('good/tea'),
  })
  expect((await settled({ tags: ['hot'] })).warning).toContain('ignored there: `tags`')
  expect(await settled()).not.toHaveProperty('warning')
})

it('has its hits on pages after the local ones, and a page behind all of them says so', async () => {
  const { settled } = await beside({
    '/-/v1/search': found({ name: 'good', version: '1.0.0' }),
    '/good/1.0.0': listing('good/tea', 'good/tea-pot', 'good/coffee'),
  })
  const ids = async (offset: number) =>
    (await settled({ limit: 2, offset })).results.map(({ id }: { id: string }) => id)
  expect([await ids(0), await ids(2), await ids(4)]).toEqual([['tea', 'good/tea'], ['good/tea-pot'], []])
  const only = { query: 'pot', item_type: 'knowledge', offset: 5 }
  expect(await settled(only)).toMatchObject({ results: [], total: 1 })
  expect(await settled(only)).not.toHaveProperty('hint')
})
