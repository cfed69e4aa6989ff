// Embeds with a static model: the vector of a text is the sum of the rows of its words, scaled to length one. The words are those of
// the index: the same tokens, stop words and stems.
import { unitVector } from '../rank/cosine.ts'
import { stem } from '../text/porter.ts'
import { isStopWord } from '../text/stop-words.ts'
import { visitTokens } from '../text/tokenize.ts'
import { EMBEDDED_BODY, type ItemText, type LocalEmbedder } from './embedder.ts'
import type { StaticModel } from './static-model.ts'

/** A body says less than a description of what an item is for; alone it is all there is. */
const BODY_WEIGHT = 0.3
/** Words whose rows are remembered: stemming takes longer than adding a row. */
const REMEMBERED = 50_000

const UNKNOWN = -1
const STOP_WORD = -2

export function createStaticEmbedder(name: string, model: StaticModel): LocalEmbedder {
  const rows = new Map<string, number>()
  const lookUp = (word: string): number => {
    if (isStopWord(word)) return STOP_WORD
    return model.rowOf(stem(word))
  }
  const rowOf = (word: string): number => {
    const known = rows.get(word)
    if (known !== undefined) return known
    const row = lookUp(word)
    if (rows.size >= REMEMBERED) rows.clear()
    rows.set(word, row)
    return row
  }
  const sumOf = (weights: ReadonlyMap<number, number>): Float32Array | undefined => {
    const sum = new Float64Array(model.dimensions)
    for (const [row, weight] of weights) model.addRow(sum, row, weight)
    return unitVector(sum)
  }
  return {
    model: name,
    dimensions: model.dimensions,
    embedQuestion: text => {
      const weights = new Map<number, number>()
      visitRows(text, rowOf, row => weights.set(row, 1))
      return sumOf(weights)
    },
    embedItem: ({ title, description, body }: ItemText) => {
      const weights = new Map<number, number>()
      const add = (text: string, weight: number) =>
        visitRows(text, rowOf, row => weights.set(row, (weights.get(row) ?? 0) + weight))
      add(title, 1)
      add(description, 1)
      add(body.slice(0, EMBEDDED_BODY), description === '' ? 1 : BODY_WEIGHT)
      return sumOf(weights)
    },
  }
}

/** The parts of a camelCase word count where the whole word is not known; they follow it. */
function visitRows(text: string, rowOf: (word: string) => number, visit: (row: number) => void): void {
  let takesParts = false
  visitTokens(text, (token, _position, kind) => {
    if (kind === 'compound' || (kind === 'part' && !takesParts)) return
    const row = rowOf(token)
    if (kind === 'word') takesParts = row === UNKNOWN
    if (row >= 0) visit(row)
  })
}
