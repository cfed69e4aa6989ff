// The built-in model alone: how long it takes to load, and to embed a question.
import { fileURLToPath } from 'node:url'
import { commonWord, NOUNS, VERBS } from './library.mjs'
import { atMost, cpuSeconds, percentile } from './table.mjs'
import { registerTypeScript } from './typescript-hook.mjs'

registerTypeScript()
const { loadBuiltIn } = await import('../src/search/meaning/built-in-model.ts')

const MODEL = fileURLToPath(new URL('../system/model/model.bin', import.meta.url))
const QUESTIONS = VERBS.flatMap((verb, v) =>
  NOUNS.map(
    (noun, n) =>
      `how do I ${verb} the ${noun} of ${commonWord(7 * v + n)} without losing what was there before`,
  ),
)

export async function measureModel() {
  const loads = []
  for (let round = 0; round < 9; round++) loads.push(await cpuSeconds(() => loadBuiltIn(MODEL)))
  const { embedder } = loadBuiltIn(MODEL)
  for (let round = 0; round < 10; round++) for (const question of QUESTIONS) embedder.embedQuestion(question)
  const questions = QUESTIONS.map(question => timed(() => embedder.embedQuestion(question)))
  return [
    atMost('load the built-in model', 1000 * percentile(loads, 0.5), 25, 'ms CPU'),
    atMost('embed a question of sixteen words', 1000 * percentile(questions, 0.5), 100, 'microseconds'),
  ]
}

function timed(work) {
  const started = performance.now()
  work()
  return performance.now() - started
}
