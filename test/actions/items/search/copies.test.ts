// Equal items in an answer are one hit, represented by one that can be loaded. Also `trusted`, which leaves
// out what cannot be loaded.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answer, knowledge, type Scratch, scratch, skill } from '../../../workspace/scratch.ts'

let made: Scratch
const note = (id: string, description: string) =>
  knowledge(id, { description, body: `The crane of the harbour, by ${id}.` })

beforeAll(async () => {
  made = await scratch(
    {
      '.ai/knowledge/a/lift.md': note('a/lift', 'Move loads'),
      '.ai/knowledge/b/lift.md': note('b/lift', 'Move loads'),
      '.ai/knowledge/c/lift.md': note('c/lift', 'Move loads'),
      '.ai/knowledge/winch.md': note('winch', 'Pull loads'),
      '.ai/skills/hoist/SKILL.md': skill('hoist', 'Use the crane of the harbour'),
      'user:.ai/skills/vendor/hoist/SKILL.md': skill('hoist', 'Use the crane of the harbour'),
    },
    { shared: true },
  )
  await made.sign('knowledge:b/lift')
  await made.sign('knowledge:c/lift')
  // An invalid signature on the copy that would come first.
  made.write('.ai/knowledge/a/lift.md', `${made.read('.ai/knowledge/b/lift.md')}\nChanged.\n`)
})
afterAll(() => made.close())

const search = async (input: object): Promise<Answer> => {
  const answer = await made.run('search', { query: 'harbour crane', source: 'project', ...input })
  expect(answer).not.toHaveProperty('error')
  return answer
}
const linesOf = ({ results }: Answer): string[] =>
  results.map(({ id, source, copies, trust }: Answer) => `${id}@${source} ${copies ?? 1} ${trust.status}`)

it('the copy that can be loaded stands for all, and the total counts them once', async () => {
  const answer = await search({ item_type: 'knowledge' })
  expect(linesOf(answer)).toEqual(['b/lift@project 3 verified', 'winch@project 1 unsigned'])
  expect(answer.total).toBe(2)
})

it('copies in several spaces are one hit', async () => {
  const answer = await search({ item_type: 'skill', source: 'local' })
  expect(answer.results).toMatchObject([{ id: 'hoist', source: 'project', copies: 2 }])
})

it('an agent is told of copies, too, and of nothing where there are none', async () => {
  const { results } = await search({ item_type: 'knowledge', detail: 'brief' })
  expect(results[0]).toMatchObject({ id: 'b/lift', copies: 3 })
  expect(results[1]).not.toHaveProperty('copies')
})

it('`trusted` leaves out what could not be loaded, without a warning', async () => {
  const answer = await search({ trusted: true })
  expect(linesOf(answer)).toEqual(['b/lift@project 3 verified'])
  expect(answer.total).toBe(1)
  expect(answer).not.toHaveProperty('warning')
})

it('where nothing is left, it says so, and promises nothing', async () => {
  const answer = await search({ trusted: true, query: 'winch' })
  expect(answer).toMatchObject({
    results: [],
    total: 0,
    hint: '1 found that could not be loaded: look at them without `trusted`, or sign them',
  })
})

it('where the settings hide it, no other question is said to show it', async () => {
  made.write('user:.ai/config/rye.toml', '[search]\nunverified = "hide"\n')
  const { hint } = await search({ query: 'winch' })
  made.write('user:.ai/config/rye.toml', '')
  expect(hint).toBe('1 found that could not be loaded: sign what should be found')
})

it('what is in a registry cannot be told to be trusted', async () => {
  const input = { query: 'crane', source: 'registry', trusted: true }
  expect(await made.run('search', input)).toMatchObject({ status: 'error', code: 'INVALID_INPUT' })
})
