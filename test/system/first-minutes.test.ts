// The first minutes of somebody who installs: the packed archive, in an empty folder, as a user without privileges, with a path that holds
// only Node, npm and the basic commands, in a terminal of 80 columns; and the tour once more with everything that is installed.
// One installation below the temporary folder serves all cases.
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
const NOBODY = 65_534
const IS_ROOT = process.getuid?.() === 0
/** What a bare machine has besides Node and npm. */
const BASIC = ['sh', 'env', 'cat', 'ls', 'head', 'mkdir', 'rm', 'uname', 'find', 'stat', 'printf', 'echo']
const ESCAPES = /\u001b(?:\[[0-9;?]*[A-Za-z]|[=>])/g

let root: string
let program: string
let bare: string
/** What the test itself needs: they are not on the path of who tries. */
let programs: Record<'script' | 'stty' | 'setpriv', string>

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'rye-first-')))
  chmodSync(root, 0o755)
  const [packed] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', root], CHECKOUT),
  )
  const app = join(root, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{}')
  installed = run(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', join(root, packed.filename)],
    app,
  )
  program = join(app, 'node_modules/ryekit/dist/rye.cjs')
  const find = (name: string) => run('which', [name], root).trim()
  programs = { script: find('script'), stty: find('stty'), setpriv: find('setpriv') }
  bare = join(root, 'bin')
  mkdirSync(bare)
  symlinkSync(process.execPath, join(bare, 'node'))
  for (const name of BASIC) symlinkSync(find(name), join(bare, name))
}, 300_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))
let installed = ''

