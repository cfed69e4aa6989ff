// Makes the answer of a batch fit into an agent's context: the first of each list, and how many more there
// are. A library of thousands of skills would fill it otherwise. Pure.
import type { SignedBatch } from './fields.ts'

/** `unchanged` is short for everybody. */
const MOST_NAMED = 100
/** Each with a text of its own. */
const MOST_TOLD = 20
const MOST_LINES = 6

export function briefBatch(batch: SignedBatch): SignedBatch {
  const { signed, failed, warnings, left_out, ...rest } = batch
  return {
    ...rest,
    signed: signed.slice(0, MOST_NAMED),
    ...countMore('more_signed', signed, MOST_NAMED),
    failed: failed
      .slice(0, MOST_TOLD)
      .map(({ details, ...one }) => ({ ...one, details: firstLines(details) })),
    ...countMore('more_failed', failed, MOST_TOLD),
    ...(warnings && {
      warnings: warnings
        .slice(0, MOST_TOLD)
        .map(({ item, warnings: said }) => ({ item, warnings: firstLines(said) })),
      ...countMore('more_warnings', warnings, MOST_TOLD),
    }),
    ...(left_out && {
      left_out: left_out.slice(0, MOST_TOLD),
      ...countMore('more_left_out', left_out, MOST_TOLD),
    }),
  }
}

function countMore<Name extends string>(
  name: Name,
  list: readonly unknown[],
  most: number,
): { readonly [key in Name]?: number } {
  return list.length > most ? ({ [name]: list.length - most } as { [key in Name]: number }) : {}
}

function firstLines(lines: readonly string[]): string[] {
  const more = lines.length - MOST_LINES
  return more > 0 ? [...lines.slice(0, MOST_LINES), `${more} more`] : [...lines]
}
