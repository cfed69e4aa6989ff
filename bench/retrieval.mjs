// Retrieval quality on judged question sets, for any ranking function.
//   node bench/retrieval.mjs [DIR ...]     prints the figures of the reference; DIR holds corpus.jsonl, queries.jsonl, qrels.tsv
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { createReference } from './reference-bm25.mjs'
import { registerTypeScript } from './typescript-hook.mjs'

registerTypeScript()
const { measureRankings } = await import('../src/search/evaluate/retrieval-metrics.ts')

const SETS = fileURLToPath(new URL('../../shared/data/retrieval', import.meta.url))
export const DEVELOPMENT_SETS = [`${SETS}/metatool-dev`, `${SETS}/sealtools-dev`]

/** Reads a judged set: items, questions {id, text}, and judgements (question to document to relevance). */
export function readJudgedSet(directory) {
  const readLines = name => readFileSync(`${directory}/${name}`, 'utf8').split('\n').filter(Boolean)
  const judgements = new Map()
  for (const line of readLines('qrels.tsv')) {
    const [question, document, relevance] = line.trimEnd().split('\t')
    if (!judgements.has(question)) judgements.set(question, new Map())
    judgements.get(question).set(document, Number(relevance))
  }
  return {
    name: basename(directory),
    items: readLines('corpus.jsonl').map(line => JSON.parse(line)),
    questions: readLines('queries.jsonl').map(line => JSON.parse(line)),
    judgements,
  }
}

/** The figures of a ranking function `rank(text, limit)` that returns ids, or a promise of them. */
export async function measureRetrieval(set, rank) {
  const rankings = new Map()
  for (const { id, text } of set.questions) rankings.set(id, await rank(text, 10))
  return measureRankings(rankings, set.judgements)
}

export function printFigures(label, figures) {
  const cells = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(4)}`)
  return `${label.padEnd(28)} ${cells.join('  ')}`
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const directories = argv.length > 2 ? argv.slice(2) : DEVELOPMENT_SETS
  for (const directory of directories) {
    const set = readJudgedSet(directory)
    const figures = await measureRetrieval(set, createReference(set.items))
    console.log(printFigures(`reference ${set.name}`, figures))
  }
}
