// Sixty requests to forty small skills, beside the bundled items, phrased as people do: how many find theirs
// first, and among the top five. The requests are by name, paraphrased, or vague.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure } from './table.mjs'

const read = name =>
  readFileSync(new URL(`data/requests/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
/**
 * First, and among the top five, of sixty, when the requests were written. Some of the vague ones cannot be
 * answered from words alone.
 */
const GOAL = { first: 44, five: 49 }

export async function measureRequests() {
  const words = await ask('off')
  const both = await ask('on')
  const rows = Object.keys(both.kinds).map(kind =>
    figure(
      `requests ${kind}: first, among five`,
      `${print(both.kinds[kind])}; by words ${print(words.kinds[kind])}`,
    ),
  )
  const isMet = both.first >= GOAL.first && both.five >= GOAL.five
  return [
    ...rows,
    figure(
      `${both.count} requests: first, among five`,
      `${print(both)}; by words ${print(words)}`,
      `>= ${print(GOAL)}`,
      isMet,
    ),
  ]
}

function print({ first, five }) {
  return `${first}, ${five}`
}

async function ask(meaning) {
  const { openLibrary } = await import('../src/index.ts')
  const root = mkdtempSync(join(tmpdir(), 'rye-bench-'))
  const [project, home] = [join(root, 'project'), join(root, 'home')]
  mkdirSync(join(home, '.ai/config'), { recursive: true })
  writeFileSync(join(home, '.ai/config/rye.toml'), `[search]\nmeaning = "${meaning}"\n`)
  for (const line of read('skills.jsonl')) {
    const { name, description, body } = JSON.parse(line)
    mkdirSync(join(project, '.ai/skills', name), { recursive: true })
    const text = `---\nname: ${name}\ndescription: ${description.replaceAll(': ', ', ')}\n---\n\n${body}\n`
    writeFileSync(join(project, '.ai/skills', name, 'SKILL.md'), text)
  }
  const environment = { HOME: home, XDG_CACHE_HOME: join(root, 'cache'), PATH: process.env.PATH }
  const library = openLibrary({ caller: 'person', environment, directory: project })
  const sums = { count: 0, first: 0, five: 0, kinds: {} }
  try {
    for (const line of read('requests.tsv')) {
      const [kind, wanted, query] = line.split('\t')
      const { results } = await library.call('search', { query, project_path: project })
      const rank = results.findIndex(({ id }) => id === wanted)
      sums.kinds[kind] ??= { first: 0, five: 0 }
      sums.count++
      for (const sum of [sums, sums.kinds[kind]]) {
        if (rank === 0) sum.first++
        if (rank >= 0 && rank < 5) sum.five++
      }
      if (rank !== 0 && process.env.RYE_BENCH_MISSES)
        console.log(
          `${meaning} ${rank} ${query} [${wanted}]: ${results
            .slice(0, 5)
            .map(({ id, score }) => `${id} ${score}`)
            .join(', ')}`,
        )
    }
  } finally {
    await library.close()
    rmSync(root, { recursive: true, force: true })
  }
  return sums
}
