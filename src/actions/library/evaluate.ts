// `rye eval`: how well search answers a judged set of questions.
import { evaluateRetrieval } from '../../search/index.ts'
import { readMeaning } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'

const EVAL_FIELDS = {
  directory: {
    type: 'string',
    about: 'holds corpus.jsonl, queries.jsonl and qrels.tsv',
    required: true,
    flag: { position: 'first', value: 'BENCH_DIR' },
  },
} as const satisfies Fields

export type EvalInput = CallInput<typeof EVAL_FIELDS>
export type EvalAnswer = Awaited<ReturnType<typeof evaluateRetrieval>>

export const evaluate = defineAction({
  name: 'eval',
  description: 'Measure retrieval on a judged set: corpus.jsonl, queries.jsonl, qrels.tsv.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: EVAL_FIELDS,
  run: async (context, input): Promise<EvalAnswer> => {
    const { builtIn } = await readMeaning(context.library)
    return evaluateRetrieval(resolvePath(context, input.directory), builtIn?.().embedder)
  },
})
