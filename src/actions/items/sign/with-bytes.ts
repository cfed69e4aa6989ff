// Gives an item as if it had been read with other content, which is about to be written in its place.
import { type Extractor, extractItem } from '../../../extract/index.ts'
import type { OpenedItem } from '../../../workspace/index.ts'

/** Counts as unsigned: whoever signed the old content did not sign this. */
export function withBytes(
  item: OpenedItem,
  bytes: Uint8Array,
  extractor: Extractor,
  reason: string,
): OpenedItem {
  const { id, extension } = item.file
  let parsed: ReturnType<OpenedItem['parse']> | undefined
  return {
    ...item,
    bytes: Buffer.from(bytes),
    verdict: {
      status: 'unsigned',
      format: null,
      coverage: null,
      hash: null,
      signer: null,
      timestamp: null,
      reason,
    },
    parse() {
      parsed ??= extractItem(extractor, { id, extension, bytes })
      return parsed
    },
  }
}
