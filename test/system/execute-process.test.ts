// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such text must reach a tool as it is
// Hostile and broken processes: each has a typed outcome within its limit, and nothing of it is left running.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runPlan } from '../../src/execute/run-plan.ts'
import { createRunner, type Runner } from '../../src/execute/runner.ts'
import {
  FIXTURES,
  findMarked,
  findSurvivors,
  makeDirectory,
  makeMarker,
  makePlan,
  type PlanParts,
  PYTHON,
  processInvocation,
} from '../execute/hand-made-plan.ts'
import { until } from '../fixtures/patience.ts'
import { tries } from '../fixtures/tries.ts'

/** It is closed as soon as anything of a tool is there: now before its sandbox is whole, now after. */
const CLOSINGS = tries({ usual: 10, torture: 60 })

describe.each(['process-group', 'bubblewrap'] as const)('in %s isolation', isolation => {
  let runner: Runner
  beforeAll(() => {
    runner = createRunner({ isolation, readable: [FIXTURES], env: process.env })
  })
  afterAll(() => runner.close())

  async function run(
    fixture: string,
    parts: Partial<PlanParts> & {
      args?: string[]
      stdin?: string
      signal?: AbortSignal
      marker?: string
    } = {},
  ) {
    const { args = [], stdin = '', signal, marker = makeMarker(), ...rest } = parts
    const projectPath = parts.projectPath ?? makeDirectory()
    const isPython = fixture.endsWith('.py')
    const invocation = processInvocation({
      command: isPython ? PYTHON : '/bin/bash',
      args: [join(FIXTURES, fixture), ...args],
      stdin,
      cwd: projectPath,
    })
    const plan = makePlan({
      invocation,
      projectPath,
      environment: { PATH: process.env.PATH ?? '', MARKER: marker },
      ...rest,
    })
    const outcome = await runPlan(plan, runner, signal ? { signal } : {})
    return { ...outcome, projectPath, survivors: await findSurvivors(marker) }
  }

  it('says which isolation was used', async () => {
    expect(await run('print-nothing.sh')).toMatchObject({ status: 'success', isolation, survivors: [] })
  })

  it('passes arguments and standard input byte for byte', async () => {
    const args = ['$(touch pwned)', '`id`', '--flag', 'ü\n"quoted"', '']
    const stdin = '{"a": "${HOME} {project_path} \\u0000"}\n\t'
    expect(await run('echo-arguments.py', { args, stdin })).toMatchObject({ data: { args, stdin } })
  })

  it('gives the child the planned environment and no more', async () => {
    const { data } = await run('print-environment.py', {
      environment: { PATH: process.env.PATH ?? '', ONLY: 'this' },
    })
    const allowed = [
      'PATH',
      'ONLY',
      'LC_CTYPE',
      'PWD',
      'TMPDIR',
      'SHLVL',
      '_',
      'OLDPWD',
      'PYENV_DIR',
      'PYENV_HOOK_PATH',
      'PYENV_ROOT',
      'PYENV_VERSION',
      'PYENV_COMMAND_PATH',
      'RBENV_VERSION',
    ]
    expect(
      Object.keys(data as object).filter(name => !allowed.includes(name) && !name.startsWith('PYENV')),
    ).toEqual([])
  })

  it('a shell does not run the start-up files of the user', async () => {
    const projectPath = makeDirectory()
    writeFileSync(join(projectPath, '.bashrc'), 'echo from bashrc')
    const invocation = processInvocation({ args: ['-c', 'echo from tool'], cwd: projectPath })
    const plan = makePlan({
      projectPath,
      invocation,
      environment: { PATH: '/usr/bin:/bin', HOME: projectPath },
    })
    expect(await runPlan(plan, runner)).toMatchObject({ data: { stdout: 'from tool\n' } })
  })

  it.each([
    ['print-nothing.sh', { stdout: '', exit_code: 0 }],
    ['exit-0-garbage.py', { exit_code: 0, stdout: expect.stringContaining('not json') }],
    ['close-stdout-early.py', { stdout: '', stderr: 'still here\n', exit_code: 0 }],
    ['print-json-rpc.py', { jsonrpc: '2.0', id: 1 }],
    ['never-read-stdin.sh', { read: false }],
  ])('%s is an answer like any other', async (fixture, data) => {
    const outcome = await run(fixture, { stdin: 'x'.repeat(300_000) })
    expect(outcome).toMatchObject({ status: 'success', data, survivors: [] })
  })

  it('a non-zero exit is an error with the evidence', async () => {
    const outcome = await run('exit-3.sh')
    expect(outcome).toMatchObject({
      status: 'error',
      error: { code: 'EXECUTION_FAILED', message: 'the tool ended with exit status 3: the disk is on fire' },
      data: { exit_code: 3, stderr: 'line one\nsomething broke\n' },
    })
  })

  it('a missing interpreter is named', async () => {
    const projectPath = makeDirectory()
    for (const command of ['no-such-interpreter', '/no/such/interpreter']) {
      const plan = makePlan({ projectPath, invocation: processInvocation({ command, cwd: projectPath }) })
      expect(await runPlan(plan, runner)).toMatchObject({
        status: 'error',
        error: { code: 'INTERPRETER_MISSING', message: expect.stringContaining(command) },
      })
    }
  })

  it('a flood is cut, marked and ended', async () => {
    const outcome = await run('flood-stdout.py')
    expect(outcome).toMatchObject({ status: 'error', error: { code: 'OUTPUT_TOO_LARGE' }, survivors: [] })
    const { stdout } = outcome.data as { stdout: string }
    expect(stdout.length).toBeLessThan(1_000_200)
    expect(stdout.endsWith('[truncated: the first 1000000 bytes are shown]')).toBe(true)
  })

  it('output a little over the limit is cut at a whole character, and the tool is left to end', async () => {
    const outcome = await run('print-a-little-too-much.py')
    expect(outcome).toMatchObject({ status: 'success', data: { truncated: true, exit_code: 0 } })
    expect((outcome.data as { stdout: string }).stdout).not.toContain('\ufffd')
  })

  it.each(['sleep-forever.sh', 'ignore-term.sh', 'read-stdin-forever.sh'])(
    '%s is ended when its time is over',
    async fixture => {
      const outcome = await run(fixture, { timeoutMs: 300 })
      expect(outcome).toMatchObject({ status: 'error', error: { code: 'EXECUTION_TIMEOUT' }, survivors: [] })
    },
  )

  it('a tool is told to end before it is made to', async () => {
    const projectPath = makeDirectory()
    // It cannot hear what comes before it listens, which it says: where that takes long, it gets more time.
    for (let timeoutMs = 500; ; timeoutMs *= 4) {
      const { data } = await run('clean-up-on-term.sh', { projectPath, args: [projectPath], timeoutMs })
      if ((data as { stdout: string }).stdout === 'started\n') break
    }
    expect(existsSync(join(projectPath, 'cleaned'))).toBe(true)
  })

  it('a cancelled tool is ended at once', async () => {
    const controller = new AbortController()
    const marker = makeMarker()
    const running = run('sleep-forever.sh', { signal: controller.signal, marker })
    await until(() => findMarked(marker).length > 0)
    controller.abort()
    expect(await running).toMatchObject({
      status: 'error',
      error: { code: 'EXECUTION_CANCELLED' },
      survivors: [],
    })
  })

  it('a grandchild of a tool that has ended is ended too', async () => {
    expect(await run('double-fork.py')).toMatchObject({
      status: 'success',
      data: { done: true },
      survivors: [],
    })
  })

  it('progress and output reach the caller while the tool runs, without secrets', async () => {
    const projectPath = makeDirectory()
    const seen: unknown[] = []
    const written: string[] = []
    const invocation = processInvocation({
      command: PYTHON,
      args: [join(FIXTURES, 'report-progress.py')],
      cwd: projectPath,
    })
    const plan = { ...makePlan({ projectPath, invocation }), secrets: ['first-part\nsecond-part'] }
    const outcome = await runPlan(plan, runner, {
      onProgress: line => seen.push(line),
      onOutput: line => written.push(line),
    })
    expect(outcome).toMatchObject({ status: 'success', data: [1, 2, 3] })
    expect(written.sort()).toEqual(['[1, 2, 3]', 'with [secret]'])
    expect(seen).toEqual([0, 1, 2].map(progress => ({ progress, total: 3 })))
  })

  it('closing the runner ends what still runs, or is about to', { repeats: CLOSINGS - 1 }, async () => {
    const marker = makeMarker()
    const projectPath = makeDirectory()
    const own = createRunner({ isolation, readable: [FIXTURES] })
    const invocation = processInvocation({ args: [join(FIXTURES, 'sleep-forever.sh')], cwd: projectPath })
    const plan = makePlan({ projectPath, invocation, environment: { PATH: '/usr/bin:/bin', MARKER: marker } })
    const running = runPlan(plan, own)
    await until(() => findMarked(marker).length > 0)
    await own.close()
    expect(await running).toMatchObject({ status: 'error' })
    expect(await findSurvivors(marker)).toEqual([])
  })
})

