// A project, a user space and the built server, for tests that talk to it as its clients do.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { until } from '../fixtures/patience.ts'
import { PROGRAM, runInside } from './run-rye.ts'

export { PROGRAM }

export const ERAS = [
  ['the 2025 era', { mode: 'legacy' }],
  ['revision 2026-07-28', { mode: { pin: '2026-07-28' } }],
] as const satisfies readonly [string, ClientOptions['versionNegotiation']][]

type Era = (typeof ERAS)[number][1]

export interface World {
  readonly root: string
  readonly project: string
  readonly env: Record<string, string>
  /** Writes a file below the project. */
  write(path: string, text: string): void
}

/** Unsigned items of the project are accepted here: these tests are about the surface, not trust. */
export function makeWorld(): World {
  const root = mkdtempSync(join(tmpdir(), 'rye-mcp-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  const project = join(root, 'project')
  const home = join(root, 'home')
  mkdirSync(project)
  mkdirSync(home)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    USER_SPACE: home,
    XDG_CACHE_HOME: join(root, 'cache'),
    RYE_DEV_MODE: '1',
  }
  return {
    root,
    project,
    env,
    write(path, text) {
      const file = join(project, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    },
  }
}

const HEAD = '# __version__ = "1.0.0"\n# __executor_id__ = "rye/core/runtimes/bash/bash"\n'

/** A tool that reports progress and then sleeps. */
export function addSleeper(world: World, seconds: number): void {
  const progress = '{"progress": 1, "total": 2, "message": "half"}'
  world.write(
    '.ai/tools/sleeper.sh',
    `#!/bin/bash\n${HEAD}echo '${progress}' >&2\nsleep ${seconds}\necho '"slept"'\n`,
  )
}

/** A tool that creates a file `waiting` when it starts, and ends when a file `go` appears. */
export function addWaiter(world: Pick<World, 'write'>): void {
  const script = 'touch waiting\nuntil [ -e go ]; do sleep 0.01; done\necho \'"waited"\'\n'
  world.write('.ai/tools/waiter.sh', `#!/bin/bash\n${HEAD}${script}`)
}

/** Adds a signed skill to the project or the user space, and makes the user's key if there is none. */
export async function addSkill(world: World, name: string, source: 'project' | 'user'): Promise<void> {
  const place = join(source === 'user' ? world.env.HOME! : world.project, '.ai/skills', name)
  const files = {
    'SKILL.md': `---\nname: ${name}\ndescription: Greet somebody in the voice of ${name}\nlicense: MIT\n---\n\n# ${name}\n`,
    'references/manners.md': '# Manners\n\nBow first.\n',
    'scripts/greet.py': 'print("hello")\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
  if (!existsSync(join(world.env.HOME!, '.ai/config/keys/signing'))) await rye(world, ['keys', 'generate'])
  await rye(world, ['sign', `skill:${name}`, '--source', source])
}

async function rye({ project, env }: World, words: readonly string[]): Promise<void> {
  const ran = await runInside(words, { directory: project, environment: env })
  if (ran.status !== 0) throw new Error(`rye ${words.join(' ')}: ${ran.stdout}${ran.stderr}`)
}

let naps = 0
/**
 * A number of seconds that no other test sleeps for, in this run or a parallel one; longer than any test
 * takes.
 */
export function ownNap(): number {
  naps += 1
  return process.pid * 100 + 10_000 + naps
}

/** Whether any process runs `sleep` for this long. */
export function isAsleep(seconds: number): boolean {
  return readdirSync('/proc').some(name => {
    try {
      return (
        /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').endsWith(`sleep\0${seconds}\0`)
      )
    } catch {
      // The process ended while we looked.
      return false
    }
  })
}

export async function connectStdio(world: World, era: Era, flags: readonly string[] = []) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...flags],
    cwd: world.project,
    env: world.env,
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: era })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, transport }
}

export interface HttpServer {
  readonly url: URL
  readonly token: string
  readonly child: ChildProcess
  readonly log: () => string
  readonly ended: Promise<number | null>
}

export async function startHttp(world: World, flags: readonly string[] = []): Promise<HttpServer> {
  const port = flags.includes('--port') ? [] : ['--port', '0']
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--http', ...port, ...flags], {
    cwd: world.root,
    env: world.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', chunk => {
    log += chunk
  })
  // Not `exit`: its last output may arrive after that.
  let isOver = false
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  void ended.then(() => {
    isOver = true
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  // The log is text or JSON.
  await until(() => /^listening: .*\n|"event":"listening".*\n/m.test(log) || isOver)
  if (isOver) throw new Error(log)
  const read = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(log)?.[1] ?? ''
  const address = read('listening') || /"(http:[^"]*\/mcp)"/.exec(log)![1]!
  return { url: new URL(address), token: read('token'), child, log: () => log, ended }
}

export async function connectHttp(server: HttpServer, era: Era) {
  const transport = new StreamableHTTPClientTransport(server.url, {
    requestInit: { headers: { authorization: `Bearer ${server.token}` } },
  })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: era })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** The structured answer of a tool, after checking that its one text block says the same. */
export function answerOf(result: {
  content?: unknown
  structuredContent?: unknown
}): Record<string, unknown> {
  const content = result.content as { type: string; text: string }[]
  if (content.length !== 1 || content[0]!.type !== 'text') throw new Error('expected one text block')
  if (content[0]!.text !== JSON.stringify(result.structuredContent)) {
    throw new Error('expected the text to be the structured content')
  }
  return result.structuredContent as Record<string, unknown>
}

/** Searches as an agent does: again, while the answer says that the index is still being built. */
export async function searchFor(
  client: Client,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  for (;;) {
    const answer = answerOf(await client.callTool({ name: 'search', arguments: input }))
    if (!String(answer.warning).includes('still being built')) return answer
  }
}
