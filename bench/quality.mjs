// Does search put the right item first? Ours beside the textbook reference, on the same judged questions, and by name.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReference } from './reference-bm25.mjs'
import { DEVELOPMENT_SETS, measureRetrieval, readJudgedSet } from './retrieval.mjs'
import { figure } from './table.mjs'

export async function measureQuality() {
  const { evaluateRetrieval } = await import('../src/search/index.ts')
  const rows = []
  for (const directory of DEVELOPMENT_SETS) {
    const set = readJudgedSet(directory)
    const reference = createReference(set.items)
    const textbook = await measureRetrieval(set, (text, limit) => reference(text, limit))
    const ours = await evaluateRetrieval(directory)
    const named = await byName(directory, set, evaluateRetrieval)
    rows.push(
      figure(
        `${set.name}: nDCG@10`,
        ours.ndcg10.toFixed(4),
        `>= ${textbook.ndcg10.toFixed(4)} (reference)`,
        ours.ndcg10 >= textbook.ndcg10,
      ),
      figure(`${set.name}: hit@1, recall@10`, `${ours.hit1.toFixed(4)}, ${ours.recall10.toFixed(4)}`),
      figure(`${set.name}: hit@1 by name`, named.hit1.toFixed(4), '>= 0.98', named.hit1 >= 0.98),
    )
  }
  return rows
}

/** The same items, each asked for by its own name. */
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
