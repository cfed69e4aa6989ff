// `why`: what each hit owes to its name, its words and its meaning.
import { expect, it } from 'vitest'
import { renderAnswer } from '../../../../src/surfaces/cli/render/answer.ts'
import { createTerminal } from '../../../../src/surfaces/cli/terminal.ts'
import { knowledge, scratch } from '../../../workspace/scratch.ts'

const LIBRARY = {
  '.ai/knowledge/ops/rollback.md': knowledge('ops/rollback', {
    title: 'Rollback',
    description: 'Take a deployment back to the version before',
  }),
  '.ai/knowledge/ops/invoice.md': knowledge('ops/invoice', { description: 'Send an invoice' }),
}

it('parts of the score add up to it, fields name the words, and a name decides alone', async () => {
  const made = await scratch(LIBRARY)
  const ask = async (query: string) =>
    (await made.run('search', { query, source: 'project', why: true })).results[0]
  const some = await ask('how do I undo a bad deployment')
  expect(some.id).toBe('ops/rollback')
  expect(some.why).toMatchObject({ tier: 'some of the words', fields: { description: ['deployment'] } })
  expect(some.why.meaning).toBeGreaterThan(0)
  expect(some.why.words + some.why.meaning).toBeCloseTo(some.score, 4)
  expect((await ask('send invoice')).why).toMatchObject({ tier: 'all words' })
  expect((await ask('undo releases')).why).toMatchObject({ tier: 'meaning alone', fields: {} })
  expect((await ask('ops/rollback')).why).toMatchObject({ tier: 'this is its id' })
  expect((await ask('rollback')).why).toMatchObject({ tier: 'this is its name' })
  expect((await ask('ops/rollback')).why).not.toHaveProperty('words')
})

it('is there for whoever asks, in full, and for nobody else', async () => {
  const made = await scratch(LIBRARY)
  const input = { query: 'send invoice', source: 'project', detail: 'brief' }
  expect((await made.run('search', { ...input, why: true })).results[0]).toHaveProperty('why')
  expect((await made.run('search', input)).results[0]).not.toHaveProperty('why')
})

it('is read on a terminal of 80 columns', () => {
  const screen = (why: object) => {
    const result = { id: 'ops/rollback', type: 'tool', score: 0.62, source: 'project', why }
    const output = { isTTY: true, columns: 80, write() {} }
    const terminal = createTerminal(output, { write() {} }, { color: false, quiet: true })
    return renderAnswer('search', { results: [result], total: 1 }, terminal)
      .split('\n')
      .slice(1, -2)
  }
  const words = Array.from({ length: 12 }, (_, number) => `release${number}`)
  expect(
    screen({ tier: 'all words', words: 0.41, meaning: 0.21, fields: { name: ['rollback'], content: words } }),
  ).toEqual([
    '    tier    all words',
    '    score   words 0.41 + meaning 0.21 = 0.62',
    '    fields  name: rollback; content: release0, release1, release2, release3,',
    '            release4, release5, release6, release7, release8, release9,',
    '            release10, release11',
  ])
  expect(screen({ tier: 'this is its id', fields: {} })).toEqual([
    '    tier    this is its id',
    '    score   the name decides',
  ])
})
