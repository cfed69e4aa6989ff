// Before each file of unit tests. Their temporary files are in memory, if there is enough of it (`global-setup.ts`). Seeds are random,
// and a property that fails prints its own; in `npm run torture` a property that does not say how often it runs is tried three times
// as often.
import fc from 'fast-check'
import { MEMORY_VARIABLE } from './fixtures/quick-folder.ts'
import { tries } from './fixtures/tries.ts'

const inMemory = process.env[MEMORY_VARIABLE]
if (inMemory !== undefined) process.env.TMPDIR = inMemory
fc.configureGlobal({ numRuns: tries({ usual: 100, torture: 300 }) })
