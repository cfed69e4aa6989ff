// Runs before each test file. Without processes, its temporary files are in memory if there is enough of it
// (`global-setup.ts`). Seeds are random, and a property that fails prints its own. In `npm run torture`,
// properties without a number of runs of their own run three times as often.
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
// Node reads extra certificate authorities at every start, some 70 ms for a system's whole list. Only the
// peer tests contact other machines.
env.NODE_EXTRA_CA_CERTS = isPeer ? (env[AUTHORITIES_VARIABLE] ?? '') : ''
fc.configureGlobal({ numRuns: tries({ usual: 100, torture: 300 }) })
