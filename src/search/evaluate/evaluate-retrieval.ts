// Measures search on a judged set: its documents are indexed as knowledge items, each question is asked as an
// agent would, and the first ten results are compared with the judgements.
import { AppError } from '../../base/index.ts'
import { parseScope, type Query, readFilters, readQuery, type SearchField } from '../../query/index.ts'
import type { SearchRequest } from '../answer/search-request.ts'
import type { Embedder } from '../meaning/embedder.ts'
import { fieldWeights } from '../rank/field-weights.ts'
import { MEMORY } from '../sqlite/database.ts'
import { openIndex, type SearchIndex } from '../sqlite/search-index.ts'
import type { SearchDocument } from '../text/document.ts'
import { type Identified, readJudgedSet } from './judged-set.ts'
import { type MeaningSource, type QuestionVectors, questionVectors } from './question-vectors.ts'
import { measureRankings, type RetrievalFigures } from './retrieval-metrics.ts'

export interface Evaluation extends RetrievalFigures {
  readonly p50_ms: number
  readonly p95_ms: number
}

/**
 * Takes a folder with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`; throws `INVALID_INPUT` naming a bad
 * line, or `REMOTE_FAILED`.
 */
export async function evaluateRetrieval(directory: string, source?: MeaningSource): Promise<Evaluation> {
  const { corpus, questions, judgements } = readJudgedSet(directory)
  const embedder = source && 'local' in source ? source.local : undefined
  const index = await openIndex(new Map([['project', MEMORY]]))
  try {
    const upsert = corpus.map((record, number) => {
      const document = documentOf(record, number)
      return {
        path: `${number}`,
        size: 0,
        mtimeMs: 0,
        ctimeMs: 0,
        inode: 0,
        hash: `${number}`,
        mayBeSigned: false,
        extension: '.md',
        document,
      }
    })
    index.apply('project', { upsert, remove: [] }, embedder)
    const texts = questions.map(question => text(question.text))
    const vectors = await questionVectors(texts, source)
    if (source && 'provider' in source) await embedDocuments(index, source, vectors)
    const rankings = new Map<string, string[]>()
    const times: number[] = []
    for (const [at, question] of questions.entries()) {
      const start = performance.now()
      const ids = ask(index, texts[at]!, vectors(at))
      times.push(performance.now() - start)
      rankings.set(
        question.id,
        ids.map(id => corpus[Number(id)]!.id),
      )
    }
    return { ...measureRankings(rankings, judgements), ...summariseTimes(times) }
  } finally {
    index.close()
  }
}

/** Embeds until every document has a vector, as long as those of the questions. */
async function embedDocuments(
  index: SearchIndex,
  { provider, signal, onProgress }: Extract<MeaningSource, { provider: Embedder }>,
  vectors: QuestionVectors,
): Promise<void> {
  const { problem } = await index.embed('project', provider, {
    dimensions: vectors(0)?.values.length ?? 0,
    lastStart: Number.POSITIVE_INFINITY,
    deadline: Number.POSITIVE_INFINITY,
    ...{ signal, onProgress },
  })
  if (problem) throw problem
}

/** Ids in a judged set may be any text, so they become names, and items are numbered. */
function documentOf(record: Identified, number: number): SearchDocument {
  const title = text(record.title)
  const description = text(record.description)
  const name = record.id
  const none: readonly string[] = []
  const fields: Record<SearchField, readonly string[]> = {
    title: title === '' ? none : [title],
    name: [name],
    description: [description],
    category: none,
    content: [text(record.text)],
    parameters: none,
    tags: none,
    keywords: none,
  }
  const facts = {
    id: String(number),
    name,
    title: title || name,
    description,
    category: '',
    version: '',
    tags: none,
    parameters: '',
  }
  return { type: 'knowledge', ...facts, date: undefined, metadata: {}, fields }
}

function ask(index: SearchIndex, question: string, vector: SearchRequest['vector']): string[] {
  const request = questionRequest(question, vector)
  return request ? index.search(request).rows.map(row => row.id) : []
}

/** A question of a judged set as an agent asks it; undefined for one that search rejects. */
export function questionRequest(
  question: string,
  vector: SearchRequest['vector'],
): SearchRequest | undefined {
  const query = parseQuestion(question)
  return (
    query && {
      ...(vector && { vector }),
      query,
      text: question,
      match: 'auto',
      fuzzy: 0,
      proximity: undefined,
      fields: new Map(),
      filters: readFilters({}),
      scope: parseScope('*'),
      spaces: ['project'],
      sortBy: 'score',
      offset: 0,
      limit: 10,
      weights: new Map([['knowledge', fieldWeights(undefined)]]),
    }
  )
}

/** Undefined for a question that search rejects, which counts as one without results. */
function parseQuestion(question: string): Query | undefined {
  try {
    return readQuery(question).query
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The median and the 95th percentile: one in twenty is slower. */
export function summariseTimes(times: readonly number[]): Pick<Evaluation, 'p50_ms' | 'p95_ms'> {
  const sorted = times.toSorted((a, b) => a - b)
  return { p50_ms: quantile(sorted, 0.5), p95_ms: quantile(sorted, 0.95) }
}

function quantile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return Math.round(value * 1000) / 1000
}
