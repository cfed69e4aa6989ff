// Shortens data that is too long for an answer: its beginning, its end, and an id to read the rest. Pure.
import { isRecord, type JsonObject, type JsonValue } from '../../../base/index.ts'
import { sliceText } from '../../definition/slice-text.ts'

/** Data whose JSON is longer is shortened. */
const MOST_BYTES = 16_384
const HEAD_BYTES = 2_000
const TAIL_BYTES = 4_000
/** The other members of an object stay beside its longest one if they are no longer than this. */
const MOST_REST_BYTES = 2_000

export interface LongData {
  /** The whole text: the longest member of an object if the others are short, otherwise all data as JSON. */
  readonly text: string
  readonly shorten: (id: string | null) => JsonObject
}

/** Undefined if the data is short. */
export function findLongData(data: JsonValue): LongData | undefined {
  const json = JSON.stringify(data)
  if (Buffer.byteLength(json) <= MOST_BYTES) return undefined
  if (typeof data === 'string') return longText(data)
  const longest = isRecord(data) ? longestMember(data) : undefined
  if (longest === undefined || !isRecord(data)) return longText(json)
  const { [longest]: value, ...rest } = data
  const restBytes = Buffer.byteLength(JSON.stringify(rest))
  const isClear = !KEYS.some(key => Object.hasOwn(rest, key))
  if (restBytes > MOST_REST_BYTES || !isClear) return longText(json)
  return longText(typeof value === 'string' ? value : JSON.stringify(value), { ...rest, of: longest })
}

const KEYS = ['of', 'size', 'id', 'head', 'tail']

function longText(text: string, beside: JsonObject = {}): LongData {
  const bytes = Buffer.from(text)
  const head = sliceText(bytes, 0, HEAD_BYTES).text
  const tail = sliceText(bytes, Math.max(0, bytes.length - TAIL_BYTES), TAIL_BYTES).text
  const shorten = (id: string | null): JsonObject => ({ ...beside, size: bytes.length, id, head, tail })
  return { text, shorten }
}

function longestMember(data: JsonObject): string | undefined {
  const sizes = Object.entries(data).map(([name, value]) => ({ name, size: JSON.stringify(value).length }))
  return sizes.sort((a, b) => b.size - a.size)[0]?.name
}
