import { expect, it } from 'vitest'
import { parseBytes } from '../../src/parse/index.ts'
import { expectInside } from './inside.ts'
import { repeatedInputs } from './repeated.ts'

/** A reader that is not linear takes minutes at these sizes; one that is, a tenth of this on a slow machine. */
const MOST_CPU_SECONDS = 5

// The benchmark goes through more of the table, and says what the worst one costs.
const inputs = [...repeatedInputs(61)]

it('the table reaches every reader', () => {
  expect(new Set(inputs.map(input => input.parser)).size).toBe(8)
})

it.each(inputs)('$parser: $title, at the largest size', { timeout: 60_000 }, async input => {
  const bytes = new TextEncoder().encode(input.text)
  const before = process.cpuUsage()
  const { diagnostics } = await parseBytes(input.parser, bytes, input.extension)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1e6).toBeLessThan(MOST_CPU_SECONDS)
  expectInside(diagnostics, input.text)
})
