// `rye mcp` on standard input and output, used by the official client of both protocol eras, and by hand.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../fixtures/patience.ts'
import {
  addSleeper,
  answerOf,
  connectStdio,
  ERAS,
  isAsleep,
  makeWorld,
  ownNap,
  PROGRAM,
  searchFor,
  type World,
} from './mcp-world.ts'

describe.each(ERAS)('a client of %s', (_name, era) => {
  it('is introduced, finds, reads, runs and signs', async () => {
    const world = makeWorld()
    world.write(
      '.ai/knowledge/tides.md',
      '---\nid: tides\ntitle: Tides\nversion: 1.0.0\n---\n\nThe moon pulls the sea.\n',
    )
    const { client } = await connectStdio(world, era)
    expect(client.getServerVersion()?.name).toBe('rye')
    expect(client.getInstructions()).toContain('`search`')
    const call = async (name: string, args: object) =>
      answerOf(await client.callTool({ name, arguments: { ...args } }))
    const found = await searchFor(client, { query: 'what pulls the sea', limit: 1 })
    expect(found).toMatchObject({ results: [{ id: 'tides', type: 'knowledge' }] })
    expect(await call('load', { item_id: 'tides' })).toMatchObject({ status: 'success', source: 'project' })
    expect(await call('execute', { item_id: 'tides' })).toMatchObject({
      content: expect.stringContaining('moon'),
    })
    expect(await call('sign', { item_id: 'tides' })).toMatchObject({ status: 'error', code: 'KEY_MISSING' })
    await call('execute', { item_id: 'rye/file-system/ls', parameters: { path: '.' } })
    const [run] = receiptsOf(world)
    expect(run).toMatchObject({ item_id: 'rye/file-system/ls', caller: 'agent', client: 'test' })
  })

  it('is shown the same tools however many items there are', async () => {
    const world = makeWorld()
    const few = await connectStdio(world, era)
    const before = JSON.stringify(await few.client.listTools())
    for (let i = 0; i < 300; i++) {
      world.write(
        `.ai/knowledge/many/k${i}.md`,
        `---\nid: k${i}\ntitle: Number ${i}\nversion: 1.0.0\n---\n\ntext\n`,
      )
    }
    const many = await connectStdio(world, era)
    expect((await searchFor(many.client, { query: '*' })).total).toBeGreaterThan(299)
    expect(JSON.stringify(await many.client.listTools())).toBe(before)
    expect(Buffer.byteLength(before)).toBeLessThan(6000)
  })

  it('is told of progress in growing numbers, and its cancellation reaches the tool', async () => {
    const world = makeWorld()
    const nap = ownNap()
    addSleeper(world, nap)
    const { client } = await connectStdio(world, era)
    const abort = new AbortController()
    const progress: number[] = []
    const call = client.callTool(
      { name: 'execute', arguments: { item_id: 'sleeper' } },
      { signal: abort.signal, onprogress: ({ progress: value }) => progress.push(value) },
    )
    await until(() => isAsleep(nap) && progress.length > 0)
    abort.abort()
    await expect(call).rejects.toThrow()
    await until(() => !isAsleep(nap))
    expect(progress).toEqual([1])
    expect((await client.listTools()).tools).toHaveLength(4)
  })

  it('leaves nothing running when it goes away', async () => {
    const world = makeWorld()
    const nap = ownNap()
    addSleeper(world, nap)
    const { client, transport } = await connectStdio(world, era)
    const { pid } = transport
    client.callTool({ name: 'execute', arguments: { item_id: 'sleeper' } }).catch(() => {})
    await until(() => isAsleep(nap))
    await client.close()
    await until(() => !isAsleep(nap))
    await until(() => !isRunning(pid!))
  })

  it('learns what is wrong with the project that it names', async () => {
    const { client } = await connectStdio(makeWorld(), era)
    const wrong: [unknown, string][] = [
      ['/no/such/place', 'PROJECT_NOT_FOUND'],
      [PROGRAM, 'PROJECT_NOT_FOUND'],
      ['project', 'PROJECT_NOT_FOUND'],
      ['/tmp/\0', 'PROJECT_NOT_FOUND'],
      [5, 'INVALID_INPUT'],
    ]
    for (const [project_path, code] of wrong) {
      const result = await client.callTool({ name: 'search', arguments: { query: 'x', project_path } })
      expect(result.isError).toBe(true)
      expect(answerOf(result)).toMatchObject({ status: 'error', code })
    }
  })
})

