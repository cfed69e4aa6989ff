// A repository of 1 000 skills as a source: `add` of all, `install` with everything in place and with nothing
// there, and an update of one skill. Measures CPU seconds of the built program and its children, beside those
// of git alone for the same objects.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, figure, round } from './table.mjs'

const SIZE = 1000
const RUNS = 5
/** Younger files are read again whatever their times say. */
const SETTLED_MS = 2100
const PROGRAM = fileURLToPath(new URL('../dist/rye.cjs', import.meta.url))
const { NODE_EXTRA_CA_CERTS: _certificates, ...CLEAN } = process.env

export async function measureSources() {
  const root = mkdtempSync(join(tmpdir(), 'rye-bench-sources-'))
  try {
    const [vendor, project, home] = ['vendor', 'project', 'home'].map(name => join(root, name))
    for (const folder of [vendor, project, home]) mkdirSync(folder)
    const env = { ...CLEAN, HOME: home, USER_SPACE: home, XDG_CACHE_HOME: join(root, 'cache'), CI: '' }
    const run = (words, cwd = project) => cpuOf(words, { cwd, env, out: join(root, 'out') })
    const rye = (...words) => run([process.execPath, PROGRAM, ...words])
    const git = (...words) =>
      run(['git', '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...words], vendor)
    writeSkills(vendor)
    git('init', '--quiet')
    git('add', '--all')
    git('commit', '--quiet', '-m', 'first')
    rye('keys', 'generate')
    const source = `file://${vendor}`
    const { digest } = JSON.parse(rye('add', source, '--dry-run', '--json').output)
    rmSync(join(root, 'cache'), { recursive: true })
    const added = rye('add', source, '--accept', digest, '--json')
    const alone = gitAlone(run, root, source)
    await new Promise(done => setTimeout(done, SETTLED_MS))
    rye('install')
    const installs = Array.from({ length: RUNS }, () => rye('install').seconds)
    rmSync(join(project, '.ai/skills'), { recursive: true })
    const restored = rye('install', '--json')
    const { written } = JSON.parse(restored.output)
    if (written.length !== SIZE) throw new Error(`expected ${SIZE} skills, got ${written.length}`)
    writeFileSync(join(vendor, 'skills/skill-7/SKILL.md'), textOf(7, 'Other words.'))
    git('commit', '--quiet', '--all', '-m', 'second')
    const updated = rye('update', '--dry-run', '--json')
    const [{ items }] = JSON.parse(updated.output).sources
    if (items.length !== 1) throw new Error(`expected one changed skill, got ${items.length}`)
    return [
      atMost(`add of ${SIZE} skills, beyond git itself`, added.seconds - alone, 5, 's CPU'),
      figure('git itself, for the same objects', `${round(alone)} s CPU`),
      atMost('install with all in place', Math.min(...installs), 0.3, 's CPU'),
      atMost('install with all missing, from what was accepted', restored.seconds, 5, 's CPU'),
      figure('update of one changed skill', `${round(updated.seconds)} s CPU`),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** The unavoidable work of git: one commit fetched, listed and read. */
function gitAlone(run, root, source) {
  const copy = join(root, 'copy.git')
  const script = [
    `git init --quiet --bare ${copy}`,
    `git -C ${copy} fetch --quiet --depth=1 ${source} HEAD:refs/copy`,
    `git -C ${copy} ls-tree -r -l refs/copy | awk '{print $3}' > ${copy}/objects`,
    `git -C ${copy} cat-file --batch < ${copy}/objects > /dev/null`,
  ].join(' && ')
  return run(['sh', '-c', script]).seconds
}

function writeSkills(vendor) {
  for (let number = 0; number < SIZE; number++) {
    const folder = join(vendor, 'skills', `skill-${number}`)
    mkdirSync(join(folder, 'scripts'), { recursive: true })
    writeFileSync(
      join(folder, 'SKILL.md'),
      textOf(number, 'Read the form first, then fill it in and check it.'),
    )
    writeFileSync(join(folder, 'reference.md'), `What is known about form ${number}.\n`.repeat(50))
    writeFileSync(join(folder, 'scripts/run.py'), `import sys\nprint(${number}, sys.argv)\n`)
  }
}

function textOf(number, line) {
  const header = `---\nname: skill-${number}\ndescription: Use it when form ${number} has to be filled in\n---\n`
  return `${header}\n# Form ${number}\n\n${`${line}\n`.repeat(40)}`
}

/** User and system time of a program and all its children. */
function cpuOf(words, { cwd, env, out }) {
  const script = 'TIMEFORMAT="%U %S"; out=$1; shift; time "$@" > "$out" 2> /dev/null'
  const options = { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }
  const said = execFileSync('bash', ['-c', `{ ${script}; } 2>&1; true`, 'bash', out, ...words], options)
  const [user, system] = said.trim().split(/\s+/).slice(-2).map(Number)
  return { seconds: user + system, output: readFileSync(out, 'utf8') }
}
