import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scratch } from '../../workspace/scratch.ts'

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

it('a line of column names, blank lines and judgements of documents that are not there change nothing', async () => {
  const qrels = `query-id\tcorpus-id\tscore\r\n\n${SET['set/qrels.tsv']}q2\tabsent\t0\n`
  const world = await scratch({ ...SET, 'set/qrels.tsv': qrels })
  expect(await world.run('eval', { directory: world.path('set') })).toMatchObject({ ndcg10: 1, hit1: 1 })
})

it('files that are linked to are read', async () => {
  const world = await scratch({ ...SET, 'kept/corpus.jsonl': SET['set/corpus.jsonl'] })
  rmSync(world.path('set/corpus.jsonl'))
  symlinkSync(world.path('kept/corpus.jsonl'), world.path('set/corpus.jsonl'))
  expect(await world.run('eval', { directory: world.path('set') })).toMatchObject({ ndcg10: 1 })
})

const first = SET['set/corpus.jsonl'].split('\n')[0]!

it.each<[string, Record<string, string>, string]>([
  ['a file is missing', { 'set/corpus.jsonl': SET['set/corpus.jsonl'] }, 'queries.jsonl'],
  [
    'a line is no JSON',
    { ...SET, 'set/queries.jsonl': 'not json\n' },
    'queries.jsonl, line 1: expected an object',
  ],
  [
    'an id is empty',
    { ...SET, 'set/queries.jsonl': '\n{"id":""}\n' },
    'queries.jsonl, line 2: expected an object',
  ],
  ['there are no documents', { ...SET, 'set/corpus.jsonl': '' }, 'corpus.jsonl: expected at least one line'],
  [
    'there are no questions',
    { ...SET, 'set/queries.jsonl': '\n \n' },
    'queries.jsonl: expected at least one line',
  ],
  ['there are no judgements', { ...SET, 'set/qrels.tsv': '' }, 'qrels.tsv: expected at least one line'],
  ['there are only column names', { ...SET, 'set/qrels.tsv': 'q\td\tscore\n' }, 'expected an answer to one'],
  ['no judged document is known', { ...SET, 'set/qrels.tsv': 'q1\tx\t1\n' }, 'expected an answer to one'],
  ['no judged question is known', { ...SET, 'set/qrels.tsv': 'x\tmail\t1\n' }, 'expected an answer to one'],
  ['nothing is relevant', { ...SET, 'set/qrels.tsv': 'q1\tmail\t0\n' }, 'expected an answer to one'],
  [
    'a document stands there twice',
    { ...SET, 'set/corpus.jsonl': `${first}\n${first}\n` },
    'corpus.jsonl, line 2',
  ],
  ['a column is missing', { ...SET, 'set/qrels.tsv': 'q1\tmail\t1\nq2\tmail\n' }, 'qrels.tsv, line 2'],
  ['blanks stand for tabs', { ...SET, 'set/qrels.tsv': 'q1 mail 1\n' }, 'qrels.tsv, line 1'],
])('refuses a set when %s', async (_, files, problem) => {
  const world = await scratch(files)
  const answer = await world.run('eval', { directory: world.path('set') })
  expect(answer).toMatchObject({ status: 'error', code: 'INVALID_INPUT' })
  expect(answer.error).toContain(problem)
})

it.each(['one', 'NaN', 'Infinity', '-1', '1e400', '1e300', '0x', '1,5'])(
  'refuses the relevance %s, in the first line too',
  async relevance => {
    const world = await scratch({ ...SET, 'set/qrels.tsv': `q1\tweather\t${relevance}\nq2\tmail\t1\n` })
    const answer = await world.run('eval', { directory: world.path('set') })
    expect(answer).toMatchObject({ status: 'error', code: 'INVALID_INPUT' })
    expect(answer.error).toContain(
      `qrels.tsv, line 1: expected a relevance from 0 to 1000000, got \`${relevance}\``,
    )
  },
)

it('refuses a fifo and a folder in place of a file, and waits for neither', async () => {
  const world = await scratch({ ...SET, 'other/corpus.jsonl/x': '' })
  rmSync(world.path('set/qrels.tsv'))
  execFileSync('mkfifo', [world.path('set/qrels.tsv')])
  for (const [folder, kind] of [
    ['set', 'a fifo'],
    ['other', 'a directory'],
  ] as const) {
    const answer = await world.run('eval', { directory: world.path(folder) })
    expect(answer).toMatchObject({ status: 'error', code: 'INVALID_INPUT' })
    expect(answer.error).toContain(kind)
  }
})

it('every set gives figures from 0 to 1, or is refused', async () => {
  const cell = fc.constantFrom(
    'q1',
    'q2',
    'weather',
    'mail',
    'x',
    '1',
    '0',
    '-1',
    '3',
    '',
    'score',
    '1e9',
    '\r',
  )
  const qrels = fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(qrels, async rows => {
      const world = await scratch({ ...SET, 'set/qrels.tsv': rows.map(row => row.join('\t')).join('\n') })
      const answer = await world.run('eval', { directory: world.path('set') })
      if (answer.status === 'error') expect(answer.code).toBe('INVALID_INPUT')
      else
        for (const name of ['ndcg10', 'recall5', 'recall10', 'mrr10', 'hit1']) {
          expect(answer[name]).toBeGreaterThanOrEqual(0)
          expect(answer[name]).toBeLessThanOrEqual(1)
        }
    }),
    { numRuns: 30 },
  )
})
