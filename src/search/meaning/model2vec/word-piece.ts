// WordPiece: takes the longest piece that a word begins with, then the longest that goes on from there. A
// word that cannot be made of pieces is unknown.
import { isRecord } from '../../../base/index.ts'
import type { CutModel } from './cut-model.ts'

const LONGEST = 100

export function readWordPiece(model: Readonly<Record<string, unknown>>): CutModel {
  if (!isRecord(model.vocab)) throw new Error('expected the WordPiece `vocab` to be an object')
  const numbers = new Map<string, number>()
  for (const [token, number] of Object.entries(model.vocab)) {
    if (!Number.isSafeInteger(number) || Number(number) < 0)
      throw new Error('expected the WordPiece `vocab` to have a number for each token')
    numbers.set(token, Number(number))
  }
  const prefix = typeof model.continuing_subword_prefix === 'string' ? model.continuing_subword_prefix : '##'
  const unknown = numbers.get(typeof model.unk_token === 'string' ? model.unk_token : '[UNK]')
  let size = 0
  for (const number of numbers.values()) size = Math.max(size, number + 1)
  return { size, cut: word => cutWord(word, numbers, prefix).filter(number => number !== unknown) }
}

function cutWord(word: string, numbers: ReadonlyMap<string, number>, prefix: string): number[] {
  if (word.length > LONGEST) return []
  const pieces: number[] = []
  for (let from = 0; from < word.length; ) {
    let to = word.length
    let number: number | undefined
    for (; to > from; to--) {
      number = numbers.get((from > 0 ? prefix : '') + word.slice(from, to))
      if (number !== undefined) break
    }
    if (number === undefined) return []
    pieces.push(number)
    from = to
  }
  return pieces
}
