import { expect, it } from 'vitest'
import { parseBytes } from '../../src/parse/parse-bytes.ts'
import { expectInside } from './inside.ts'
import { type RepeatedInput, repeatedInputs } from './repeated.ts'

/** What is read in less needs no look at how it grows; seconds of the processor, which others do not take part in. */
const NO_MATTER = 1
/** Eight times the text takes a linear reader eight times as long, and a quadratic one 64 times. */
const MOST_GROWTH = 32

// The benchmark goes through more of the table, and says what the worst one costs.
const inputs = [...repeatedInputs(61)]

it('the table reaches every reader', () => {
  expect(new Set(inputs.map(input => input.parser)).size).toBe(8)
})

it.each(inputs)('$parser: $title, at the largest size', { timeout: 120_000 }, async input => {
  const { diagnostics, seconds } = await read(input, input.text)
  expectInside(diagnostics, input.text)
  if (seconds < NO_MATTER) return
  // Each reader is compared with itself and is loaded by now, so a slow machine makes no difference.
  const { seconds: less } = await read(input, input.shorter())
  const { seconds: more } = await read(input, input.text)
  expect(more / less).toBeLessThan(MOST_GROWTH)
})

async function read({ parser, extension }: RepeatedInput, text: string) {
  const bytes = new TextEncoder().encode(text)
  const before = process.cpuUsage()
  const { diagnostics } = await parseBytes(parser, bytes, extension)
  const { user, system } = process.cpuUsage(before)
  return { diagnostics, seconds: (user + system) / 1e6 }
}
