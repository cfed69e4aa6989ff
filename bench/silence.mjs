// Questions about things that do not exist: how many get at most one hit, from the bundled library, as an
// agent asks.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure } from './table.mjs'

const QUESTIONS = new URL('data/absent-questions.txt', import.meta.url)
const GOAL = 0.8

export async function measureSilence() {
  const { openLibrary } = await import('../src/index.ts')
  const root = mkdtempSync(join(tmpdir(), 'rye-bench-'))
  for (const folder of ['project', 'home']) mkdirSync(join(root, folder))
  const environment = {
    HOME: join(root, 'home'),
    XDG_CACHE_HOME: join(root, 'cache'),
    PATH: process.env.PATH,
  }
  const library = openLibrary({ caller: 'agent', environment, directory: join(root, 'project') })
  try {
    const questions = readFileSync(QUESTIONS, 'utf8').split('\n').filter(Boolean)
    let silent = 0
    let bytes = 0
    for (const query of questions) {
      const answer = await library.call('search', { query, project_path: join(root, 'project') })
      if (answer.results.length <= 1) silent++
      bytes += Buffer.byteLength(JSON.stringify(answer))
    }
    const { length } = questions
    return [
      figure(
        'absent things: one hit or none',
        `${silent} of ${length}`,
        `>= ${length * GOAL}`,
        silent >= length * GOAL,
      ),
      figure('absent things: bytes of an answer', String(Math.round(bytes / length))),
    ]
  } finally {
    await library.close()
    rmSync(root, { recursive: true, force: true })
  }
}
