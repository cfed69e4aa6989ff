// A server that announces a tool, starts it, and is then killed by the test.
// Arguments: project, isolation, tool, its interpreter, marker.

import { runPlan } from '../../../src/execute/run-plan.ts'
import { createRunner } from '../../../src/execute/runner.ts'
import type { IsolationName } from '../../../src/execute/sandbox/isolation-name.ts'
import type { Plan } from '../../../src/plan/types.ts'
import { planOf, scriptOf } from './plan-of.ts'

const [project, isolation, tool, command, marker] = process.argv.slice(2) as [
  string,
  IsolationName,
  string,
  string,
  string,
]

const callFunction = (host: 'python' | 'node', source: string) =>
  ({
    kind: 'function',
    host,
    command,
    functionName: 'execute',
    call: 'params',
    source: Buffer.from(source),
    digest: 'd',
    filename: `/copies/d/tool.${host === 'python' ? 'py' : 'mjs'}`,
    privateCopy: null,
    cwd: project,
    packages: { allowed: false, refusal: '' },
  }) as const

const TOOLS: Record<string, () => Plan['invocation']> = {
  script: () => scriptOf(project, 'touch began; sleep 600 & sleep 600'),
  'busy python': () =>
    callFunction(
      'python',
      'import subprocess\ndef execute(p, q):\n    subprocess.Popen(["sleep", "600"])\n    open("began", "w")\n    while True: pass\n',
    ),
  'idle python': () => callFunction('python', 'def execute(p, q):\n    open("began", "w")\n'),
  'waiting node': () =>
    callFunction(
      'node',
      'import { spawn } from "node:child_process"\nimport { writeFileSync } from "node:fs"\nexport const execute = () => { spawn("sleep", ["60"]); writeFileSync("began", ""); return new Promise(() => setInterval(() => {}, 1000)) }\n',
    ),
  'idle node': () =>
    callFunction(
      'node',
      'import { writeFileSync } from "node:fs"\nexport const execute = () => writeFileSync("began", "")\n',
    ),
}

// Not the project itself: a tool could not write to a project that is the home.
const home = `${project}/home`
const runner = createRunner({ isolation, home, userSpace: home })
// What is found out once is found out before: the moments after `starting` are those of the start itself.
await runner.isolation()
const running = runPlan(planOf(project, marker, TOOLS[tool]!()), runner)
console.log('starting')
await running
setInterval(() => {}, 1_000)
