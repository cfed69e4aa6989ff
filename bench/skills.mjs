// Measures 1 000 and 6 000 skills, one in six with five decorated functions: scan, validate, index, sync of
// all and after one edit, list and search over MCP, routing search. All use the built program: the hook that
// reads TypeScript costs more than some of them.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { atMost, figure, percentile, round } from './table.mjs'

const SIZES = [1000, 6000]
const TOOLS = 5
/** One skill in this many has functions. */
const WITH_TOOLS = 6
const QUERIES = 100
/** Searches before the first measured one. */
const WARM_UP = 200
const RUNS = 3
/** Younger files are read again whatever their times say. */
const SETTLED_MS = 2100
/** Reading extra certificates triples the start of node itself. */
const { NODE_EXTRA_CA_CERTS: _certificates, ...CLEAN } = process.env
const PROGRAM = fileURLToPath(new URL('../dist/rye.cjs', import.meta.url))

export async function measureSkills() {
  const rows = []
  for (const size of SIZES) rows.push(...(await measureAt(size)))
  return rows
}

async function measureAt(size) {
  const { openSkillTable } = await import('../src/skills/index.ts')
  const root = mkdtempSync(join(tmpdir(), 'rye-bench-skills-'))
  const label = text => `${text}, ${size} skills`
  try {
    const project = join(root, 'project')
    const library = join(project, '.ai/skills')
    const uri = join(root, 'lance')
    mkdirSync(join(root, 'home'))
    writeSkills(library, size)
    const env = { ...CLEAN, HOME: join(root, 'home') }
    const rye = (...words) => runRye(words, { out: join(root, 'answer.json'), cwd: project, env })
    const sync = () => rye('skills', 'sync', library, '--lance', uri)
    const scan = rye('skills', 'scan', library)
    const validate = rye('skills', 'validate', library)
    const index = rye('index')
    await new Promise(done => setTimeout(done, SETTLED_MS))
    rye('index')
    const indexed = leastWork(Array.from({ length: RUNS }, () => rye('index')))
    const reindexed = []
    for (let edit = 0; edit < RUNS; edit++) {
      appendFileSync(join(library, 'skill-1/SKILL.md'), 'One more line.\n')
      await new Promise(done => setTimeout(done, SETTLED_MS))
      const run = rye('index')
      if (JSON.parse(run.output).updated !== 1) throw new Error('expected one change')
      reindexed.push(run)
    }
    const reindex = leastWork(reindexed)
    const first = sync()
    const unchanged = quickest(Array.from({ length: RUNS }, sync))
    const expected = size + Math.ceil(size / WITH_TOOLS) * TOOLS
    if (JSON.parse(unchanged.output).unchanged_count !== expected) throw new Error('expected no change')
    const edits = []
    for (let edit = 0; edit < RUNS; edit++) {
      appendFileSync(join(library, 'skill-1/SKILL.md'), 'One more line.\n')
      await new Promise(done => setTimeout(done, SETTLED_MS))
      edits.push(sync())
    }
    rye('keys', 'generate')
    const sign = rye('sign', 'skill:*')
    await new Promise(done => setTimeout(done, SETTLED_MS))
    const { lists, search } = await askOverMcp(project, env, size)
    const [cold, ...warm] = lists

    const table = openSkillTable({ uri })
    const times = []
    for (let query = 0; query < QUERIES + 20; query++) {
      const began = performance.now()
      const text = `${word(query * 7)} the ${word(query * 3 + 1)} of a ${word(query + 2)}`
      await table.search(text, { limit: 10 })
      if (query >= 20) times.push(performance.now() - began)
    }
    table.close()
    return [
      figure(label('scan'), both(scan)),
      figure(label('validate'), both(validate)),
      figure(label('index'), both(index)),
      figure(label('index, untouched'), both(indexed)),
      figure(label('index of one edit'), both(reindex)),
      atMost(label('index of one edit'), reindex.cpu / indexed.cpu, 2, 'x one of none'),
      figure(label('sign'), both(sign)),
      figure(label('first list of an official client'), `${round(cold / 1000)} s`),
      atMost(label('list again'), Math.min(...warm) / 1000, size / 2000, 's'),
      figure(label('warm search over MCP, p50 and p95'), `${round(search.p50)} and ${round(search.p95)} ms`),
      atMost(label('warm search over MCP, p50'), search.p50 / search.ping, 11, 'x an empty request'),
      figure(label('first sync'), both(first)),
      figure(label('sync, untouched'), both(unchanged)),
      figure(label('sync of one edit'), both(quickest(edits))),
      atMost(label('routing search, p50'), percentile(times, 0.5), 20, 'ms'),
      figure(label('routing search, p95'), `${round(percentile(times, 0.95))} ms`),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Milliseconds of four listings by one client, and of its searches next to empty requests. */
async function askOverMcp(project, env, size) {
  const args = [PROGRAM, 'mcp', '--project', project]
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  try {
    const skills = new SkillsClient(client)
    const lists = []
    for (let run = 0; run < 4; run++) {
      const began = performance.now()
      const { skills: listed } = await skills.list()
      lists.push(performance.now() - began)
      if (listed.length !== size) throw new Error(`expected ${size} skills, got ${listed.length}`)
    }
    return { lists, search: await searchOverMcp(client) }
  } finally {
    await client.close()
  }
}

/** The two alternate, so that both run under the same conditions. */
async function searchOverMcp(client) {
  const times = { search: [], ping: [] }
  for (let turn = 0; turn < WARM_UP + QUERIES; turn++) {
    const query = `how do I ${word(turn * 7)} the ${word(turn * 3 + 1)} of a ${word(turn + 2)}`
    const began = performance.now()
    const { structuredContent } = await client.callTool({ name: 'search', arguments: { query } })
    const answered = performance.now()
    if (structuredContent.results.length === 0) throw new Error(`expected hits for ${query}`)
    await client.ping()
    if (turn < WARM_UP) continue
    times.search.push(answered - began)
    times.ping.push(performance.now() - answered)
  }
  const { search, ping } = times
  return { p50: percentile(search, 0.5), p95: percentile(search, 0.95), ping: percentile(ping, 0.5) }
}

/** Wall and CPU seconds of one run; the shell's `times` reports the children's use. */
function runRye(words, { out, cwd, env }) {
  const began = performance.now()
  const command = `out=$1; shift; "$0" "$@" --json > "$out" && times`
  const printed = execFileSync('sh', ['-c', command, process.execPath, out, PROGRAM, ...words], {
    encoding: 'utf8',
    cwd,
    env,
  })
  const [user, system] = printed.trim().split('\n').at(-1).split(/\s+/)
  const wall = (performance.now() - began) / 1000
  return { wall, cpu: seconds(user) + seconds(system), output: readFileSync(out, 'utf8') }
}

/** The quickest run: other work on the machine can only slow one down. */
function quickest(runs) {
  return runs.reduce((best, run) => (run.wall < best.wall ? run : best))
}

function leastWork(runs) {
  return runs.reduce((best, run) => (run.cpu < best.cpu ? run : best))
}

function both({ wall, cpu }) {
  return `${round(wall)} s, ${round(cpu)} s CPU`
}

/** Parses a time such as `0m1.250s`. */
function seconds(text) {
  const [, minutes, rest] = /^(\d+)m([\d.]+)s$/.exec(text) ?? []
  return Number(minutes) * 60 + Number(rest)
}

const STEMS =
  'git commit status branch file folder search page note graph table query image audio chart report mail'.split(
    ' ',
  )

/** A vocabulary of some thousand words; the first of them are frequent. */
function word(index) {
  const spread = (index * 2654435761) % 4096
  return spread < 1024 ? STEMS[spread % STEMS.length] : `${STEMS[spread % STEMS.length]}${spread}`
}

function phrase(seed, length) {
  return Array.from({ length }, (_, index) => word(seed * 31 + index * 17)).join(' ')
}

function writeSkills(library, size) {
  for (let skill = 0; skill < size; skill++) {
    const folder = join(library, `skill-${skill}`)
    mkdirSync(join(folder, 'scripts'), { recursive: true })
    mkdirSync(join(folder, 'references'))
    writeFileSync(
      join(folder, 'SKILL.md'),
      `---\nname: skill-${skill}\ndescription: ${phrase(skill, 12)}\nmetadata:\n  version: 1.0.0\n  routing_keywords: [${phrase(skill + 1, 5).replaceAll(' ', ', ')}]\n  intents:\n    - ${phrase(skill + 2, 3)}\n    - ${phrase(skill + 3, 3)}\n---\n# Skill ${skill}\n\n${phrase(skill + 4, 200)}\n`,
    )
    if (skill % WITH_TOOLS !== 0) continue
    const tools = Array.from({ length: TOOLS }, (_, tool) => printTool(skill * TOOLS + tool))
    writeFileSync(
      join(folder, 'scripts', 'commands.py'),
      `from omni.api import skill_command\n${tools.join('\n')}`,
    )
    writeFileSync(
      join(folder, 'references', 'guide.md'),
      `---\nmetadata:\n  for_tools: [skill-${skill}.${word(skill * TOOLS)}_${skill * TOOLS}]\n---\n# Guide\n\n${phrase(skill, 100)}\n`,
    )
  }
}

function printTool(index) {
  const name = `${word(index)}_${index}`
  return `
@skill_command(
    name="${name}",
    description="""
    ${phrase(index, 15)}.

    Args:
        - message: str - ${phrase(index + 1, 5)}
        - count: int - ${phrase(index + 2, 5)}
    """,
    category="${word(index + 3)}",
    read_only=True,
)
async def ${name}(message: str, count: int = 10, tags: list[str] | None = None) -> dict[str, object]:
    """${phrase(index, 6)}."""
    result = [message.upper() for _ in range(count)]
    return {"result": result, "tags": tags}
`
}
