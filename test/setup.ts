// Before each file of unit tests. Seeds are random, and a property that fails prints its own; in `npm run torture` a property
// that does not say how often it runs is tried ten times as often.
import fc from 'fast-check'
import { IS_TORTURE } from './fixtures/tries.ts'

if (IS_TORTURE) fc.configureGlobal({ numRuns: 1000 })
