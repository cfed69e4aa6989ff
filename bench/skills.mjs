// Skills: scan of 1 000 skills with 5 tools each, sync of an unchanged directory, routing search among 5 000 tools.
// Prints what was measured; run alone with `node bench/skills.mjs`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { registerTypeScript } from './typescript-hook.mjs'

const SKILLS = 1000
const TOOLS = 5
const QUERIES = 200

/** Numbers of one run: CPU in seconds, times in milliseconds. */
export async function benchSkills() {
  registerTypeScript()
  const { findSkillFolders } = await import('../src/scan/index.ts')
  const { buildRows, createFingerprint, scanSkills } = await import('../src/skill/index.ts')
  const { openSkillTable } = await import('../src/store/index.ts')
  const root = mkdtempSync(join(tmpdir(), 'rye-bench-skills-'))
  try {
    const library = join(root, 'skills')
    writeSkills(library)

    const fingerprint = () => {
      const print = createFingerprint()
      for (const folder of findSkillFolders(library).folders()) print.add(folder)
      return print.digest()
    }
    const scan = await measure(() => scanSkills(findSkillFolders(library).folders()))
    const rows = buildRows(scan.value.skills)

    const table = await openSkillTable({ uri: join(root, 'lance') })
    const sync = await measure(() => table.sync({ rows, fingerprint: fingerprint() }))
    const unchanged = await measure(() => table.unchanged(fingerprint()))
    if (unchanged.value?.unchanged_count !== SKILLS * TOOLS) throw new Error('expected an unchanged table')

    const times = []
    for (let index = 0; index < QUERIES + 20; index++) {
      const start = performance.now()
      await table.search(`${word(index * 7)} the ${word(index * 3 + 1)} of a ${word(index + 2)}`, {
        limit: 10,
      })
      if (index >= 20) times.push(performance.now() - start)
    }
    table.close()
    times.sort((a, b) => a - b)
    return {
      skills: SKILLS,
      tools: rows.length,
      scan_cpu_s: round(scan.cpu),
      first_sync_s: round(sync.wall),
      unchanged_sync_s: round(unchanged.wall),
      search_p50_ms: round(times[Math.floor(times.length / 2)]),
      search_p95_ms: round(times[Math.floor(times.length * 0.95)]),
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function measure(work) {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const value = await work()
  const used = process.cpuUsage(cpu)
  return { value, cpu: (used.user + used.system) / 1e6, wall: (performance.now() - start) / 1000 }
}

function round(number) {
  return Math.round(number * 1000) / 1000
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(JSON.stringify(await benchSkills(), null, 2))
}
