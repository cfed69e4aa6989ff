// Skills: scan of 1 000 skills with 5 tools each, sync of an unchanged directory, routing search among 5 000 tools.
// Scan and sync are measured on the built program: the hook that reads TypeScript costs more than they do.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, figure, percentile, round } from './table.mjs'

const SKILLS = 1000
const TOOLS = 5
const QUERIES = 200
const RUNS = 7
/** Reading certificates of one's own triples the start of node itself. */
const { NODE_EXTRA_CA_CERTS: _certificates, ...CLEAN } = process.env
const PROGRAM = fileURLToPath(new URL('../dist/rye.cjs', import.meta.url))

export async function measureSkills() {
  const { openSkillTable } = await import('../src/skills/index.ts')
  const root = mkdtempSync(join(tmpdir(), 'rye-bench-skills-'))
  try {
    const library = join(root, 'skills')
    const uri = join(root, 'lance')
    mkdirSync(join(root, 'empty'))
    writeSkills(library)
    const rye = (...words) => runRye(words, join(root, 'answer.json'))
    const best = (...words) => quickest(Array.from({ length: RUNS }, () => rye(...words)))
    // What the program costs before it has read a skill.
    const start = best('skills', 'scan', join(root, 'empty'))
    const scan = rye('skills', 'scan', library)
    const first = rye('skills', 'sync', library, '--lance', uri)
    // The files were young when the first sync looked at them: the second reads them again, those after it need not.
    const again = rye('skills', 'sync', library, '--lance', uri)
    const unchanged = best('skills', 'sync', library, '--lance', uri)
    for (const { output } of [again, unchanged])
      if (JSON.parse(output).unchanged_count !== SKILLS * TOOLS) throw new Error('expected no change')

    const table = await openSkillTable({ uri })
    const times = []
    for (let index = 0; index < QUERIES + 20; index++) {
      const began = performance.now()
      await table.search(`${word(index * 7)} the ${word(index * 3 + 1)} of a ${word(index + 2)}`, {
        limit: 10,
      })
      if (index >= 20) times.push(performance.now() - began)
    }
    table.close()
    return [
      atMost('scan of 1 000 skills with 5 tools each', scan.cpu - start.cpu, 5, 's CPU'),
      figure('first sync of them', both(first)),
      figure('sync of them by contents, files just written', both(again)),
      atMost('sync of them untouched, start of the program included', unchanged.wall, 0.5, 's'),
      figure('the same in CPU time', `${round(unchanged.cpu)} s CPU`),
      figure('start of the program alone', both(start)),
      atMost('routing search among 5 000 tools, p50', percentile(times, 0.5), 10, 'ms'),
      figure('routing search, p95', `${round(percentile(times, 0.95))} ms`),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Wall and CPU seconds of one run; the shell's `times` tells what its children used. */
function runRye(words, out) {
  const began = performance.now()
  const command = `out=$1; shift; "$0" "$@" --json > "$out" && times`
  const printed = execFileSync('sh', ['-c', command, process.execPath, out, PROGRAM, ...words], {
    encoding: 'utf8',
    env: CLEAN,
  })
  const [user, system] = printed.trim().split('\n').at(-1).split(/\s+/)
  const wall = (performance.now() - began) / 1000
  return { wall, cpu: seconds(user) + seconds(system), output: readFileSync(out, 'utf8') }
}

/** Other work on the machine only adds to a run. */
function quickest(runs) {
  return runs.reduce((best, run) => (run.wall < best.wall ? run : best))
}

function both({ wall, cpu }) {
  return `${round(wall)} s, ${round(cpu)} s CPU`
}

/** `0m1.250s` */
function seconds(text) {
  const [, minutes, rest] = /^(\d+)m([\d.]+)s$/.exec(text) ?? []
  return Number(minutes) * 60 + Number(rest)
}

const STEMS =
  'git commit status branch file folder search page note graph table query image audio chart report mail'.split(
    ' ',
  )

/** A vocabulary of some thousand words, the first of them frequent. */
function word(index) {
  const spread = (index * 2654435761) % 4096
  return spread < 1024 ? STEMS[spread % STEMS.length] : `${STEMS[spread % STEMS.length]}${spread}`
}

function phrase(seed, length) {
  return Array.from({ length }, (_, index) => word(seed * 31 + index * 17)).join(' ')
}

function writeSkills(library) {
  for (let skill = 0; skill < SKILLS; skill++) {
    const folder = join(library, `skill-${skill}`)
    mkdirSync(join(folder, 'scripts'), { recursive: true })
    mkdirSync(join(folder, 'references'))
    writeFileSync(
      join(folder, 'SKILL.md'),
      `---\nname: skill-${skill}\ndescription: ${phrase(skill, 12)}\nmetadata:\n  version: 1.0.0\n  routing_keywords: [${phrase(skill + 1, 5).replaceAll(' ', ', ')}]\n  intents:\n    - ${phrase(skill + 2, 3)}\n    - ${phrase(skill + 3, 3)}\n---\n# Skill ${skill}\n\n${phrase(skill + 4, 200)}\n`,
    )
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
