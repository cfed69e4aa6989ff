// Ranks judged sets in a catalogue, after LanceDB has found candidates, and compares the order with that of
// the local engine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEVELOPMENT_SETS, readJudgedSet } from './retrieval.mjs'
import { figure } from './table.mjs'

const MODEL = fileURLToPath(new URL('../system/model/model.bin', import.meta.url))
const MOST_LOST = 0.01

export async function measureSharedQuality() {
  const { evaluateRetrieval, loadBuiltIn } = await import('../src/search/index.ts')
  const { embedder } = loadBuiltIn(MODEL)
  const rows = []
  for (const directory of DEVELOPMENT_SETS) {
    const { name } = readJudgedSet(directory)
    const local = await evaluateRetrieval(directory, { local: embedder })
    const shared = await evaluateShared(directory, embedder)
    const lost = local.ndcg10 - shared.ndcg10
    rows.push(
      figure(
        `${name}: nDCG@10 of a catalogue`,
        shared.ndcg10.toFixed(4),
        `>= ${local.ndcg10.toFixed(4)} (local) - ${MOST_LOST}`,
        lost <= MOST_LOST,
      ),
      figure(`${name}: hit@1`, `${shared.hit1.toFixed(4)} (local ${local.hit1.toFixed(4)})`),
    )
  }
  return rows
}

async function evaluateShared(directory, embedder) {
  const { DocumentReader, measureRankings, questionRequest } = await import('../src/search/index.ts')
  const { askCatalogue, openCandidates, openItemsTable, searchGuest, syncRoot } = await import(
    '../src/catalogue/index.ts'
  )
  const { items, questions, judgements } = readJudgedSet(directory)
  const folder = mkdtempSync(join(tmpdir(), 'rye-bench-shared-'))
  const table = openItemsTable({ uri: folder })
  try {
    const root = { name: 'set', items: () => items.map(itemOf) }
    await syncRoot(table, root, { embedder, dryRun: false, prune: true })
    await table.keepUp()
    const rankings = new Map()
    const reader = new DocumentReader()
    for (const { id, text } of questions) {
      const values = embedder.embedQuestion(text)
      const request = questionRequest(text, values && { model: embedder.model, values })
      if (!request) {
        rankings.set(id, [])
        continue
      }
      const found = await askCatalogue(table, request, values)
      const guest = openCandidates(found, { reader, embedder, isTrusted: () => true })
      const { rows } = searchGuest(guest, request)
      rankings.set(
        id,
        rows.map(row => String(items[Number(row.id)].id)),
      )
    }
    return measureRankings(rankings, judgements)
  } finally {
    table.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The item as the local engine gets it. Ids may be any text, so they become names, and items are numbered.
 */
function itemOf(record, number) {
  const text = value => (typeof value === 'string' ? value : '')
  const [name, title, description] = [String(record.id), text(record.title), text(record.description)]
  const document = {
    ...{ type: 'knowledge', id: String(number), name, title: title || name, description, category: '' },
    ...{ version: '', date: undefined, tags: [], parameters: '', metadata: {} },
    fields: {
      ...{ title: title === '' ? [] : [title], name: [name], description: [description], category: [] },
      ...{ content: [text(record.text)], parameters: [], tags: [], keywords: [] },
    },
  }
  const packed = Buffer.from(JSON.stringify(record))
  const item = { extension: '.md', document, packed, signer: '', source: '', commit: '', stamp: '' }
  return { type: 'knowledge', id: String(number), stampLike: () => '', read: async () => item }
}
