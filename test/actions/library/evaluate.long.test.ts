import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startEmbeddings } from '../../system/embeddings-server.ts'
import { knowledge, scratch, tool } from '../../workspace/scratch.ts'

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
  [
    'there are only column names',
    { ...SET, 'set/qrels.tsv': 'q\td\tscore\n' },
    'expected an answer to at least one',
  ],
  [
    'no judged document is known',
    { ...SET, 'set/qrels.tsv': 'q1\tx\t1\n' },
    'expected an answer to at least one',
  ],
  [
    'no judged question is known',
    { ...SET, 'set/qrels.tsv': 'x\tmail\t1\n' },
    'expected an answer to at least one',
  ],
  ['nothing is relevant', { ...SET, 'set/qrels.tsv': 'q1\tmail\t0\n' }, 'expected an answer to at least one'],
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

describe('of the user, about this library', () => {
  const LIBRARY = {
    '.ai/knowledge/ops/rollback.md': knowledge('ops/rollback', {
      description: 'Take a deployment back to the version before',
    }),
    '.ai/knowledge/ops/invoice.md': knowledge('ops/invoice', {
      description: 'Send an invoice to a customer',
    }),
    '.ai/tools/ops/invoice.py': tool('ops/invoice', { description: 'Print an invoice' }),
  }
  const ask = async (questions: string, input: object = {}) => {
    const world = await scratch({ ...LIBRARY, 'questions.jsonl': questions })
    return world.run('eval', { directory: world.path('questions.jsonl'), ...input })
  }

  it('questions are asked of the library, and those not answered first are listed', async () => {
    const answer = await ask(
      lines([
        { question: 'undo a bad deployment', id: 'ops/rollback' },
        { question: 'send an invoice to a customer', ids: ['knowledge:ops/invoice@project', 'ops/rollback'] },
        { question: 'send an invoice to a customer', id: 'ops/rollback' },
        { question: 'qwxz', id: 'ops/rollback' },
      ]),
    )
    expect(answer).toMatchObject({ questions: 4, hit1: 0.5 })
    expect(answer.missed).toMatchObject([
      { line: 3, ids: ['ops/rollback'], first: 'knowledge:ops/invoice' },
      { question: 'qwxz', line: 4, rank: null, first: null },
    ])
  })

  it('words and the built-in model are compared, and it is said that there is no provider', async () => {
    const answer = await ask(lines([{ question: 'undo releases', id: 'ops/rollback' }]), {
      embeddings: true,
    })
    expect(Object.keys(answer.compared)).toEqual(['words', 'built_in'])
    expect(answer.compared.words.hit1).toBe(0)
    expect(answer.compared.built_in.hit1).toBe(1)
    expect(answer.warning).toContain('no provider is set up')
  })

  it.each([
    ['', 'expected a question, got an empty file'],
    ['{"question": "a", "id": "ops/rollback"}\n{oops\n', 'line 2: expected JSON, got `{oops`'],
    ['[]', 'line 1: expected an object with `question` and `id`'],
    ['\n\n{"id": "ops/rollback"}', 'line 3: expected `question` to be text that is not blank'],
    ['{"question": " ", "id": "x"}', 'line 1: expected `question` to be text that is not blank'],
    ['{"question": "a"}', 'line 1: expected `id` to be the id of an item'],
    ['{"question": "a", "ids": []}', 'line 1: expected `id` to be the id of an item'],
    ['{"question": "a", "ids": ["x", 7]}', 'line 1: expected `id` to be the id of an item'],
    ['{"question": "a", "id": "x", "ids": ["x"]}', 'line 1: expected `id` or `ids`, got both'],
    ['{"question": "a", "id": "ops/rolback"}', 'line 1: no item `ops/rolback` (did you mean'],
    ['{"question": "a", "id": "../../etc"}', 'line 1: '],
    ['{"question": "a", "id": "tol:ops/invoice"}', 'line 1: unknown item type `tol`'],
    ['{"question": "a", "id": "tool:ops/rollback"}', 'line 1: no item `tool:ops/rollback`'],
  ])('a bad file is named with its line: %j', async (questions, problem) => {
    const answer = await ask(questions)
    expect(answer).toMatchObject({ status: 'error', code: 'INVALID_INPUT' })
    expect(answer.error).toContain(problem)
  })
})

it('a provider is compared with words and the built-in model, and one that fails costs a warning', async () => {
  const server = await startEmbeddings([
    ['rain', 'umbrella'],
    ['parcel', 'mail'],
  ])
  onTestFinished(() => server.close())
  const world = await scratch({
    ...SET,
    'set/queries.jsonl': lines([
      { id: 'q1', text: 'umbrella needed' },
      { id: 'q2', text: 'parcel' },
    ]),
  })
  world.write('user:.ai/config/rye.toml', `[embeddings]\nurl = "${server.url}"\nmodel = "axes"\n`)
  const run = (input: object = {}) => world.run('eval', { directory: world.path('set'), ...input })
  const { compared, ...chosen } = await run({ embeddings: true })
  expect(compared.words.hit1).toBe(0.5)
  expect(compared.provider).toMatchObject({ model: 'axes', hit1: 1 })
  expect(chosen.hit1).toBe(1)
  expect(chosen).not.toHaveProperty('warning')
  server.mode = 'fail'
  expect(await run()).toMatchObject({ status: 'error', code: 'REMOTE_FAILED' })
  world.write(
    'user:.ai/config/rye.toml',
    `[search]\nmeaning = "off"\n[embeddings]\nurl = "${server.url}"\nmodel = "axes"\n`,
  )
  const broken = await run({ embeddings: true })
  expect(broken).toMatchObject({ hit1: 0.5, warning: expect.stringContaining('got 503') })
  expect(broken.compared).not.toHaveProperty('provider')
}, 60_000)

it('says what it takes where there is nothing', async () => {
  const world = await scratch()
  expect(await world.run('eval', { directory: world.path('nosuch') })).toMatchObject({
    code: 'INVALID_INPUT',
    error: `no file or folder at \`${world.path('nosuch')}\``,
    hint: expect.stringContaining('a file has one question a line'),
  })
})
