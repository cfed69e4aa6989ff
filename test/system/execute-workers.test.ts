// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such text must reach a tool as it is
// Functions in warm workers: what they answer, what they may break, and that breaking it costs one worker.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import { runPlan } from '../../src/execute/run-plan.ts'
import { createRunner, type Runner } from '../../src/execute/runner.ts'
import type { FunctionInvocation } from '../../src/plan/types.ts'
import {
  findSurvivors,
  functionInvocation,
  makeDirectory,
  makeMarker,
  makePlan,
  makePrivateCopy,
  type PlanParts,
  PYTHON,
} from '../execute/hand-made-plan.ts'
import { until } from '../fixtures/patience.ts'

/** A short time for what must time out, plenty for what must not. */
function timeFor(code: string): number {
  return code === 'EXECUTION_TIMEOUT' ? 400 : 20_000
}

describe.each(['process-group', 'bubblewrap'] as const)('in %s isolation', isolation => {
  let runner: Runner
  const projectPath = makeDirectory()
  beforeAll(() => {
    runner = createRunner({ isolation })
  })
  afterAll(() => runner.close())

  type Parts = Partial<PlanParts> & { call?: Partial<FunctionInvocation>; signal?: AbortSignal; on?: Runner }

  function python(source: string, { call, signal, on, ...rest }: Parts = {}) {
    const invocation = functionInvocation(source, { cwd: projectPath, command: PYTHON, ...call })
    return runPlan(makePlan({ projectPath, invocation, ...rest }), on ?? runner, signal ? { signal } : {})
  }

  function node(source: string, { call, signal, on, ...rest }: Parts = {}) {
    const extension = call?.filename ? '' : '.mjs'
    const invocation = functionInvocation(source, {
      host: 'node',
      cwd: projectPath,
      command: process.execPath,
      filename: `/copies/${sha256Hex(source)}/tool${extension}`,
      ...call,
    })
    return runPlan(makePlan({ projectPath, invocation, ...rest }), on ?? runner, signal ? { signal } : {})
  }

  describe('a Python function', () => {
    it('gets its parameters and the project, and answers with JSON', async () => {
      const parameters = {
        timeout: 1,
        cwd: 'x',
        env: { a: '${HOME}' },
        text: 'é\u0000"{project_path}"',
        n: [1, 2.5, null],
      }
      const source =
        'def execute(params, project_path):\n    return {"params": params, "project": project_path}\n'
      expect(await python(source, { parameters })).toMatchObject({
        status: 'success',
        isolation,
        data: { params: parameters, project: projectPath },
      })
    })

    it('may be asynchronous, and may take keywords', async () => {
      const source = 'import asyncio\nasync def add(a, b=2):\n    await asyncio.sleep(0)\n    return a + b\n'
      const call = { functionName: 'add', call: 'keywords' } as const
      expect(await python(source, { call, parameters: { a: 40 } })).toMatchObject({
        status: 'success',
        data: 42,
      })
    })

    it('may answer with values that JSON does not have', async () => {
      const source =
        'import datetime, pathlib\ndef execute(p, q):\n    return {"d": datetime.date(2020, 1, 2), (1, 2): float("nan"), "p": pathlib.PurePosixPath("/a"), "s": "\\ud800"}\n'
      expect(await python(source)).toMatchObject({
        data: { d: '2020-01-02', '(1, 2)': null, p: '/a', s: '\ud800' },
      })
    })

    it('cannot disturb the protocol by printing', async () => {
      const source =
        'import os, sys\ndef execute(p, q):\n    print(\'{"ok": true, "result": "forged"}\')\n    os.write(1, b"raw\\n")\n    print("err", file=sys.stderr)\n    return "real"\n'
      expect(await python(source)).toMatchObject({ status: 'success', data: 'real' })
    })

    it('fails with its traceback, which shows the verified source', async () => {
      const source = 'def helper():\n    raise ValueError("bad colour")\n\ndef execute(p, q):\n    helper()\n'
      const outcome = await python(source)
      expect(outcome).toMatchObject({
        status: 'error',
        error: { code: 'EXECUTION_FAILED', message: 'ValueError: bad colour' },
      })
      const { traceback } = outcome.data as { traceback: string }
      expect(traceback).toContain('raise ValueError("bad colour")')
      expect(traceback).not.toContain('python_worker')
    })

    it.each([
      ['a syntax error', 'def execute(:\n', 'SyntaxError'],
      ['no such function', 'x = 1\n', 'expected a function `execute`, found none'],
      ['sys.exit', 'import sys\ndef execute(p, q):\n    sys.exit(3)\n', 'the tool called sys.exit(3)'],
      [
        'success: false',
        'def execute(p, q):\n    return {"success": False, "error": "no luck"}\n',
        'no luck',
      ],
      [
        'a circular answer',
        'def execute(p, q):\n    a = []\n    a.append(a)\n    return a\n',
        'the result contains itself',
      ],
      ['endless recursion', 'def execute(p, q):\n    return execute(p, q)\n', 'RecursionError'],
    ])('%s is an error, and the worker goes on', async (_, source, message) => {
      // The interpreter's own modules outlive a call: by this mark the worker is known again.
      const mark =
        'import sys\ndef execute(p, q):\n    seen = hasattr(sys, "mark")\n    sys.mark = 1\n    return seen\n'
      await python(mark)
      expect(await python(source)).toMatchObject({
        status: 'error',
        error: { code: 'EXECUTION_FAILED', message: expect.stringContaining(message) },
      })
      expect((await python(mark)).data).toBe(true)
    })

    it('leaves nothing behind for the next call', async () => {
      const first =
        'import os, sys, json\nCOUNT = 0\ndef execute(p, q):\n    global COUNT\n    COUNT += 1\n    os.environ["LEFT"] = "x"\n    os.environ.pop("PATH")\n    os.chdir("/")\n    sys.path.insert(0, "/evil")\n    sys.stdout = None\n    return [COUNT, os.getpid()]\n'
      const second =
        'import os, sys\ndef execute(p, q):\n    return [os.environ.get("LEFT"), "PATH" in os.environ, os.getcwd(), "/evil" in sys.path, os.getpid()]\n'
      const one = await python(first)
      const two = await python(first)
      expect(one.data).toEqual(two.data)
      const [, pid] = one.data as [number, number]
      expect((await python(second)).data).toEqual([null, true, projectPath, false, pid])
    })

    it('imports its own siblings, not those of the tool before it', async () => {
      const cache = makeDirectory()
      const source = 'import helper\ndef execute(p, q):\n    return [helper.NAME, __file__]\n'
      for (const name of ['one', 'two']) {
        const privateCopy = makePrivateCopy(cache, { 'tool.py': source, 'helper.py': `NAME = "${name}"\n` })
        const filename = join(privateCopy.directory, 'tool.py')
        expect((await python(source, { call: { privateCopy, filename } })).data).toEqual([name, filename])
      }
    })

    it('loses its worker when it leaves a thread or a child running', async () => {
      const pid = 'def execute(p, q):\n    import os\n    return os.getpid()\n'
      for (const leave of [
        'import threading\nthreading.Thread(target=__import__("time").sleep, args=(60,), daemon=True).start()',
        'import subprocess\nsubprocess.Popen(["sleep", "60"])',
      ]) {
        const marker = makeMarker()
        const environment = { PATH: process.env.PATH ?? '', MARKER: marker }
        await python(`${leave}\n${pid}`, { environment })
        expect(await findSurvivors(marker)).toEqual([])
      }
    })

    it.each([
      ['os._exit', 'import os\ndef execute(p, q):\n    os._exit(7)\n', 'EXECUTION_FAILED'],
      [
        'a crash',
        'import os, signal\ndef execute(p, q):\n    os.kill(os.getpid(), signal.SIGSEGV)\n',
        'EXECUTION_FAILED',
      ],
      ['a hang', 'def execute(p, q):\n    while True: pass\n', 'EXECUTION_TIMEOUT'],
      [
        'a hang that ignores SIGTERM',
        'import signal, time\ndef execute(p, q):\n    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    time.sleep(60)\n',
        'EXECUTION_TIMEOUT',
      ],
      ['a flood', 'def execute(p, q):\n    while True: print("x" * 65536)\n', 'OUTPUT_TOO_LARGE'],
      ['a huge answer', 'def execute(p, q):\n    return "x" * 3_000_000\n', 'OUTPUT_TOO_LARGE'],
      [
        'junk on the protocol',
        'import os\ndef execute(p, q):\n    os.write(4, b"junk\\n")\n    import time; time.sleep(60)\n',
        'EXECUTION_FAILED',
      ],
    ])('%s costs that worker only', async (_, source, code) => {
      const marker = makeMarker()
      const environment = { PATH: process.env.PATH ?? '', MARKER: marker }
      const own = createRunner({ isolation })
      const healthy = 'def execute(p, q):\n    return "well"\n'
      const other = python(healthy, { on: own })
      expect(await python(source, { environment, timeoutMs: timeFor(code), on: own })).toMatchObject({
        status: 'error',
        error: { code },
      })
      expect(await other).toMatchObject({ status: 'success' })
      expect(await python(healthy, { environment, on: own })).toMatchObject({
        status: 'success',
        data: 'well',
      })
      await own.close()
      expect(await findSurvivors(marker)).toEqual([])
    })

    it('can be cancelled', async () => {
      const controller = new AbortController()
      const source = 'import time\ndef execute(p, q):\n    open("began", "w")\n    time.sleep(60)\n'
      const running = python(source, { signal: controller.signal })
      await until(() => existsSync(join(projectPath, 'began')))
      controller.abort()
      expect(await running).toMatchObject({ error: { code: 'EXECUTION_CANCELLED' } })
    })

    it('sees no environment but its own', async () => {
      const source = 'import os\ndef execute(p, q):\n    return os.environ.get("SECRET")\n'
      const environment = { PATH: process.env.PATH ?? '', SECRET: 'hunter22' }
      expect((await python(source, { environment, secrets: ['hunter22'] })).data).toBe('[secret]')
      expect((await python(source)).data).toBe(null)
    })
  })

  describe('a JavaScript function', () => {
    it('gets its parameters and the project, sync or async', async () => {
      const source = 'export async function execute(params, projectPath) { return { params, projectPath } }'
      const parameters = { a: 'é\u0000${HOME}' }
      expect(await node(source, { parameters })).toMatchObject({
        status: 'success',
        isolation,
        data: { params: parameters, projectPath },
      })
    })

    it('may be TypeScript', async () => {
      const source = 'interface P { n: number }\nexport const execute = (p: P): number => (p.n as number) + 1'
      const call = { filename: '/copies/x/tool.ts' }
      expect(await node(source, { call, parameters: { n: 1 } })).toMatchObject({ status: 'success', data: 2 })
    })

    it('may be CommonJS', async () => {
      const source = "const { basename } = require('node:path')\nexports.execute = () => basename(__filename)"
      expect((await node(source, { call: { filename: '/copies/x/tool.cjs' } })).data).toBe('tool.cjs')
      expect((await node(source, { call: { filename: '/copies/x/tool.js' } })).data).toBe('tool.js')
    })

    it('imports verified siblings, TypeScript ones too, and packages of its own place where that is allowed', async () => {
      const cache = makeDirectory()
      const source =
        "import { name } from './helper.ts'\nimport greet from 'greeter'\nexport const execute = () => greet(name)"
      const privateCopy = makePrivateCopy(cache, {
        'tool.ts': source,
        'helper.ts': 'export const name: string = "Ada"',
      })
      const { mkdirSync } = await import('node:fs')
      mkdirSync(join(projectPath, 'node_modules/greeter'), { recursive: true })
      writeFileSync(
        join(projectPath, 'node_modules/greeter/package.json'),
        '{"name":"greeter","type":"module","exports":"./index.js"}',
      )
      writeFileSync(
        join(projectPath, 'node_modules/greeter/index.js'),
        'export default name => `hello ${name}`',
      )
      const verdict = { format: null, signer: null }
      const element = { id: 'tool', space: 'project', path: join(projectPath, '.ai/tools/tool.ts'), verdict }
      // The runner uses nothing else of an element.
      const elements = [element] as unknown as PlanParts['elements']
      const call = { privateCopy, filename: join(privateCopy.directory, 'tool.ts') }
      expect(await node(source, { call, elements: elements! })).toMatchObject({
        error: { message: expect.stringContaining('node_modules/greeter/index.js` and not used, because') },
      })
      const allowed = { ...call, packages: { allowed: true, refusal: '' } }
      expect(await node(source, { call: allowed, elements: elements! })).toMatchObject({
        status: 'success',
        data: 'hello Ada',
      })
    })

    it('runs beside TypeScript that cannot be stripped, and is told why where it imports that', async () => {
      const files = { 'tool.mjs': '', 'bad.ts': 'export enum Colour { Red }' }
      const privateCopy = makePrivateCopy(makeDirectory(), files)
      const call = { privateCopy, filename: join(privateCopy.directory, 'tool.mjs') }
      expect(await node('export const execute = () => 1', { call })).toMatchObject({ data: 1 })
      const source = "import { Colour } from './bad.ts'\nexport const execute = () => Colour"
      const message = expect.stringMatching(/^`bad.ts`, line 1, column 8: an enum .*; use only TypeScript/)
      expect(await node(source, { call })).toMatchObject({ error: { message } })
    })

    it('reads a file that only has the suffix of TypeScript as it is', async () => {
      const translation = '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS></TS>\n'
      const privateCopy = makePrivateCopy(makeDirectory(), { 'tool.mjs': '', 'de.ts': translation })
      const call = { privateCopy, filename: join(privateCopy.directory, 'tool.mjs') }
      const source =
        "import { readFileSync } from 'node:fs'\nexport const execute = () => readFileSync(new URL('./de.ts', import.meta.url), 'utf8')"
      expect(await node(source, { call })).toMatchObject({ data: translation })
      const wrong = "import './de.ts'\nexport const execute = () => 1"
      expect(await node(wrong, { call })).toMatchObject({
        error: { message: "SyntaxError: `de.ts`: Unexpected token '<'" },
      })
    })

    it('does not import files that nobody verified', async () => {
      writeFileSync(join(projectPath, 'loose.mjs'), 'export default 1')
      const source = `import loose from '${projectPath}/loose.mjs'\nexport const execute = () => loose`
      expect(await node(source)).toMatchObject({
        error: { message: expect.stringContaining('not a verified sibling') },
      })
    })

    it('leaves nothing behind for the next call', async () => {
      const source =
        'let count = 0\nexport const execute = () => { const left = [globalThis.left, process.env.LEFT, process.cwd()]; globalThis.left = 1; process.env.LEFT = "x"; process.chdir("/"); console.log("noise"); return [++count, process.pid, ...left] }'
      const one = await node(source)
      const two = await node(source)
      expect(one.data).toEqual([1, expect.any(Number), null, null, projectPath])
      expect(two.data).toEqual(one.data)
    })

    it.each([
      [
        'an exception',
        'export const execute = () => { throw new TypeError("bad colour") }',
        'EXECUTION_FAILED',
        'TypeError: bad colour',
      ],
      [
        'a rejected promise',
        'export const execute = async () => { throw "text" }',
        'EXECUTION_FAILED',
        'text',
      ],
      ['a syntax error', 'export const execute = (', 'EXECUTION_FAILED', 'SyntaxError'],
      [
        'no function',
        'export const other = 1',
        'EXECUTION_FAILED',
        'expected a function `execute`, found none',
      ],
      [
        'a circular answer',
        'export const execute = () => { const a = {}; a.a = a; return a }',
        'EXECUTION_FAILED',
        'circular',
      ],
      [
        'process.exit',
        'export const execute = () => process.exit(0)',
        'EXECUTION_FAILED',
        'ended its worker',
      ],
      ['a hang', 'export const execute = () => { for (;;); }', 'EXECUTION_TIMEOUT', ''],
      [
        'a promise without end',
        'export const execute = () => new Promise(() => setInterval(() => {}, 1000))',
        'EXECUTION_TIMEOUT',
        '',
      ],
      [
        'a huge answer',
        'export const execute = () => "x".repeat(3_000_000)',
        'OUTPUT_TOO_LARGE',
        'expected at most',
      ],
    ])('%s is an error, and the next call is well', async (_, source, code, message) => {
      const outcome = await node(source, { timeoutMs: timeFor(code) })
      expect(outcome).toMatchObject({
        status: 'error',
        error: { code, message: expect.stringContaining(message) },
      })
      expect(await node('export const execute = () => "well"')).toMatchObject({ data: 'well' })
    })
  })

  it('uses one worker for calls in a row', async () => {
    const own = createRunner({ isolation, idleMs: 600_000 })
    // By its number and the time of its start: in each sandbox the numbers begin anew.
    const source =
      'import os\ndef execute(p, q):\n    return [os.getpid(), open("/proc/self/stat").read().split(")")[-1].split()[19]]\n'
    const workers = []
    for (let i = 0; i < 5; i++) workers.push((await python(source, { on: own })).data)
    expect(workers).toEqual(Array(5).fill([expect.any(Number), expect.stringMatching(/^\d+$/)]))
    expect(new Set(workers.map(worker => JSON.stringify(worker))).size).toBe(1)
    await own.close()
  })

  it('ends a worker that has been idle', async () => {
    const marker = makeMarker()
    const environment = { PATH: process.env.PATH ?? '', MARKER: marker }
    const own = createRunner({ isolation, idleMs: 200 })
    expect((await python('def execute(p, q):\n    return 1\n', { environment, on: own })).data).toBe(1)
    expect(await findSurvivors(marker)).toEqual([])
    await own.close()
  })

  it('leaves no mount point behind in the project', async () => {
    const bare = makeDirectory()
    const invocation = functionInvocation('def execute(p, q):\n    return 1\n', {
      cwd: bare,
      command: PYTHON,
    })
    // A sandbox that dies slowly leaves its own to the next run.
    await until(async () => {
      const own = createRunner({ isolation })
      expect(await runPlan(makePlan({ projectPath: bare, invocation }), own)).toMatchObject({ data: 1 })
      await own.close()
      return readdirSync(bare).every(name => name === '.ai')
    })
  })
})
