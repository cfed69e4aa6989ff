// Tools that run one at a time, whoever runs them: commands and servers, each its own process, on one
// project. The tool itself records this: it marks its beginning and end in one file, and beats while it runs.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { stateFolder } from '../fixtures/kept-places.ts'
import { until } from '../fixtures/patience.ts'
import { answerOf, connectStdio, makeWorld, PROGRAM, type World } from './mcp-world.ts'

const ERA = { mode: 'legacy' } as const

/** Longer than any test takes: such a tool ends when it is stopped, or when its test cleans up. */
const ENDLESS = 100_000

/** Beats in `beat.txt`, between its two marks in `marks.txt`, so many times or until there is a file `stop`. */
function addTool(world: World, id: string, beats: number, concurrency: 'exclusive' | 'shared'): void {
  const command = `
    run=$(date +%s%N)$$
    echo "start $run" >> marks.txt
    for ((i = 0; i < ${beats}; i++)); do
      [ -e stop ] && break
      [ -e marks.txt ] || exit 1
      echo "$run $i" > beat.txt
      sleep 0.01
    done
    echo "end $run" >> marks.txt
    echo '{"ran": true}'`
  const head = `tool_type: bash\nexecutor_id: rye/core/runtimes/bash/bash\nversion: "1.0.0"\ndescription: Beats\n`
  const text = `${head}concurrency: ${concurrency}\nconfig:\n  command: |${command}\n`
  world.write(`.ai/tools/${id}.yaml`, text)
}

interface Command {
  readonly child: ChildProcess
  readonly ended: Promise<{ status: number | null; answer: Record<string, unknown> }>
}

