// Starts a tool that never ends, and then ends in the manner that its arguments name. Arguments: manner,
// isolation, marker.
import { existsSync } from 'node:fs'
import { runPlan } from '../../../src/execute/run-plan.ts'
import { createRunner } from '../../../src/execute/runner.ts'
import type { IsolationName } from '../../../src/execute/sandbox/isolation-name.ts'
import { planOf, scriptOf } from './plan-of.ts'

const [manner, isolation, marker] = process.argv.slice(2) as [string, IsolationName, string]
const cwd = process.cwd()
const plan = planOf(cwd, marker, scriptOf(cwd, 'touch running; sleep 60 & sleep 60'))
void runPlan(plan, createRunner({ isolation }))
while (!existsSync('running')) await new Promise(resolve => setTimeout(resolve, 20))
console.log('started')
if (manner === 'exit') process.exit(0)
if (manner === 'throw') throw new Error('on purpose')
process.kill(process.pid, 'SIGKILL')
