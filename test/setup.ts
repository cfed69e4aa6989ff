// Runs before each test file. Without processes, its temporary files are in memory if there is enough of it
// (`global-setup.ts`). Seeds are random, and a property that fails prints its own.
import { expect } from 'vitest'
import { DISK_VARIABLE, MEMORY_VARIABLE } from './fixtures/run-variables.ts'

const file = expect.getState().testPath
if (file === undefined) throw new Error('expected to run before a file of tests')
const hasProcesses = /[\\/]test[\\/]system[\\/]/.test(file)
const { env } = process

env.TMPDIR = (hasProcesses ? undefined : env[MEMORY_VARIABLE]) ?? env[DISK_VARIABLE]
// Node reads extra certificate authorities at every start, some 70 ms for a system's whole list. Only what
// fetches from other machines gets them.
env.NODE_EXTRA_CA_CERTS = ''
