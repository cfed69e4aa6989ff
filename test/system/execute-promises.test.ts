// Promises that hold over many runs: verified bytes run however files are swapped, memory stays flat, and nothing
// outlives us.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import { runPlan } from '../../src/execute/run-plan.ts'
import { createRunner } from '../../src/execute/runner.ts'
import {
  FIXTURES,
  findMarked,
  findSurvivors,
  functionInvocation,
  makeDirectory,
  makeMarker,
  makePlan,
  makePrivateCopy,
  PYTHON,
  processInvocation,
} from '../execute/hand-made-plan.ts'
import { tries } from '../fixtures/tries.ts'
import { buildProgram } from './programs/build-program.ts'

const runner = createRunner({ isolation: 'auto', readable: [FIXTURES] })
afterAll(() => runner.close())

const SWAPS = tries({ usual: 100, torture: 1000 })

describe('swapping files between verification and start', () => {
  it(`never runs the new bytes, in ${SWAPS} tries`, async () => {
    const project = makeDirectory()
    const cache = makeDirectory()
    const tool = join(project, '.ai/tools/tool.py')
    const shell = join(project, '.ai/tools/tool.sh')
    const helper = join(project, '.ai/tools/helper.py')
    mkdirSync(join(project, '.ai/tools'), { recursive: true })
    writeFileSync(
      tool,
      'import helper\ndef execute(params, project_path):\n    return ["good", helper.WORD]\n',
    )
    writeFileSync(helper, 'WORD = "good"\n')
    writeFileSync(shell, 'echo good')
    const known = new Set([tool, helper, shell].map(path => sha256Hex(readFileSync(path))))
    const swapper = spawn(PYTHON, [join(FIXTURES, 'swap-files.py'), tool, helper, shell])
    await once(swapper.stdout, 'data')
    /** One read, checked: as trust does it. */
    const verified = (path: string) => {
      const bytes = readFileSync(path)
      return known.has(sha256Hex(bytes)) ? bytes : undefined
    }
    const answers = new Map<string, number>()
    for (let i = 0; i < SWAPS || answers.size < 3; i++) {
      const plan = i % 10 === 0 ? planScript(verified(shell)) : planFunction(verified(tool), verified(helper))
      const answer = plan === undefined ? 'refused' : JSON.stringify((await runPlan(plan, runner)).data)
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      // A refusal takes microseconds: the swapper gets its turn before the next try.
      if (plan === undefined) await setTimeout(1)
    }
    swapper.kill('SIGKILL')
    expect([...answers.keys()].sort()).toEqual([
      '["good","good"]',
      'refused',
      '{"stdout":"good\\n","stderr":"","exit_code":0}',
    ])

    function planFunction(source: Buffer | undefined, beside: Buffer | undefined) {
      if (!source || !beside) return undefined
      const privateCopy = makePrivateCopy(cache, { 'tool.py': source, 'helper.py': beside })
      const filename = join(privateCopy.directory, 'tool.py')
      const invocation = functionInvocation(source, { cwd: project, command: PYTHON, privateCopy, filename })
      return makePlan({ projectPath: project, invocation })
    }

    function planScript(source: Buffer | undefined) {
      if (!source) return undefined
      const privateCopy = makePrivateCopy(cache, { 'tool.sh': source })
      const args = [join(privateCopy.directory, 'tool.sh')]
      return makePlan({
        projectPath: project,
        invocation: processInvocation({ args, cwd: project, privateCopy }),
      })
    }
  })
})

describe('a TypeScript file run as a script', () => {
  it('runs with its siblings and the packages of its place', async () => {
    const projectPath = makeDirectory()
    mkdirSync(join(projectPath, 'node_modules/greeter'), { recursive: true })
    writeFileSync(
      join(projectPath, 'node_modules/greeter/package.json'),
      '{"name":"greeter","type":"module","exports":"./index.js"}',
    )
    writeFileSync(
      join(projectPath, 'node_modules/greeter/index.js'),
      'export default name => ({ hello: name })',
    )
    const source =
      "import { who } from './who.ts'\nimport greet from 'greeter'\nconst answer: object = greet(who)\nconsole.log(JSON.stringify(answer))"
    const privateCopy = makePrivateCopy(makeDirectory(), {
      'tool.ts': source,
      'who.ts': 'export const who: string = "Ada"',
    })
    const invocation = processInvocation({
      command: process.execPath,
      args: [join(privateCopy.directory, 'tool.ts'), '--params', '{}'],
      cwd: projectPath,
      privateCopy,
      host: 'node',
      packages: { allowed: true, refusal: '' },
    })
    // Only the path of an element matters to the runner.
    const elements = [
      { path: join(projectPath, '.ai/tools/tool.ts'), verdict: { format: null, signer: null } },
    ] as unknown as ReturnType<typeof makePlan>['elements']
    expect(await runPlan(makePlan({ projectPath, invocation, elements }), runner)).toMatchObject({
      status: 'success',
      data: { hello: 'Ada' },
    })
  })
})

describe('memory', () => {
  it('stays flat over 1 000 warm calls, here and in the worker', async () => {
    const marker = makeMarker()
    const projectPath = makeDirectory()
    const source = 'def execute(p, q):\n    print(p["text"])\n    return p\n'
    const plan = makePlan({
      projectPath,
      parameters: { text: 'x'.repeat(1_000) },
      environment: { PATH: '/usr/bin:/bin', MARKER: marker },
      invocation: functionInvocation(source, { cwd: projectPath, command: PYTHON }),
    })
    const own = createRunner({ isolation: 'auto' })
    const call = async (times: number) => {
      for (let i = 0; i < times; i++) await runPlan(plan, own)
      return findMarked(marker).reduce((sum, pid) => sum + residentBytes(pid), 0)
    }
    const early = await call(200)
    const late = await call(800)
    await own.close()
    expect(early).toBeGreaterThan(1e6)
    expect(late - early).toBeLessThan(2e6)
  })
})

function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * 4096
}

describe('when our own process ends', () => {
  let built: { folder: string; program: string }
  beforeAll(async () => {
    built = await buildProgram('run-then-vanish')
    const workers = fileURLToPath(new URL('../../src/execute/workers/programs', import.meta.url))
    cpSync(workers, join(built.folder, 'workers'), { recursive: true })
  })
  afterAll(() => rmSync(built.folder, { recursive: true, force: true }))

  it.each([
    ['exit', 'process-group'],
    ['throw', 'process-group'],
    ['exit', 'bubblewrap'],
    ['throw', 'bubblewrap'],
    ['kill', 'bubblewrap'],
  ])('by %s, nothing of a tool in %s isolation is left', async (manner, isolation) => {
    const marker = makeMarker()
    const child = spawn(process.execPath, [built.program, manner, isolation, marker], {
      cwd: makeDirectory(),
    })
    let output = ''
    child.stdout.on('data', chunk => {
      output += chunk
    })
    child.stderr.on('data', chunk => {
      output += chunk
    })
    await once(child, 'close')
    expect(output).toContain('started')
    expect(await findSurvivors(marker)).toEqual([])
  })
})
