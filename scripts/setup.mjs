// Prepares a fresh clone: installs dependencies, builds dist, and checks that the programs the tests need are
// present. Uses nothing but Node and npm, and does only what is missing or out of date.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { step } from './step.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const words = process.argv.slice(2)
const WORDS = ['--for-tests', '--for-torture', '--without-build', '--quiet']
const unknown = words.find(word => !WORDS.includes(word))
if (unknown !== undefined) fail(`expected some of ${WORDS.join(', ')}, got \`${unknown}\``)
const forTorture = words.includes('--for-torture')
const forTests = forTorture || words.includes('--for-tests')

/** Program → Debian package. */
const TEST_PROGRAMS = {
  bwrap: 'bubblewrap',
  python3: 'python3',
  perl: 'perl',
}

/** The same, for `npm run torture` and `npm run bench`. */
const TORTURE_PROGRAMS = {
  strace: 'strace',
  sshd: 'openssh-server',
  rg: 'ripgrep',
  fish: 'fish',
  zsh: 'zsh',
  chromium: 'chromium',
  haproxy: 'haproxy',
}

requireNode()
await installDependencies()
if (forTests) await installPrograms()
if (!words.includes('--without-build')) await build()

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(`expected Node 20.19 or newer, got ${process.versions.node}`)
}

async function installDependencies() {
  const wanted = digest(['package.json', 'package-lock.json'])
  const stamp = join(root, 'node_modules', '.setup')
  if (read(stamp) === wanted) return
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  await step('installing dependencies (npm ci)', npm, args, { cwd: root })
  // Vitest would delete this cache while writing to it, and then find no tests.
  rmSync(join(root, '.cache', 'vitest'), { recursive: true, force: true })
  writeFileSync(stamp, wanted)
}

async function installPrograms() {
  const needed = { ...TEST_PROGRAMS, ...(forTorture ? TORTURE_PROGRAMS : {}) }
  const missing = Object.keys(needed).filter(program => !onPath(program))
  if (missing.length === 0) return
  const packages = missing.map(program => needed[program])
  const install = `apt-get install -y ${packages.join(' ')}`
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    fail(`the tests need ${missing.join(', ')}, which this machine lacks; install with: sudo ${install}`)
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await step('updating the package list (apt-get update)', 'apt-get', ['update', '-q'], { env })
  await step(`installing ${packages.join(', ')}`, 'apt-get', ['install', '-y', '-q', ...packages], { env })
}

async function build() {
  const wanted = digest(inputs())
  const stamp = join(root, 'dist', '.setup')
  if (read(stamp) === wanted && existsSync(join(root, 'dist', 'rye.cjs'))) return
  await step('building', process.execPath, [join(root, 'scripts', 'build.mjs')], { cwd: root })
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stamp, digest(inputs()))
}

function inputs() {
  return [
    ...['src', 'page', 'system', 'scripts'].flatMap(filesBelow),
    ...['tsdown.config.mjs', 'package.json', 'package-lock.json'],
  ]
}

function digest(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
    .sort()
}

function onPath(program) {
  // Servers are installed in folders that only root has on its path.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.some(folder => existsSync(join(folder, program)))
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
