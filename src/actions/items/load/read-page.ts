// Reads the part of an item that was asked for.
import type { InputOf } from '../../definition/field-spec.ts'
import { sliceText } from '../../definition/slice-text.ts'
import type { LOAD_FIELDS } from './fields.ts'

type Input = InputOf<typeof LOAD_FIELDS>

export type ItemInput = Omit<Input, 'offset' | 'limit'> & Partial<Pick<Input, 'offset' | 'limit'>>

interface Page {
  readonly content: string
  readonly size?: number
  readonly next_offset?: number
}

/** The whole text, unless a part of it is asked for. */
export function readPage(bytes: Uint8Array, { offset, limit }: Pick<ItemInput, 'offset' | 'limit'>): Page {
  if (offset === undefined && limit === undefined) return { content: new TextDecoder().decode(bytes) }
  const { text, end } = sliceText(bytes, offset ?? 0, limit ?? bytes.length)
  return { content: text, size: bytes.length, ...(end < bytes.length && { next_offset: end }) }
}
