// Somebody who has just installed rye: the packed archive, their own folder, no privileges, a terminal of 80
// columns, and a PATH with either what a bare machine has, or everything.
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
const NOBODY = 65_534
const IS_ROOT = process.getuid?.() === 0
/** What a bare machine has apart from Node and npm. */
const BASIC = [
  'sh',
  'env',
  'cat',
  'ls',
  'head',
  'mkdir',
  'mkfifo',
  'rm',
  'uname',
  'find',
  'stat',
  'printf',
  'echo',
]
const ESCAPES = /\u001b(?:\[[0-9;?]*[A-Za-z]|[=>])/g
/** A line of progress, and the sequence that clears it. */
const REDRAWN = /[^\n]*\r\u001b\[2K/g

export interface Person {
  readonly home: string
  readonly project: string
}

export interface Ran {
  readonly status: number | null
  readonly text: string
}

export interface Terminal {
  /** The PATH; that of a bare machine by default. */
  readonly path?: string
  readonly environment?: Readonly<Record<string, string>>
}

export class Installation {
  /** Holds everything. Whoever makes an installation removes it. */
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'rye-first-')))
  readonly archive: string
  readonly program: string
  /** npm's output. */
  readonly installed: string
  /** A PATH with Node, npm and basic commands, without Python, bash and bubblewrap. */
  readonly bare: string
  /**
   * The system's programs. Those in the home of the account that runs the tests cannot be started by other
   * users.
   */
  readonly full = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)

  constructor() {
    chmodSync(this.root, 0o755)
    const [packed] = JSON.parse(
      run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', this.root], CHECKOUT),
    )
    this.archive = join(this.root, packed.filename)
    const app = join(this.root, 'app')
    mkdirSync(app)
    writeFileSync(join(app, 'package.json'), '{}')
    this.installed = run('npm', ['install', '--offline', '--no-audit', '--no-fund', this.archive], app)
    this.program = join(app, 'node_modules/ryekit/dist/rye.cjs')
    this.bare = join(this.root, 'bin')
    mkdirSync(this.bare)
    symlinkSync(process.execPath, join(this.bare, 'node'))
    for (const name of [...BASIC, 'npm', 'npx']) symlinkSync(realpathSync(find(name)), join(this.bare, name))
  }

  /** Makes folders for a new person, unprivileged if we run as root. The home does not exist yet. */
  person(name: string): Person {
    const own = mkdtempSync(join(this.root, `${name}-`))
    const project = join(own, 'project')
    mkdirSync(project)
    if (IS_ROOT) for (const folder of [own, project]) chownSync(folder, NOBODY, NOBODY)
    return { home: join(own, 'home'), project }
  }

  /** Writes a file that belongs to the person, in folders that do too. */
  write({ project }: Person, path: string, text: string): void {
    let folder = project
    for (const name of path.split('/').slice(0, -1)) {
      folder = join(folder, name)
      if (existsSync(folder)) continue
      mkdirSync(folder)
      if (IS_ROOT) chownSync(folder, NOBODY, NOBODY)
    }
    writeFileSync(join(project, path), text)
    if (IS_ROOT) chownSync(join(project, path), NOBODY, NOBODY)
  }

  /** Runs rye in a terminal of 80 columns. */
  rye(who: Person, words: readonly string[], terminal: Terminal = {}): Promise<Ran> {
    return this.type(who, [process.execPath, this.program, ...words], terminal)
  }

  /** Runs any command in such a terminal. */
  type(who: Person, words: readonly string[], terminal: Terminal = {}): Promise<Ran> {
    const typed = words.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
    const script = `${find('stty')} cols 80; exec ${typed}`
    const [command, ...rest] = this.as(
      who,
      [find('script'), '--quiet', '--return', '--command', script, '/dev/null'],
      terminal,
    )
    return new Promise((resolve, reject) => {
      const child = spawn(command!, rest, { cwd: who.project, stdio: ['ignore', 'pipe', 'pipe'] })
      let text = ''
      const add = (chunk: unknown) => {
        text += String(chunk)
      }
      child.stdout.on('data', add)
      child.stderr.on('data', add)
      child.on('error', reject)
      child.on('close', status => resolve({ status, text: readScreen(text) }))
    })
  }

  /** The command line that runs `words` as this person, with this path and otherwise an empty environment. */
  as(who: Person, words: readonly string[], { path = this.bare, environment = {} }: Terminal = {}): string[] {
    const variables = { PATH: path, HOME: who.home, TERM: 'xterm', LANG: 'C.UTF-8', ...environment }
    const drop = [find('setpriv'), `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--']
    const given = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
    const hidden = path === this.bare ? withoutBubblewrap() : []
    return [...hidden, ...(IS_ROOT ? drop : []), find('env'), '-i', ...given, ...words]
  }
}

/**
 * Hides bubblewrap, which rye looks for in fixed places, not on the PATH. Where it is installed, a sandbox of
 * the test's own hides it.
 */
function withoutBubblewrap(): string[] {
  const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].filter(place => existsSync(place))
  if (places.length === 0) return []
  const hidden = new Set(places.map(place => realpathSync(place)))
  const covers = [...hidden].flatMap(place => ['--ro-bind', '/dev/null', place])
  return [places[0]!, '--dev-bind', '/', '/', ...covers, ...(IS_ROOT ? ['--cap-add', 'ALL'] : []), '--']
}

export function run(command: string, words: readonly string[], cwd: string): string {
  return execFileSync(command, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Finds a program that the test itself needs, which may not be on the person's PATH. */
function find(name: string): string {
  return run('which', [name], CHECKOUT).trim()
}

function readScreen(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(REDRAWN, '').replaceAll('\r', '').replaceAll(ESCAPES, '')
}

/** Lines over 80 columns that could have been broken. A single word, or a command to copy, cannot. */
export function longLines(text: string): string[] {
  return text.split('\n').filter(line => line.length > 80 && !/^\s*(?:\S+|(?:\$ )?rye .*)$/.test(line))
}
