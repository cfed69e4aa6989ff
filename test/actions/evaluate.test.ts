import { expect, it } from 'vitest'
import { scratch } from '../workspace/scratch.ts'

const lines = (records: readonly object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('')

const SET = {
  'set/corpus.jsonl': lines([
    {
      id: 'weather',
      title: 'weather',
      description: 'Tells whether it rains tomorrow',
      text: 'forecast rain sun',
    },
    { id: 'mail', title: 'mail', description: 'Sends a letter by mail', text: 'letters and parcels' },
  ]),
  'set/queries.jsonl': lines([
    { id: 'q1', text: 'will it rain tomorrow?' },
    { id: 'q2', text: 'send a parcel' },
  ]),
  'set/qrels.tsv': 'q1\tweather\t1\nq2\tmail\t1\n',
}

it('measures a judged set: every question answered first counts fully', async () => {
  const world = await scratch(SET)
  const answer = await world.run('eval', { directory: world.path('set') })
  expect(Object.keys(answer).sort()).toEqual([
    'hit1',
    'mrr10',
    'ndcg10',
    'p50_ms',
    'p95_ms',
    'recall10',
    'recall5',
  ])
  expect(answer).toMatchObject({ ndcg10: 1, recall5: 1, recall10: 1, mrr10: 1, hit1: 1 })
})

it('a wrong judgement costs', async () => {
  const world = await scratch({ ...SET, 'set/qrels.tsv': 'q1\tmail\t1\nq2\tmail\t1\n' })
  const answer = await world.run('eval', { directory: world.path('set') })
  expect(answer.hit1).toBe(0.5)
})

it.each([
  ['a file is missing', { 'set/corpus.jsonl': SET['set/corpus.jsonl'] }],
  ['a line is no JSON', { ...SET, 'set/queries.jsonl': 'not json\n' }],
])('says so when %s', async (_, files) => {
  const world = await scratch(files)
  const answer = await world.run('eval', { directory: world.path('set') })
  expect(answer).toMatchObject({ status: 'error' })
  expect(answer.error).toMatch(/queries\.jsonl|qrels\.tsv/)
})
