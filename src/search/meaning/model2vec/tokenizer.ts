// Cuts texts into the tokens of a model, as its `tokenizer.json` says: normalised, cut into words, and each
// word into pieces.
import { isRecord } from '../../../base/index.ts'
import { readNormalizer } from './normalize.ts'
import { readUnigram } from './unigram.ts'
import { readWordPiece } from './word-piece.ts'

/** The numbers of the tokens of a text; unknown ones are left out. */
export type Tokenizer = (text: string) => number[]
/** The numbers of the tokens of one word. */
export type WordCutter = (word: string) => number[]
type TextCutter = (text: string) => string[]

const META = '\u2581'
const PUNCTUATION = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu

export interface ReadTokenizer {
  readonly tokenize: Tokenizer
  /** How many rows its numbers need. */
  readonly size: number
}

/** Throws a plain error for an unknown tokenizer. */
export function readTokenizer(json: unknown): ReadTokenizer {
  if (!isRecord(json) || !isRecord(json.model)) throw new Error('expected an object with `model`')
  const normalize = readNormalizer(json.normalizer)
  const cutText = readPreTokenizer(json.pre_tokenizer)
  const { type } = json.model
  const model =
    type === 'WordPiece'
      ? readWordPiece(json.model)
      : type === 'Unigram'
        ? readUnigram(json.model)
        : undefined
  if (!model) throw new Error(`expected a WordPiece or Unigram tokenizer, got \`${type}\``)
  const { cut, size } = model
  return { size, tokenize: text => cutText(normalize(text)).flatMap(cut) }
}

function readPreTokenizer(value: unknown): TextCutter {
  if (value === null || value === undefined) return text => (text === '' ? [] : [text])
  if (!isRecord(value)) throw new Error('expected `pre_tokenizer` to be an object')
  switch (value.type) {
    case 'Sequence': {
      const cutters = (Array.isArray(value.pretokenizers) ? value.pretokenizers : []).map(readPreTokenizer)
      return text => cutters.reduce<string[]>((parts, cut) => parts.flatMap(cut), [text])
    }
    case 'BertPreTokenizer':
      return text => text.match(PUNCTUATION) ?? []
    case 'Whitespace':
      return text => text.match(/[\p{L}\p{N}\p{M}_]+|[^\p{L}\p{N}\p{M}_\s]+/gu) ?? []
    case 'WhitespaceSplit':
      return text => text.match(/\S+/g) ?? []
    case 'Punctuation':
      return text => text.match(/[!-/:-@[-`{-~\p{P}]|[^!-/:-@[-`{-~\p{P}]+/gu) ?? []
    case 'Digits':
      return text => text.match(value.individual_digits ? /\p{N}|\P{N}+/gu : /\p{N}+|\P{N}+/gu) ?? []
    case 'Metaspace':
      return metaspace(value)
    default:
      throw new Error(`expected a known pre-tokenizer, got \`${value.type}\``)
  }
}

function metaspace({ prepend_scheme, add_prefix_space, split }: Record<string, unknown>): TextCutter {
  const isPrefixed = prepend_scheme === undefined ? add_prefix_space !== false : prepend_scheme !== 'never'
  return text => {
    const marked = text.replaceAll(' ', META)
    const whole = isPrefixed && !marked.startsWith(META) ? META + marked : marked
    return split === false ? [whole] : (whole.match(/\u2581?[^\u2581]+|\u2581/g) ?? [])
  }
}
