// Trust affects the order of results in the same way whether they are requested at once or in pages, and
// whoever wrote what looks like a signature.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, knowledge, type Scratch, scratch } from '../../../workspace/scratch.ts'

const WORDS = ['harbour', 'crane', 'restart', 'power', 'failure']
const COUNT = 90
const KINDS = ['signed', 'unsigned', 'tampered', 'tampered', 'unsigned'] as const
const kindOf = (number: number) => KINDS[(number * 7) % 5]!
const pathOf = (number: number) => `.ai/knowledge/n${number}.md`

let made: Scratch

beforeAll(async () => {
  made = await scratch({}, { shared: true })
  for (let number = 0; number < COUNT; number++) {
    // Some with equal words, so with equal scores, and some with the words of others several times.
    const words = WORDS.slice(number % 3, 2 + (number % 4)).join(' ')
    const body = Array.from({ length: 1 + (number % 5) }, () => words).join('. ')
    made.write(pathOf(number), knowledge(`n${number}`, { description: words, body }))
    if (kindOf(number) !== 'unsigned') await made.sign(`knowledge:n${number}`)
    if (kindOf(number) === 'tampered') made.write(pathOf(number), `${made.read(pathOf(number))}\n`)
  }
})
afterAll(() => made.close())

const search = async (input: object): Promise<Answer> => {
  const request = { item_type: 'knowledge', source: 'project', detail: 'full', ...input }
  const answer = await made.run('search', request)
  expect(answer).not.toHaveProperty('error')
  return answer
}
const idsOf = ({ results }: Answer): string[] => results.map(({ id }: Answer) => id)

describe.each(['show', 'hide'])('pages of results, where what is unverified is to %s', unverified => {
  beforeAll(() => made.write('user:.ai/config/rye.toml', `[search]\nunverified = "${unverified}"\n`))

  it.each([
    ['harbour crane', {}],
    ['restart power failure', {}],
    ['restart the crane after a failure of power', {}],
    ['crane OR power', {}],
    ['crane', { match: 'any' }],
    ['crane', { sort_by: 'name' }],
  ])('are those of all of them, for `%s` with %j', async (query, more) => {
    const whole = await search({ query, limit: 100, ...more })
    const all = idsOf(whole)
    expect(all.length).toBeGreaterThan(5)
    const statuses = whole.results.map(({ trust }: Answer) => trust.status)
    if (unverified === 'hide') expect(new Set(statuses)).toEqual(new Set(['verified']))
    for (const limit of [1, 2, 3, 7, 20, 50]) {
      const pages: string[] = []
      for (let offset = 0; offset < all.length; offset += limit)
        pages.push(...idsOf(await search({ query, limit, offset, ...more })))
      expect(pages).toEqual(all)
    }
  })
})

it('every hit is on one page, past the first hundred, too', async () => {
  const many = await scratch()
  const ids = Array.from({ length: 130 }, (_, number) => `n/k${String(number).padStart(3, '0')}`)
  for (const id of ids) many.write(`.ai/knowledge/${id}.md`, knowledge(id, { body: 'numbat' }))
  await many.sign('knowledge:n/*')
  for (const id of [ids[5]!, ids[6]!, ids[50]!])
    many.write(`.ai/knowledge/${id}.md`, knowledge(id, { body: 'numbat' }))
  for (const query of ['*', 'numbat']) {
    const pages: string[] = []
    for (let offset = 0; offset < ids.length; offset += 10)
      pages.push(...idsOf(await many.run('search', { query, source: 'project', offset, limit: 10 })))
    expect(pages.toSorted()).toEqual(ids)
    expect(pages.slice(-3)).toEqual([ids[5], ids[6], ids[50]])
  }
})
