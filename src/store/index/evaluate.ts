// How well search answers judged questions: a set is indexed as knowledge items, every question is asked as an agent would,
// and the first ten answers are compared with the judgements.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, isRecord } from '../../base/index.ts'
import { parseScope, type Query, readFilters, readQuery, type SearchField } from '../../query/index.ts'
import {
  fieldWeights,
  measureRankings,
  type RetrievalFigures,
  type SearchDocument,
} from '../../search/index.ts'
import { MEMORY } from './database.ts'
import { openIndex, type SearchIndex } from './search-index.ts'

export interface Evaluation extends RetrievalFigures {
  readonly p50_ms: number
  readonly p95_ms: number
}

/** Measures a folder with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`; throws `INVALID_INPUT` naming a bad line. */
export async function evaluateRetrieval(directory: string): Promise<Evaluation> {
  const corpus = readRecords(directory, 'corpus.jsonl')
  const questions = readRecords(directory, 'queries.jsonl')
  const judgements = readJudgements(directory)
  const index = await openIndex(new Map([['project', MEMORY]]))
  try {
    const upsert = corpus.map((record, number) => {
      const document = documentOf(record, number)
      return { path: `${number}`, size: 0, mtimeMs: 0, inode: 0, hash: '', extension: '.md', document }
    })
    index.apply('project', { upsert, remove: [] })
    const rankings = new Map<string, string[]>()
    const times: number[] = []
    for (const question of questions) {
      const start = performance.now()
      const ids = ask(index, text(question.text))
      times.push(performance.now() - start)
      rankings.set(
        text(question.id),
        ids.map(id => text(corpus[Number(id)]!.id)),
      )
    }
    times.sort((a, b) => a - b)
    return {
      ...measureRankings(rankings, judgements),
      p50_ms: quantile(times, 0.5),
      p95_ms: quantile(times, 0.95),
    }
  } finally {
    index.close()
  }
}

/** Ids of a set may be anything, so items are numbered; a name that is a question still comes first. */
function documentOf(record: Record<string, unknown>, number: number): SearchDocument {
  const title = text(record.title)
  const description = text(record.description)
  const name = text(record.id)
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
  }
  return { type: 'knowledge', ...facts, date: undefined, metadata: {}, fields }
}

function ask(index: SearchIndex, question: string): string[] {
  const query = understand(question)
  if (!query) return []
  const { rows } = index.search({
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
  })
  return rows.map(row => row.id)
}

/** A question that is refused counts as one without an answer. */
function understand(question: string): Query | undefined {
  try {
    return readQuery(question).query
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}

function readLines(directory: string, file: string): string[] {
  try {
    return readFileSync(join(directory, file), 'utf8').split('\n')
  } catch (cause) {
    throw new AppError('INVALID_INPUT', `expected \`${file}\` in \`${directory}\``, {
      hint: 'a judged set holds corpus.jsonl, queries.jsonl and qrels.tsv',
      cause,
    })
  }
}

function readRecords(directory: string, file: string): Record<string, unknown>[] {
  return readLines(directory, file).flatMap((line, number) => {
    if (line.trim() === '') return []
    const record = parseJson(line)
    if (!isRecord(record) || typeof record.id !== 'string') {
      throw new AppError('INVALID_INPUT', `${file}, line ${number + 1}: expected an object with an id`)
    }
    return [record]
  })
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Reported by the caller, with the line.
    return undefined
  }
}

function readJudgements(directory: string): Map<string, Map<string, number>> {
  const judgements = new Map<string, Map<string, number>>()
  readLines(directory, 'qrels.tsv').forEach((line, number) => {
    if (line.trim() === '') return
    const [question, document, relevance] = line.trimEnd().split('\t')
    const gain = Number(relevance)
    // The usual files begin with a line of column names.
    if (number === 0 && Number.isNaN(gain)) return
    if (!question || !document || Number.isNaN(gain)) {
      throw new AppError(
        'INVALID_INPUT',
        `qrels.tsv, line ${number + 1}: expected question, document and relevance`,
      )
    }
    const judged = judgements.get(question) ?? new Map<string, number>()
    judgements.set(question, judged.set(document, gain))
  })
  return judgements
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function quantile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return Math.round(value * 1000) / 1000
}
