// The built command in its own project and user space.
//
// `rye` runs it inside the test's process, for tests of what a command answers, prints and writes. `start`
// runs it as its own process, which takes ten times as long. Use it for what only a process has (signals and
// kills, several at once, a terminal or a pipe, its start, its end after a fault, inherited descriptors and
// variables) and for commands that own their process: `mcp`, `ui`, `dev`, `demo`, and `edit`, whose editor
// has its terminal.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { loadProgram } from '../../src/program/load-program.ts'
import { commandWords } from '../../src/surfaces/cli/command-words.ts'

export const PROGRAM = fileURLToPath(new URL('../../dist/rye.cjs', import.meta.url))

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the members that it reads
  json(): any
}

interface RunOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** The current directory; the project by default. */
  readonly directory?: string
}

export interface Place {
  readonly root: string
  readonly project: string
  readonly user: string
  readonly environment: Record<string, string>
  rye(words: readonly string[], options?: RunOptions): Promise<Ran>
  start(words: readonly string[], options?: RunOptions): Promise<Ran>
  run(command: string, words: readonly string[], options?: RunOptions): Promise<Ran>
  remove(): void
}

export function makePlace(): Place {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'rye-cli-'))
  const [project, user] = [join(root, 'project'), join(root, 'user')]
  for (const folder of [project, user]) mkdirSync(folder)
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: user,
    USER_SPACE: user,
    XDG_CACHE_HOME: join(root, 'cache'),
  }
  const place: Place = {
    root,
    project,
    user,
    environment,
    rye: (words, { directory = project, env, input = '' } = {}) =>
      // A process sees the real path of its directory, not the link that led there.
      runInside(words, {
        directory: realpathSync(directory),
        environment: { ...environment, ...env },
        input,
      }),
    start: (words, options) => place.run(process.execPath, [PROGRAM, ...words], options),
    run: (command, words, options = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(command, words, {
          cwd: options.directory ?? project,
          env: { ...environment, ...options.env },
          stdio: ['pipe', 'pipe', 'pipe'],
        })
        let [stdout, stderr] = ['', '']
        child.stdout.on('data', chunk => {
          stdout += chunk
        })
        child.stderr.on('data', chunk => {
          stderr += chunk
        })
        child.stdin.on('error', () => {}) // it may not read its input
        child.stdin.end(options.input ?? '')
        child.on('error', reject)
        child.on('close', status => resolve({ status, stdout, stderr, json: () => JSON.parse(stdout) }))
      }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
  return place
}

let loaded: ReturnType<typeof loadProgram> | undefined

/** Loaded once for all tests of this process. */
function theProgram(): ReturnType<typeof loadProgram> {
  loaded ??= loadProgram(dirname(PROGRAM), { name: undefined, compiled: [] })
  return loaded
}

interface Inside {
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  readonly input?: string
}

/** Runs a command as `rye` of a place does, for tests that have made their own folders. */
export async function runInside(
  typed: readonly string[],
  { directory, environment, input = '' }: Inside,
): Promise<Ran> {
  const words = commandWords(typed)
  if (ownsProcess(words) || !environment.HOME || Object.keys(environment).some(name => OF_PROCESS.test(name)))
    throw new Error(`expected \`start\` for \`rye ${words.join(' ')}\`: it needs a process`)
  const [stdout, stderr] = [new Collector(), new Collector()]
  const status = await theProgram().run(words, {
    command: PROGRAM,
    // A process sees the real path of its directory, not the link that led there.
    directory: realpathSync(directory),
    elsewhere: undefined,
    environment,
    compiled: () => [],
    host: {
      stdin: Readable.from([Buffer.from(input)]),
      stdout,
      stderr,
      canAsk: () => false,
      exit(code) {
        throw new Error(`unreachable: ended with ${code}, though its output can be written`)
      },
    },
  })
  return { status, stdout: stdout.text, stderr: stderr.text, json: () => JSON.parse(stdout.text) }
}

/**
 * Variables that Node, the loader or LanceDB read from the process, whatever environment a command is given.
 */
const OF_PROCESS = /^(?:AWS|AZURE|GOOGLE|GCE|LANCE|NODE|LD)_|^(?:TZ|TMPDIR)$/

function ownsProcess(words: readonly string[]): boolean {
  if (words.includes('--help') || words.includes('-h')) return false
  const isServer = words[0] === 'mcp' && (words[1] === undefined || words[1].startsWith('-'))
  return isServer || ['ui', 'dev', 'demo', 'edit', 'version', '--version', '-v', '-V'].includes(words[0]!)
}

class Collector extends Writable {
  text = ''
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk
    done()
  }
}
