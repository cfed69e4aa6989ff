// `rye eval`: measures how well search answers judged questions. They come from a set with its own documents,
// or from the user, about this library.
import { statSync } from 'node:fs'
import { AppError } from '../../base/index.ts'
import {
  type Embedder,
  type Evaluation,
  evaluateRetrieval,
  type MeaningSource,
  readOwnQuestions,
} from '../../search/index.ts'
import { knownMeanings, readMeaning } from '../../workspace/index.ts'
import { type ActionContext, defineAction } from '../definition/action.ts'
import type { CallInput, Fields, InputOf } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import { evaluateOwn, type OwnEvaluation } from './evaluate-own.ts'

const EVAL_FIELDS = {
  directory: {
    type: 'string',
    about: 'JSONL of your own questions, or a folder with corpus.jsonl, queries.jsonl and qrels.tsv',
    required: true,
    flag: { position: 'first', value: 'QUESTIONS' },
  },
  embeddings: {
    type: 'boolean',
    about: 'compare words alone, the built-in model and the provider that is set up',
  },
  project_path: {
    type: 'string',
    about: 'absolute path of the project that your own questions are about',
    flag: { hidden: true },
  },
} as const satisfies Fields

export type EvalInput = CallInput<typeof EVAL_FIELDS>

export interface EvalAnswer extends Evaluation, Partial<Pick<OwnEvaluation, 'questions' | 'missed'>> {
  /** With `embeddings`: the same figures for each kind of meaning. */
  readonly compared?: ComparedMeanings
  readonly warning?: string
}

export interface ComparedMeanings {
  readonly words: Evaluation
  readonly built_in?: Evaluation
  /** With the model in the folder that `embeddings.path` names. */
  readonly folder?: Evaluation
  readonly provider?: Evaluation & { readonly model: string }
}

type Kind = keyof ComparedMeanings
/** Each kind is measured once. */
type Measure = (kind: Kind) => Promise<Evaluation & Partial<OwnEvaluation>>

export const evaluate = defineAction({
  name: 'eval',
  description:
    'Measure search on judged questions: your own about this library, or a set with its documents.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: EVAL_FIELDS,
  run: async (context, input): Promise<EvalAnswer> => {
    const { provider, builtIn } = await readMeaning(context.library)
    const measure = await makeMeasure(context, input)
    if (provider) return measureAll(measure, input, 'provider', context)
    if (!builtIn?.().embedder) return measureAll(measure, input, 'words', context)
    const { folder } = await knownMeanings(context.library)
    return measureAll(measure, input, folder ? 'folder' : 'built_in', context)
  },
})

async function makeMeasure(context: ActionContext, input: InputOf<typeof EVAL_FIELDS>): Promise<Measure> {
  const path = resolvePath(context, input.directory)
  const isFile = statSync(path, { throwIfNoEntry: false })?.isDirectory() === false
  const questions = isFile ? readOwnQuestions(path) : undefined
  const { provider, folder, builtIn } = await knownMeanings(context.library)
  const sourceOf = (kind: Kind): MeaningSource | undefined => {
    if (kind === 'provider' && provider) return providerSource(context, provider)
    const locals = { built_in: builtIn, folder, words: undefined, provider: undefined }
    const local = locals[kind]?.().embedder
    return local && { local }
  }
  const measured = new Map<Kind, ReturnType<Measure>>()
  return kind => {
    const source = sourceOf(kind)
    const figures =
      measured.get(kind) ??
      (questions
        ? evaluateOwn(context, projectOf(input.project_path), questions, source)
        : evaluateRetrieval(path, source))
    measured.set(kind, figures)
    return figures
  }
}

async function measureAll(
  measure: Measure,
  input: InputOf<typeof EVAL_FIELDS>,
  chosen: Kind,
  context: ActionContext,
): Promise<EvalAnswer> {
  const figures = await measure(chosen)
  return input.embeddings ? { ...figures, ...(await compare(context, measure)) } : figures
}

function projectOf(path: string | undefined): string {
  if (path !== undefined) return path
  throw new AppError('INVALID_INPUT', 'expected `project_path`: your own questions are about a project')
}

function providerSource({ signal, onProgress }: ActionContext, provider: Embedder): MeaningSource {
  return {
    provider,
    signal,
    onProgress: (done, total) => onProgress({ message: 'embedding', done, total }),
  }
}

async function compare(
  context: ActionContext,
  measure: Measure,
): Promise<Pick<EvalAnswer, 'compared' | 'warning'>> {
  const { provider, folder, builtIn } = await knownMeanings(context.library)
  const { embedder: local, problem } = builtIn()
  const words = figuresOf(await measure('words'))
  const built_in = local && figuresOf(await measure('built_in'))
  const ofFolder = folder?.().embedder && figuresOf(await measure('folder'))
  const isNone = !provider && !folder
  const warnings = [
    problem,
    folder?.().problem,
    isNone ? 'no provider is set up under `embeddings`' : undefined,
  ]
  let provided: ComparedMeanings['provider']
  if (provider) {
    try {
      provided = { model: provider.model, ...figuresOf(await measure('provider')) }
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== 'REMOTE_FAILED') throw thrown
      warnings.push(thrown.message)
    }
  }
  const warning = warnings.filter(text => text !== undefined).join('; ')
  return {
    compared: {
      words,
      ...(built_in && { built_in }),
      ...(ofFolder && { folder: ofFolder }),
      ...(provided && { provider: provided }),
    },
    ...(warning !== '' && { warning }),
  }
}

function figuresOf({ ndcg10, recall5, recall10, mrr10, hit1, p50_ms, p95_ms }: Evaluation): Evaluation {
  return { ndcg10, recall5, recall10, mrr10, hit1, p50_ms, p95_ms }
}
