// Before each file of unit tests.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeEach, expect } from 'vitest'
import { IS_TORTURE } from './fixtures/tries.ts'

// Seeds are random, and a property that fails prints its own. In torture, one that does not say how often it runs is tried ten
// times as often.
if (IS_TORTURE) fc.configureGlobal({ numRuns: 1000 })

// A test must assert something. What `expectTypeOf` says is judged by the compiler, in `npm run check`, and counts for nothing
// while it runs.
beforeEach(({ task }) => {
  const isForCompiler = readFileSync(task.file.filepath, 'utf8').includes('expectTypeOf')
  if (isForCompiler) expect.setState({ isExpectingAssertions: false })
})