function run(command: string, words: readonly string[], cwd: string): string {
  return execFileSync(command, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

interface Person {
  readonly home: string
  readonly project: string
}

/** A folder of a user without privileges, if we may become one. */
function person(name: string): Person {
  const own = join(root, name)
  const project = join(own, 'project')
  for (const folder of [own, project]) {
    mkdirSync(folder)
    if (IS_ROOT) chownSync(folder, NOBODY, NOBODY)
  }
  return { home: join(own, 'home'), project }
}

interface Ran {
  readonly status: number | null
  readonly text: string
}

/** The command in a terminal of 80 columns. */
function rye(who: Person, words: readonly string[], options: { path?: string } = {}): Promise<Ran> {
  const env = { PATH: options.path ?? bare, HOME: who.home, TERM: 'xterm' }
  const typed = [process.execPath, program, ...words]
    .map(word => `'${word.replaceAll("'", `'\\''`)}'`)
    .join(' ')
  const script = `${programs.stty} cols 80; exec ${typed}`
  const wanted = [programs.script, '--quiet', '--return', '--command', script, '/dev/null']
  const drop = [programs.setpriv, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--']
  const [first, ...rest] = [...(IS_ROOT ? drop : []), '/usr/bin/env', '-i', ...asVariables(env), ...wanted]
  return new Promise((resolve, reject) => {
    const child = spawn(first!, rest, { cwd: who.project, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    child.stdout.on('data', chunk => {
      text += chunk
    })
    child.stderr.on('data', chunk => {
      text += chunk
    })
    child.on('error', reject)
    child.on('close', status => resolve({ status, text: text.replaceAll('\r', '').replaceAll(ESCAPES, '') }))
  })
}

function asVariables(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`)
}

describe('an installation', () => {
  it('is one package below 26 MB, without a word about scripts', () => {
    const modules = join(root, 'app/node_modules')
    expect(readdirSync(modules).filter(name => !name.startsWith('.'))).toEqual(['ryekit'])
    expect(installed).not.toContain('warn')
    const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter(one => one.isFile())
    const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
    expect(bytes).toBeLessThan(26_000_000)
    for (const page of ['README.md', 'docs/README.md', 'docs/cookbook/connect-a-client.md'])
      expect(existsSync(join(modules, 'ryekit', page))).toBe(true)
  })
})

describe('with Node alone', () => {
  it('the tour shows what is there, and names what it left out', async () => {
    const shown = await rye(person('tour'), ['demo'])
    expect(shown.text).toContain('✓ every step was right')
    expect(shown.text).toContain('! left out: rye execute ops/count --param who=Ada')
    expect(shown.text).toContain('! left out: rye execute ops/echo --param who=Ada')
    expect(shown.status).toBe(0)
  })

  it('a first project works, in a home that did not exist', async () => {
    const who = person('first')
    const made = await rye(who, ['init', '--client', 'claude'])
    expect(made).toMatchObject({ status: 0, text: expect.stringContaining('+ .mcp.json') })
    expect(longLines(made.text)).toEqual([])
    expect(longLines((await rye(who, ['init'])).text).filter(line => !line.includes(who.home))).toEqual([])
    const { mcpServers } = JSON.parse(readFileSync(join(who.project, '.mcp.json'), 'utf8'))
    expect(mcpServers.rye).toEqual({ command: 'npx', args: ['-y', 'ryekit@0', 'mcp'] })
    const greeted = await rye(who, ['execute', 'hello/greet', '--param', 'who=Ada'])
    expect(greeted).toMatchObject({ status: 0, text: expect.stringContaining('hello Ada, from greet') })
    const found = await rye(who, ['search', 'how do I read a file', '--limit', '1'])
    expect(found.text).toContain('tool:rye/file-system/read')
    expect(await rye(who, ['init', '--quiet'])).toEqual({ status: 0, text: '' })
  })

  it('a tool in Python says what to install, and so does the doctor', async () => {
    const who = person('python')
    await rye(who, ['init', '--quiet'])
    await rye(who, ['new', 'tool', 'ops/count', '--language', 'python', '--quiet'])
    const refused = await rye(who, ['execute', 'ops/count'])
    expect(refused).toMatchObject({ status: 1, text: expect.stringContaining('hint: install `python3`') })
    const checked = await rye(who, ['doctor'])
    expect(checked.text).toContain('no python3 on PATH')
    expect(checked.text).toContain('no bash on PATH')
    expect(checked.status).toBe(0)
  })
})

describe('where nothing can be written', () => {
  it('tools of the package run without a home, and it is said what is lost', async () => {
    const who = { ...person('homeless'), home: join(root, 'nowhere/home') }
    const ran = await rye(who, ['execute', 'rye/core/system', '--param', 'what=time'], { path: fullPath() })
    expect(ran.text).toContain('the log of runs is lost when this program ends')
    expect(ran.status).toBe(0)
    expect((await rye(who, ['search', 'read a file', '--limit', '1'])).text).toContain('rye/file-system/read')
    const refused = await rye(who, ['init'])
    expect(refused).toMatchObject({ status: 1, text: expect.stringContaining('hint: set USER_SPACE') })
  })

  it('a project that cannot be written is used', async () => {
    const who = person('read-only')
    await rye(who, ['init', '--quiet'])
    for (const path of ['.ai/tools/hello', '.ai/tools', '.ai', '.']) chmodSync(join(who.project, path), 0o555)
    const greeted = await rye(who, ['execute', 'hello/greet'])
    expect(greeted).toMatchObject({ status: 0, text: expect.stringContaining('hello world') })
    expect((await rye(who, ['doctor'])).text).toContain('cannot be written: its items can be used')
    for (const path of ['.', '.ai', '.ai/tools', '.ai/tools/hello']) chmodSync(join(who.project, path), 0o755)
  })
})

describe('with everything that is installed', () => {
  it('the tour leaves nothing out', async () => {
    const shown = await rye(person('all'), ['demo'], { path: fullPath() })
    expect(shown.text).toContain('✓ every step was right')
    expect(shown.text).not.toContain('left out: rye')
    expect(shown.status).toBe(0)
  })
})

/** The programs of the system: those of the home of whoever runs the tests are not for others to start. */
function fullPath(): string {
  return [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
}

function longLines(text: string): string[] {
  return text.split('\n').filter(line => line.length > 80)
}
