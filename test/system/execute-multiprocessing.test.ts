// Processes that a Python function starts with `multiprocessing`: new interpreters find what the function's
// file defines, as it was verified.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runPlan } from '../../src/execute/run-plan.ts'
import { createRunner, type Runner } from '../../src/execute/runner.ts'
import type { FunctionInvocation, ProcessInvocation } from '../../src/plan/types.ts'
import {
  functionInvocation,
  makeDirectory,
  makePlan,
  makePrivateCopy,
  PYTHON,
  processInvocation,
} from '../execute/hand-made-plan.ts'

const METHODS = ['fork', 'spawn', 'forkserver'] as const

const HEAD = `import multiprocessing, os
from concurrent.futures import ProcessPoolExecutor
class Point:
    def __init__(self, x):
        self.x = x
def square(point):
    return Point(point.x ** 2)
def put(queue, value):
    queue.put((value, os.getpid()))
`
const WAYS = {
  'a pool':
    'with context.Pool(2) as pool:\n        return [p.x for p in pool.map(square, map(Point, [2, 3]))]',
  'an executor':
    'with ProcessPoolExecutor(2, mp_context=context) as pool:\n        return [p.x for p in pool.map(square, map(Point, [2, 3]))]',
  'a process': `queue = context.Queue()
    process = context.Process(target=put, args=(queue, "hello"))
    process.start()
    value, pid = queue.get(timeout=20)
    process.join()
    return [value, pid != os.getpid(), process.exitcode]`,
}
const ANSWERS = { 'a pool': [4, 9], 'an executor': [4, 9], 'a process': ['hello', true, 0] }

describe.each(['process-group', 'bubblewrap'] as const)('in %s isolation', isolation => {
  let runner: Runner
  const projectPath = makeDirectory()
  beforeAll(() => {
    runner = createRunner({ isolation })
  })
  afterAll(() => runner.close())

  function run(invocation: FunctionInvocation | ProcessInvocation, timeoutMs = 60_000) {
    return runPlan(makePlan({ projectPath, invocation, timeoutMs }), runner)
  }

  function call(source: string, parts: Partial<FunctionInvocation> = {}) {
    return run(functionInvocation(source, { cwd: projectPath, command: PYTHON, ...parts }))
  }

  describe.each(METHODS)('%s', method => {
    const context = `context = multiprocessing.get_context("${method}")`

    it.each(Object.entries(WAYS))('%s', async (way, body) => {
      const source = `${HEAD}def execute(p, q):\n    ${context}\n    ${body}\n`
      expect(await call(source)).toMatchObject({
        status: 'success',
        data: ANSWERS[way as keyof typeof ANSWERS],
      })
    })

    it('as the usual method, of processes in processes, with a file beside the tool', async () => {
      const source = `import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from helper import twice
def inner(n):
    return twice(n) + 1
def outer(n):
    with ProcessPoolExecutor(1) as pool:
        return [multiprocessing.get_start_method(), *pool.map(inner, [n])]
def execute(p, q):
    multiprocessing.set_start_method("${method}", force=True)
    with ProcessPoolExecutor(1) as pool:
        return list(pool.map(outer, [20]))
`
      const files = { 'tool.py': source, 'helper.py': 'def twice(n):\n    return 2 * n\n' }
      const privateCopy = makePrivateCopy(makeDirectory(), files)
      const filename = join(privateCopy.directory, 'tool.py')
      expect(await call(source, { privateCopy, filename })).toMatchObject({
        status: 'success',
        data: [[method, 41]],
      })
    })

    it('a failure shows the verified source', async () => {
      const source = `import multiprocessing\ndef fail(n):\n    raise ValueError("bad colour")\ndef execute(p, q):\n    ${context}\n    with context.Pool(1) as pool:\n        pool.map(fail, [1])\n`
      const outcome = await call(source)
      expect(outcome).toMatchObject({ status: 'error', error: { message: 'ValueError: bad colour' } })
      expect((outcome.data as { traceback: string }).traceback).toContain(
        'line 3, in fail\n    raise ValueError("bad colour")\n',
      )
    })

    it('a script', async () => {
      const source = `${HEAD}if __name__ == "__main__":\n    ${context}\n    with ProcessPoolExecutor(1, mp_context=context) as pool:\n        print([p.x for p in pool.map(square, [Point(3)])])\n`
      const privateCopy = makePrivateCopy(makeDirectory(), { 'tool.py': source })
      const invocation = processInvocation({
        cwd: projectPath,
        command: PYTHON,
        args: [join(privateCopy.directory, 'tool.py')],
        privateArgs: { host: 'python', args: [] },
        host: 'python',
        privateCopy,
      })
      expect(await run(invocation)).toMatchObject({ status: 'success', data: [9] })
    })
  })
})
