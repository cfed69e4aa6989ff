// `npm run mutate [--every N] [FILE or FOLDER ...]`: makes many small changes to the code and reports those
// that no test notices. It works on copies of the repository and runs the unit tests of the folder that a
// file belongs to, nearest first. A full run takes hours; `--every N` tries every Nth mutant. Changes that
// make no difference are listed with the reason in test/equivalent-mutants.json.
import { fork } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findMutants } from './mutants.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WHERE = ['src/trust', 'src/plan', 'src/query', 'src/files']
const GENERATED = ['src/trust/system-manifest.ts']
/** What the tests of these folders read, apart from node_modules. */
const COPIED = ['src', 'test', 'system', 'docs', 'package.json', 'tsconfig.json']
/** A mutant that takes this much longer than the unchanged tests counts as endless. */
const PATIENCE = { factor: 10, leastMs: 20_000 }

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string', default: '1' } },
})
const every = Number(values.every)
if (!Number.isInteger(every) || every < 1) {
  console.error(`expected --every with a whole number, got ${values.every}`)
  process.exit(2)
}
const files = listFiles('src')
  .filter(file =>
    (wanted.length > 0 ? wanted : WHERE).some(place => file === place || file.startsWith(`${place}/`)),
  )
  .filter(file => !GENERATED.includes(file))
const equivalents = JSON.parse(readFileSync(join(ROOT, 'test/equivalent-mutants.json'), 'utf8'))
const imports = readImports([...listFiles('src'), ...listFiles('test')])

const queue = files.flatMap(file => {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const lines = source.split('\n')
  const tests = nearestTests(file)
  return findMutants(file, source).map(mutant => ({
    file,
    tests,
    mutant,
    code: lines[mutant.line - 1].trim(),
  }))
})
const isEquivalent = ({ file, code, mutant }) =>
  equivalents.some(known => known.file === file && known.code === code && known.change === mutant.what)
const changing = queue.filter(job => !isEquivalent(job))
const judged = changing.filter((_, index) => index % every === 0)
const outcomes = { killed: 0, endless: 0, survived: [] }
const lanes = new Set()
// However this process ends, it leaves no process and no copy behind.
process.on('exit', () => {
  for (const lane of lanes) lane.close()
})
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    report()
    process.exit(1)
  })
const total = judged.length
const started = Date.now()
const beat = setInterval(showProgress, process.stderr.isTTY ? 1_000 : 60_000)
await Promise.all(Array.from({ length: availableParallelism() }, () => work(judged)))
clearInterval(beat)
report()

/** Takes jobs until the queue is empty. */
async function work(jobs) {
  const lane = openLane()
  lanes.add(lane)
  await lane.start()
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    if (job.tests.length === 0) outcomes.survived.push({ ...job, why: 'no test loads this file' })
    else await judge(lane, job)
  }
}

async function judge(lane, job) {
  const { failure, isEndless } = await lane.run(job)
  if (isEndless) outcomes.endless += 1
  else if (failure === undefined) outcomes.survived.push(job)
  else outcomes.killed += 1
}

/** A copy of the repository with a process that runs tests in it. */
function openLane() {
  const copy = mkdtempSync(join(tmpdir(), 'rye-mutate-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const usual = new Map()
  let child
  const start = async () => {
    child = fork(join(ROOT, 'scripts/mutate-lane.mjs'), [copy], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
    })
    await answerOf(child)
  }
  const end = () => {
    // Kill the whole group: the process that never ends may be the lane's test process.
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has already ended, or never started.
    }
  }
  const ask = (job, mutant, ms) => {
    child.send({ file: job.file, tests: job.tests, mutant })
    return answerOf(child, ms)
  }
  return {
    start,
    async run(job) {
      if (!usual.has(job.file)) {
        const before = Date.now()
        const { failure } = await ask(job, undefined, 600_000)
        if (failure !== undefined) throw new Error(`without any change: ${failure}`)
        usual.set(job.file, Date.now() - before)
      }
      const ms = Math.max(PATIENCE.leastMs, usual.get(job.file) * PATIENCE.factor)
      const answer = await ask(job, job.mutant, ms)
      if (answer !== undefined) return answer
      end()
      cpSync(join(ROOT, job.file), join(copy, job.file))
      await start()
      return { isEndless: true }
    },
    close() {
      end()
      rmSync(copy, { recursive: true, force: true })
    },
  }
}

/** The child's next message; undefined when it stays silent for `ms`, or exits. */
function answerOf(child, ms = 60_000) {
  return new Promise(resolve => {
    const settle = answer => {
      clearTimeout(timer)
      child.off('message', settle)
      child.off('exit', onExit)
      resolve(answer)
    }
    const onExit = () => settle(undefined)
    const timer = setTimeout(onExit, ms)
    child.once('message', settle)
    child.once('exit', onExit)
  })
}

/**
 * The unit tests in the same folder that load a file: its own tests first, then by how directly they load it.
 */
function nearestTests(file) {
  const area = file.split('/')[1]
  const named = file.replace(/^src/, 'test').replace(/\.ts$/, '')
  const isOwn = test => test === `${named}.test.ts` || test === `${named}.long.test.ts`
  return [...imports.keys()]
    .filter(test => test.startsWith(`test/${area}/`) && /^[^.]+(?:\.long)?\.test\.ts$/.test(test))
    .map(test => ({ test, distance: isOwn(test) ? -1 : distanceOf(test, file) }))
    .filter(({ distance }) => distance !== undefined)
    .sort((a, b) => a.distance - b.distance)
    .map(({ test }) => test)
}

function distanceOf(from, to) {
  const distances = new Map([[from, 0]])
  for (const [file, distance] of distances) {
    if (file === to) return distance
    for (const next of imports.get(file) ?? []) if (!distances.has(next)) distances.set(next, distance + 1)
  }
  return undefined
}

function readImports(paths) {
  return new Map(
    paths.map(path => {
      const text = readFileSync(join(ROOT, path), 'utf8')
      const named = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)]
      return [path, named.map(([, specifier]) => posix.join(dirname(path), specifier))]
    }),
  )
}

function listFiles(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => `${folder}/${name}`)
    .sort()
}

function showProgress() {
  const seconds = Math.round((Date.now() - started) / 1000)
  const text = `${total - judged.length} of ${total} mutants, ${outcomes.survived.length} survived, ${seconds} s`
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[2K${text}` : `${text}\n`)
}

function report() {
  const survived = outcomes.survived.sort(
    (a, b) => a.file.localeCompare(b.file) || a.mutant.start - b.mutant.start,
  )
  for (const { file, mutant, why } of survived)
    console.log(`${file}:${mutant.line}  ${mutant.what}${why ? `  (${why})` : ''}`)
  const dead = outcomes.killed + outcomes.endless
  const tried = dead + survived.length
  const score = ((100 * dead) / Math.max(1, tried)).toFixed(1)
  console.log(
    `${score} % of ${tried} mutants killed (${outcomes.endless} never ended), ${survived.length} survived; ${queue.length - changing.length} of ${queue.length} known to make no difference`,
  )
  const stale = equivalents.filter(
    known =>
      files.includes(known.file) &&
      !queue.some(
        job => job.file === known.file && job.code === known.code && job.mutant.what === known.change,
      ),
  )
  for (const { file, code } of stale)
    console.log(`test/equivalent-mutants.json: nothing is \`${code}\` in ${file} any more`)
  process.exitCode = stale.length > 0 ? 1 : 0
}
