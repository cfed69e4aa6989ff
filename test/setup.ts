// Before each file of tests. Temporary files of those without processes are in memory, if there is enough of it (`global-setup.ts`); seeds are
// random, and a property that fails prints its own; in `npm run torture` one that does not say how often it runs is tried three times as often.
import fc from 'fast-check'
import { expect } from 'vitest'
import { AUTHORITIES_VARIABLE, DISK_VARIABLE, MEMORY_VARIABLE } from './fixtures/run-variables.ts'
import { tries } from './fixtures/tries.ts'

const file = expect.getState().testPath
if (file === undefined) throw new Error('expected to run before a file of tests')
const hasProcesses = /[\\/]test[\\/]system[\\/]/.test(file)
const isPeer = file.endsWith('.peers.test.ts')
const { env } = process

env.TMPDIR = (hasProcesses ? undefined : env[MEMORY_VARIABLE]) ?? env[DISK_VARIABLE]
// Node reads further authorities at every start, some 70 ms for a system's whole list; only the peers speak with other machines.
env.NODE_EXTRA_CA_CERTS = isPeer ? (env[AUTHORITIES_VARIABLE] ?? '') : ''
fc.configureGlobal({ numRuns: tries({ usual: 100, torture: 300 }) })