it('lists the tools of the profile it was started with', async () => {
  const { client } = await connectStdio(makeWorld(), { mode: 'legacy' }, ['--profile', 'three'])
  expect((await client.listTools()).tools.map(tool => tool.name)).toEqual(['fetch', 'execute', 'sign'])
})

it.each([
  [['--profile', 'five'], 2],
  [['--port', 'x'], 2],
  [['--nonsense'], 2],
  [['--http', '--token-file', '/no/such/file'], 1],
])('refuses the flags %j with status %i and says nothing on standard output', async (flags, status) => {
  const server = start(makeWorld(), flags)
  server.child.stdin.end()
  expect(await server.ended).toBe(status)
  expect(server.output()).toBe('')
  expect(server.log()).toMatch(/^error: /)
})

describe('spoken to by hand', () => {
  it('answers what is piped in, then ends', async () => {
    const world = makeWorld()
    for (;;) {
      const server = start(world)
      server.child.stdin.write(`${initialize}\n`)
      const answers = [await server.next()]
      const endedAt = performance.now()
      server.child.stdin.end(`${request(2, 'tools/list')}\n${call(3, 'load', { item_id: 'no/such' })}`)
      expect(await server.ended).toBe(0)
      const tookMs = performance.now() - endedAt
      answers.push(...server.rest())
      // Nobody is waited for longer than this: a machine that took so long has shown nothing yet.
      if (answers.length < 3 && tookMs > GRACE_MS) continue
      expect(answers.map(answer => answer.id).sort()).toEqual([1, 2, 3])
      expect(answers.every(answer => answer.result)).toBe(true)
      break
    }
  })

  it.each([
    ['9007199254740993', 'cannot be kept exactly'],
    ['1e400', 'too large to keep'],
  ])('refuses a whole number that would arrive as another: %s', async (digits, says) => {
    const server = start(makeWorld())
    server.child.stdin.write(`${initialize}\n`)
    await server.next()
    const asked = { item_id: 'rye/file-system/read', parameters: { file_path: 'a', offset: 'DIGITS' } }
    server.child.stdin.write(`${call(2, 'execute', asked).replace('"DIGITS"', digits)}\n`)
    const answer = JSON.stringify(await server.next())
    expect(answer).toContain('PARAMETERS_INVALID')
    expect(answer).toContain(says)
    server.child.stdin.end()
    expect(await server.ended).toBe(0)
  })

  it('ends at once when nobody asks anything', async () => {
    const server = start(makeWorld())
    server.child.stdin.end()
    expect(await server.ended).toBe(0)
    expect(server.output()).toBe('')
  })

  it.each([
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const)('ends its tools on %s, with %i', async (signal, status) => {
    const world = makeWorld()
    const nap = ownNap()
    addSleeper(world, nap)
    const server = start(world)
    server.child.stdin.write(`${initialize}\n${call(2, 'execute', { item_id: 'sleeper' })}\n`)
    await until(() => isAsleep(nap))
    server.child.kill(signal)
    expect(await server.ended).toBe(status)
    await until(() => !isAsleep(nap))
  })

  it('ends its tools when its client is killed', async () => {
    const world = makeWorld()
    const nap = ownNap()
    addSleeper(world, nap)
    const server = start(world)
    server.child.stdin.write(`${initialize}\n${call(2, 'execute', { item_id: 'sleeper' })}\n`)
    await until(() => isAsleep(nap))
    server.child.stdout.destroy()
    server.child.stdin.destroy()
    expect(await server.ended).toBe(0)
    await until(() => !isAsleep(nap))
  })

  it('outlives whatever comes, answering each line as the protocol says', async () => {
    const server = start(makeWorld())
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    const lines: [string, object | undefined][] = [
      ['not json', { id: null, error: { code: -32700 } }],
      ['\u0000\u0001\ufffd', { id: null, error: { code: -32700 } }],
      ['[]', { id: null, error: { code: -32600 } }],
      [`[${request(90, 'ping')}]`, { id: null, error: { code: -32600 } }],
      ['{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', { id: null, error: { code: -32600 } }],
      ['{"jsonrpc":"2.0","id":12,"method":["ping"]}', { id: 12, error: { code: -32600 } }],
      [request(13, 'no/such/method'), { id: 13, error: { code: -32601 } }],
      [request(14, '__proto__'), { id: 14, error: { code: -32601 } }],
      [request(15, 'tools/call', {}), { id: 15, error: { code: -32602 } }],
      [request(16, 'tools/call', { name: 5 }), { id: 16, error: { code: -32602 } }],
      [request(17, 'tools/call', { name: 'search', arguments: 'x' }), { id: 17, error: { code: -32602 } }],
      [call(18, 'no_such_tool', {}), { id: 18, error: { code: -32602 } }],
      ['{"jsonrpc":"2.0","method":"no/such/notification"}', undefined],
      ['{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"x":1}}}', undefined],
      ['{"jsonrpc":"2.0","id":4711,"result":{}}', undefined],
      [call(19, 'search', { query: 'x', polluted: 1 }), { id: 19, result: { isError: true } }],
      [call(20, 'search', {}), { id: 20, result: { isError: true } }],
      [
        `{"jsonrpc":"2.0","id":21,"method":"tools/call","params":{"name":"search","arguments":{"query":"x","__proto__":{"polluted":"yes"}}}}`,
        { id: 21, result: {} },
      ],
      [
        `{"jsonrpc":"2.0","id":22,"method":"tools/call","params":{"name":"execute","arguments":{"item_id":"x","parameters":{"deep":${deep(2000)}}}}}`,
        { id: 22, result: { structuredContent: { code: 'INVALID_INPUT' } } },
      ],
      [
        `{"jsonrpc":"2.0","id":23,"method":"tools/call","params":{"name":"execute","arguments":{"item_id":"x","parameters":{"deep":${deep(500_000)}}}}}`,
        { id: 23 },
      ],
      [
        `{"jsonrpc":"2.0","id":24,"method":"ping","params":{"x":"${'x'.repeat(20 * 1024 * 1024)}"}}`,
        { id: 24, error: { code: -32600 } },
      ],
      [call(25, 'search', { query: 'y'.repeat(8 * 1024 * 1024) }), { id: 25, result: { isError: true } }],
    ]
    server.child.stdin.write(`${initialize}\n`)
    expect(await server.next()).toMatchObject({ id: 1 })
    for (const [line, expected] of lines) {
      server.child.stdin.write(`${line}\n`)
      if (expected) expect(await server.next(), line.slice(0, 100)).toMatchObject(expected)
    }
    server.child.stdin.write(`${request('last', 'tools/list')}\n`)
    expect(await server.next()).toMatchObject({ id: 'last', result: { tools: expect.any(Array) } })
    expect(server.output()).not.toContain('"polluted":"yes"')
    server.child.stdin.end()
    expect(await server.ended).toBe(0)
  })

  it('answers a client that speaks before it introduces itself', async () => {
    const server = start(makeWorld())
    server.child.stdin.write(`${request('a', 'tools/list')}\n`)
    expect(await server.next()).toMatchObject({ id: 'a' })
    server.child.stdin.end()
    expect(await server.ended).toBe(0)
  })

  it('serves on when nobody reads its log', async () => {
    const server = start(makeWorld())
    server.child.stderr.destroy()
    for (let i = 0; i < 50; i++) server.child.stdin.write('junk\n')
    server.child.stdin.write(`${initialize}\n`)
    for (let i = 0; i < 50; i++) await server.next()
    expect(await server.next()).toMatchObject({ id: 1 })
  })
})

/** How long the server goes on after the end of its input, for answers that are under way. */
const GRACE_MS = 1_000

const initialize = request(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'hand', version: '1' },
})