describe('where a pid namespace exists', () => {
  let runner: Runner
  beforeAll(() => {
    runner = createRunner({ isolation: 'bubblewrap', readable: [FIXTURES] })
  })
  afterAll(() => runner.close())

  function plan(args: string[], marker: string, command = PYTHON) {
    const projectPath = makeDirectory()
    const invocation = processInvocation({ command, args, cwd: projectPath })
    const environment = { PATH: process.env.PATH ?? '', MARKER: marker }
    return makePlan({ projectPath, invocation, environment })
  }

  it('a grandchild that left the session is ended too', async () => {
    const marker = makeMarker()
    const outcome = await runPlan(plan([join(FIXTURES, 'setsid-grandchild.py')], marker), runner)
    expect(outcome).toMatchObject({ status: 'success', data: { done: true } })
    expect(await findSurvivors(marker)).toEqual([])
  })

  it('a fork bomb ends with its time', async () => {
    // Time to become many; where that takes long, it gets more.
    for (let [timeoutMs, most] = [2_000, 0]; most <= 100; timeoutMs *= 4) {
      const marker = makeMarker()
      const bombing = runPlan({ ...plan([join(FIXTURES, 'fork-bomb.py')], marker), timeoutMs }, runner)
      const looking = setInterval(() => {
        most = Math.max(most, findMarked(marker).length)
      }, 100)
      const outcome = await bombing
      clearInterval(looking)
      expect(outcome).toMatchObject({ status: 'error', error: { code: 'EXECUTION_TIMEOUT' } })
      expect(await findSurvivors(marker)).toEqual([])
    }
  })

  it('a fork bomb ends when it is cancelled, and others are served meanwhile', async () => {
    const marker = makeMarker()
    const controller = new AbortController()
    const bomb = { ...plan([join(FIXTURES, 'fork-bomb.py')], marker), timeoutMs: 600_000 }
    const bombing = runPlan(bomb, runner, { signal: controller.signal })
    await until(() => findMarked(marker).length > 100)
    const other = { ...plan(['-c', 'echo 1'], makeMarker(), '/bin/bash'), timeoutMs: 120_000 }
    expect(await runPlan(other, runner)).toMatchObject({ status: 'success', data: 1 })
    expect(findMarked(marker)).not.toEqual([])
    controller.abort()
    expect(await bombing).toMatchObject({ status: 'error', error: { code: 'EXECUTION_CANCELLED' } })
    expect(await findSurvivors(marker)).toEqual([])
  })

  it('the number of processes and the size of the private tmp are bounded', async () => {
    const script = 'echo "[$(ulimit -u), $(df --output=size --block-size=1 /tmp | tail -1)]"'
    const { data } = await runPlan(plan(['-c', script], makeMarker(), '/bin/bash'), runner)
    const [processes, bytes] = data as [number, number]
    expect(processes).toBeLessThanOrEqual(4_096)
    expect(bytes).toBe(512 * 1024 * 1024)
  })
})