function execute(world: World, id: string, words: readonly string[] = []): Command {
  const child = spawn(process.execPath, [PROGRAM, 'execute', id, '--json', ...words], {
    cwd: world.project,
    env: world.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout?.on('data', chunk => {
    output += chunk
  })
  const ended = once(child, 'close').then(([status]) => ({
    status: status as number | null,
    answer: output === '' ? {} : JSON.parse(output),
  }))
  return { child, ended }
}

function marks(world: World): string[] {
  const path = join(world.project, 'marks.txt')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
}

/** Runs that began before another had ended. */
function overlaps(lines: readonly string[]): number {
  const open = new Set<string>()
  let found = 0
  for (const line of lines) {
    const [mark, run] = line.split(' ') as [string, string]
    if (mark === 'end') open.delete(run)
    else if (open.add(run).size > 1) found += 1
  }
  return found
}

function locksOf({ env, project }: World): string {
  return join(stateFolder(env.USER_SPACE!, realpathSync(project)), 'locks')
}

function locks(world: World): string[] {
  const folder = locksOf(world)
  return existsSync(folder) ? readdirSync(folder) : []
}

/** The processes that the one lock there is names: its server, and what the server has started under it. */
function holders(world: World): unknown[] {
  try {
    // Beside it may lie what is about to replace it, which does not count yet.
    const name = locks(world).find(one => one.endsWith('.lock'))
    return JSON.parse(readFileSync(join(locksOf(world), name!), 'utf8')).holders
  } catch {
    // Not there yet, or not yet written.
    return []
  }
}

function choose(world: World, isolation: 'bubblewrap' | 'process-group'): void {
  const path = join(world.env.HOME!, '.ai/config/rye.toml')
  mkdirSync(dirname(path), { recursive: true })
  appendFileSync(path, `[execute]\nisolation = "${isolation}"\n`)
}

describe('an exclusive tool', () => {
  it('never runs twice at once, in four commands and two servers', async () => {
    const world = makeWorld()
    addTool(world, 'once', 15, 'exclusive')
    const servers = await Promise.all([connectStdio(world, ERA), connectStdio(world, ERA)])
    const calls = servers.flatMap(({ client }) =>
      Array.from({ length: 3 }, () => client.callTool({ name: 'execute', arguments: { item_id: 'once' } })),
    )
    const commands = Array.from({ length: 4 }, () => execute(world, 'once'))
    const answers = [
      ...(await Promise.all(calls)).map(answerOf),
      ...(await Promise.all(commands.map(command => command.ended))).map(({ answer }) => answer),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 'success', data: { ran: true } })
    expect(marks(world)).toHaveLength(20)
    expect(overlaps(marks(world))).toBe(0)
    expect(locks(world)).toEqual([])
  })

  it('runs more than once at a time when it is not exclusive, and the marks show it', async () => {
    const world = makeWorld()
    addTool(world, 'beside', ENDLESS, 'shared')
    const commands = Array.from({ length: 3 }, () => execute(world, 'beside'))
    await until(() => marks(world).length === 3)
    world.write('stop', '')
    await Promise.all(commands.map(command => command.ended))
    expect(overlaps(marks(world))).toBe(2)
  })

  it('is free for others when its server is killed, and dead before they begin', async () => {
    const world = makeWorld()
    choose(world, 'bubblewrap')
    addTool(world, 'once', ENDLESS, 'exclusive')
    const { client, transport } = await connectStdio(world, ERA)
    client.callTool({ name: 'execute', arguments: { item_id: 'once' } }).catch(() => {})
    await until(() => marks(world).length === 1)
    const waiting = execute(world, 'once')
    await delay(500)
    expect(marks(world)).toHaveLength(1)
    process.kill(transport.pid!, 'SIGKILL')
    await until(() => marks(world).length === 2)
    const [first, second] = marks(world).map(mark => mark.split(' ')[1])
    // A beat that is just being written is empty.
    const beating = () => readFileSync(join(world.project, 'beat.txt'), 'utf8').split(' ')[0]
    // The last beat of the first stands until the second has beaten.
    await until(() => beating() === second)
    for (let i = 0; i < 20; i++) {
      expect(beating() || second).toBe(second)
      await delay(10)
    }
    expect(second).not.toBe(first)
    waiting.child.kill('SIGINT')
    expect((await waiting.ended).status).not.toBe(0)
    expect(locks(world)).toEqual([])
  })

  it('that outlives its killed server keeps its lock until it ends', async () => {
    const world = makeWorld()
    choose(world, 'process-group')
    addTool(world, 'once', 100, 'exclusive')
    const first = execute(world, 'once')
    // Without a sandbox there is no start barrier: a tool may have begun before its server could bind the lock to it.
    await until(() => marks(world).length === 1 && holders(world).length > 1)
    first.child.kill('SIGKILL')
    const second = execute(world, 'once', ['--trace'])
    expect((await second.ended).answer).toMatchObject({ status: 'success', isolation: 'process-group' })
    expect(marks(world).map(mark => mark.split(' ')[0])).toEqual(['start', 'end', 'start', 'end'])
    expect(overlaps(marks(world))).toBe(0)
    expect(locks(world)).toEqual([])
  })
})

describe('a caller that waits for an exclusive tool', () => {
  it('ends when its time is over, or when it is cancelled, and leaves nothing behind', async () => {
    const world = makeWorld()
    addTool(world, 'once', ENDLESS, 'exclusive')
    const holder = execute(world, 'once')
    await until(() => marks(world).length === 1)
    const held = locks(world)
    expect(held).toHaveLength(1)

    const late = execute(world, 'once', ['--timeout', '0.5'])
    expect(await late.ended).toMatchObject({
      status: 1,
      answer: { code: 'EXECUTION_TIMEOUT', error: expect.stringContaining('`once`') },
    })

    const interrupted = execute(world, 'once')
    await delay(1_000)
    interrupted.child.kill('SIGINT')
    await interrupted.ended

    const { client } = await connectStdio(world, ERA)
    const controller = new AbortController()
    const call = client.callTool(
      { name: 'execute', arguments: { item_id: 'once' } },
      { signal: controller.signal },
    )
    setTimeout(() => controller.abort(), 300)
    await expect(call).rejects.toThrow()
    // The server answers the next call once it knows of that.
    await client.listTools()

    expect(locks(world)).toEqual(held)
    expect(marks(world)).toHaveLength(1)
    world.write('stop', '')
    expect((await holder.ended).answer).toMatchObject({ status: 'success' })
    expect(locks(world)).toEqual([])
    const after = answerOf(
      await client.callTool({ name: 'execute', arguments: { item_id: 'once', timeout: 60 } }),
    )
    expect(after).toMatchObject({ status: 'success' })
    expect(overlaps(marks(world))).toBe(0)
  })

  it('takes no turn from other tools of its server', async () => {
    const world = makeWorld()
    addTool(world, 'once', ENDLESS, 'exclusive')
    addTool(world, 'beside', 1, 'shared')
    const holder = execute(world, 'once')
    await until(() => marks(world).length === 1)
    const { client } = await connectStdio(world, ERA)
    const call = (item_id: string) => client.callTool({ name: 'execute', arguments: { item_id } })
    const waiting = Array.from({ length: 40 }, () => call('once').catch(() => {}))
    await delay(300)
    for (let i = 0; i < 3; i++) {
      expect(answerOf(await call('beside'))).toMatchObject({ status: 'success' })
    }
    expect(holder.child.exitCode).toBe(null)
    holder.child.kill('SIGKILL')
    await client.close()
    await Promise.all(waiting)
  })

  it('gets an error when the lock cannot be kept', async () => {
    const world = makeWorld()
    addTool(world, 'once', 1, 'exclusive')
    mkdirSync(dirname(locksOf(world)), { recursive: true })
    writeFileSync(locksOf(world), 'not a folder')
    expect(await execute(world, 'once').ended).toMatchObject({
      status: 1,
      answer: { code: 'WRITE_FAILED', error: expect.stringContaining('`once`') },
    })
  })
})
