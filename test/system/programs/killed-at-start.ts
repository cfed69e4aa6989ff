// A server that starts one tool, says so just before, and is then killed by whoever started it.
// Arguments: project, isolation, tool, its interpreter, marker.

import { runPlan } from '../../../src/execute/run-plan.ts'
import { createRunner } from '../../../src/execute/runner.ts'
import type { IsolationName } from '../../../src/execute/sandbox/isolation-name.ts'
import type { Plan } from '../../../src/plan/types.ts'

const [project, isolation, tool, command, marker] = process.argv.slice(2) as [
  string,
  IsolationName,
  string,
  string,
  string,
]

const runScript = (script: string) =>
  ({
    kind: 'process',
    command,
    args: ['-c', script],
    cwd: project,
    stdin: '',
    privateArgs: null,
    privateCopy: null,
    host: null,
  }) as const

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
  }) as const

const TOOLS: Record<string, () => Plan['invocation']> = {
  script: () => runScript('touch began; sleep 600 & sleep 600'),
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
const running = runPlan(
  {
    itemId: 'test/tool',
    projectPath: project,
    elements: [],
    references: [],
    chain: [],
    validatedPairs: 0,
    parameters: {},
    environment: { PATH: '/usr/bin:/bin', MARKER: marker },
    environmentOrigins: new Map(),
    secrets: [],
    timeoutMs: 600_000,
    concurrency: 'shared',
    permissions: { network: [], write: [] },
    leftOut: [],
    notes: [],
    invocation: TOOLS[tool]!(),
  },
  runner,
)
console.log('starting')
await running
setInterval(() => {}, 1_000)
