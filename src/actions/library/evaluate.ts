// `rye eval`: how well search answers a judged set of questions.
import { resolve } from 'node:path'
import { evaluateRetrieval } from '../../search/index.ts'
import { defineAction } from '../definition/action.ts'

export const evaluate = defineAction({
  name: 'eval',
  description: 'Measure retrieval on a judged set: corpus.jsonl, queries.jsonl, qrels.tsv.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: {
    directory: {
      type: 'string',
      about: 'holds corpus.jsonl, queries.jsonl and qrels.tsv',
      required: true,
      flag: { position: 'first', value: 'BENCH_DIR' },
    },
  },
  run: (_context, input) => evaluateRetrieval(resolve(input.directory)),
})
