// Reads the part of an item that was asked for.
import { type Caller, type JsonObject, type JsonValue, printHint } from '../../../base/index.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import { sliceText } from '../../definition/slice-text.ts'
import { bytesFor, readOn, sliceLines } from '../long-text.ts'
import type { LOAD_FIELDS } from './fields.ts'

type Input = InputOf<typeof LOAD_FIELDS>

export type ItemInput = Omit<Input, 'offset' | 'limit'> & Partial<Pick<Input, 'offset' | 'limit'>>

export interface Page {
  readonly content: string
  readonly size?: number
  readonly next_offset?: number
  readonly hint?: string
}

/** The whole text, unless a part of it is asked for, or it is too long for this caller. */
export function readPage(bytes: Uint8Array, input: ItemInput, caller: Caller): Page {
  const { offset, limit } = input
  const most = bytesFor(caller)
  const isWhole = offset === undefined && limit === undefined && bytes.length <= most
  if (isWhole) return { content: new TextDecoder().decode(bytes) }
  const from = offset ?? 0
  const { text, end } = limit === undefined ? sliceLines(bytes, from, most) : sliceText(bytes, from, limit)
  return { content: text, ...footOf(bytes.length, end, input, caller) }
}

/** What is said below a page: its place in the whole, and to an agent that chose no limit how to go on. */
export function footOf(size: number, end: number, input: ItemInput, caller: Caller): Omit<Page, 'content'> {
  if (end >= size) return { size }
  const page = { size, next_offset: end }
  if (caller !== 'agent' || input.limit !== undefined) return page
  return { ...page, hint: printHint(readOn(nameOf(input), page), caller) }
}

/** The fields that find the same text again. */
function nameOf({ item_id, item_type, source, version }: ItemInput): JsonObject {
  const named = Object.entries({ item_id, item_type, source, version })
  return Object.fromEntries(
    named.filter((entry): entry is [string, JsonValue & string] => entry[1] !== undefined),
  )
}