function request(id: number | string, method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) })
}

function call(id: number, name: string, args: object): string {
  return request(id, 'tools/call', { name, arguments: args })
}

interface Message {
  readonly id: number | string | null
  readonly result?: object
}

function start(world: World, flags: readonly string[] = []) {
  const child = spawn(process.execPath, [PROGRAM, 'mcp', ...flags], { cwd: world.project, env: world.env })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let output = ''
  let log = ''
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', line => lines.push(line))
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    log += chunk
  })
  child.stdin.on('error', () => {})
  let isOver = false
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  void ended.then(() => {
    isOver = true
  })
  return {
    child,
    output: () => output,
    log: () => log,
    ended,
    async next(): Promise<Message> {
      await until(() => lines.length > 0 || isOver)
      if (lines.length === 0) throw new Error(`the server has ended: ${log}`)
      return JSON.parse(lines.shift()!)
    },
    /** What nobody has asked for with `next`. */
    rest: (): Message[] => lines.splice(0).map(line => JSON.parse(line)),
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // No such process: that is the answer.
    return false
  }
}

function receiptsOf({ env }: World): Record<string, unknown>[] {
  const projects = join(env.HOME!, '.ai', 'state', 'projects')
  return readdirSync(projects).flatMap(name =>
    readFileSync(join(projects, name, 'receipts.jsonl'), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line)),
  )
}
