// Does search put the right item first? Compares ours, by words and with meaning, to the textbook reference
// on the same judged questions and on questions by name; then on requests of every kind.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createReference } from './reference-bm25.mjs'
import { measureRequests } from './requests.mjs'
import { DEVELOPMENT_SETS, measureRetrieval, readJudgedSet } from './retrieval.mjs'
import { figure } from './table.mjs'

const MODEL = fileURLToPath(new URL('../system/model/model.bin', import.meta.url))
/** nDCG@10 and hit@1 with meaning. */
const GOALS = { 'metatool-dev': [0.68, 0.53], 'sealtools-dev': [0.915, 0.97] }

export async function measureQuality() {
  const { evaluateRetrieval, loadBuiltIn } = await import('../src/search/index.ts')
  const { embedder } = loadBuiltIn(MODEL)
  const rows = []
  for (const directory of DEVELOPMENT_SETS) {
    const set = readJudgedSet(directory)
    const reference = createReference(set.items)
    const textbook = await measureRetrieval(set, (text, limit) => reference(text, limit))
    const ours = await evaluateRetrieval(directory)
    const both = await evaluateRetrieval(directory, { local: embedder })
    const named = await byName(directory, set, evaluateRetrieval)
    const [ndcg, hit] = GOALS[set.name]
    rows.push(
      figure(
        `${set.name}: nDCG@10 by words`,
        ours.ndcg10.toFixed(4),
        `>= ${textbook.ndcg10.toFixed(4)} (reference)`,
        ours.ndcg10 >= textbook.ndcg10,
      ),
      figure(
        `${set.name}: hit@1, recall@10 by words`,
        `${ours.hit1.toFixed(4)}, ${ours.recall10.toFixed(4)}`,
      ),
      figure(`${set.name}: nDCG@10 with meaning`, both.ndcg10.toFixed(4), `>= ${ndcg}`, both.ndcg10 >= ndcg),
      figure(`${set.name}: hit@1 with meaning`, both.hit1.toFixed(4), `>= ${hit}`, both.hit1 >= hit),
      figure(`${set.name}: hit@1 by name`, named.hit1.toFixed(4), '>= 0.98', named.hit1 >= 0.98),
    )
  }
  return [...rows, ...(await measureRequests())]
}

/** The same items, each searched for by its own name. */
async function byName(directory, set, evaluate) {
  const folder = mkdtempSync(join(tmpdir(), 'rye-bench-'))
  try {
    copyFileSync(join(directory, 'corpus.jsonl'), join(folder, 'corpus.jsonl'))
    const names = set.items.map(item => String(item.id))
    writeFileSync(
      join(folder, 'queries.jsonl'),
      names.map(name => `${JSON.stringify({ id: name, text: name })}\n`).join(''),
    )
    writeFileSync(join(folder, 'qrels.tsv'), names.map(name => `${name}\t${name}\t1\n`).join(''))
    return await evaluate(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
