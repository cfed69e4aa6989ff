// Measures search with SQLite's FTS5 on the same items: the figures behind `docs/decisions/0020`.
import { DatabaseSync } from '@photostructure/sqlite'
import { commonWord, makeItems } from './library.mjs'
import { cpuSeconds, figure, percentile, round } from './table.mjs'

const ROUNDS = 100
const WORDS = ['deploy', 'cluster', 'release']
/** As many words as one wildcard may stand for. */
const EXPANSION = Array.from({ length: 1000 }, (_, index) => commonWord(index + 1))

export async function measureFts5(count) {
  const database = new DatabaseSync(':memory:')
  try {
    return [await measureOwnScores(database, count), await measureLists(database, count)].flat()
  } finally {
    database.close()
  }
}

/** Stems and FTS5's own BM25, whose counts cover one table only. */
async function measureOwnScores(database, count) {
  database.exec("CREATE VIRTUAL TABLE stemmed USING fts5(title, body, tokenize = 'porter unicode61')")
  const build = await fill(database, 'stemmed', count)
  const best = database.prepare(
    'SELECT rowid FROM stemmed WHERE stemmed MATCH ? ORDER BY bm25(stemmed, 3, 1) LIMIT 10',
  )
  const total = database.prepare('SELECT count(*) AS total FROM stemmed WHERE stemmed MATCH ?')
  const question = WORDS.join(' OR ')
  return [
    figure(
      'FTS5: build / ten best of three words, ids only',
      `${round(build)} s CPU / ${ms(() => best.all(question))}`,
    ),
    figure(
      'FTS5: the same with the exact total',
      ms(() => [best.all(question), total.get(question)]),
    ),
  ]
}

/** Unstemmed words and per-document counts, for scores of our own that add up over several databases. */
async function measureLists(database, count) {
  database.exec(
    "CREATE VIRTUAL TABLE plain USING fts5(title, body, content = '', contentless_delete = 1, tokenize = 'unicode61')",
  )
  await fill(database, 'plain', count)
  database.exec("CREATE VIRTUAL TABLE place USING fts5vocab(plain, 'instance')")
  // One string for all rows: passing a row by itself to JavaScript takes a microsecond and more.
  const list = database.prepare(
    "SELECT group_concat(doc * 2 + (col = 'title')) AS places FROM place WHERE term = ?",
  )
  const read = word => Uint32Array.from((list.get(word).places ?? '').split(','), Number)
  return [
    figure(
      'FTS5 as a store of lists: those of three words',
      ms(() => WORDS.map(read)),
    ),
    figure(
      'FTS5 as a store of lists: those of 1000 words',
      ms(() => EXPANSION.map(read), 1),
    ),
  ]
}

function fill(database, table, count) {
  const insert = database.prepare(`INSERT INTO ${table} (rowid, title, body) VALUES (?, ?, ?)`)
  return cpuSeconds(() => {
    database.exec('BEGIN')
    let row = 0
    for (const { id, text } of makeItems(count)) insert.run(++row, id, text)
    database.exec('COMMIT')
  })
}

function ms(run, rounds = ROUNDS) {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now()
    run()
    return performance.now() - started
  })
  return `${round(percentile(times, 0.5))} ms`
}
