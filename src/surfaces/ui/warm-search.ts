// Runs searches before anyone does, so that the first key presses find everything loaded, read and compiled.
// It searches for what people are likely to type first, which is mostly names of items.
import { setTimeout as pause } from 'node:timers/promises'
import type { Library } from '../../workspace/index.ts'
import { isFound, searchTyped } from './typed-search.ts'

/** How many names are sampled, evenly over the alphabet, and how many of their words are searched for. */
const NAMES = 12
const WORDS = 12
/** Pause before each search: other requests meanwhile hardly wait. */
const PAUSE_MS = 40
/** Characters of a word that is completed. */
const BEGINNING = 3

/** Ends with the signal, or at the first failure. */
export async function warmSearch(library: Library, projectPath: string, signal: AbortSignal): Promise<void> {
  const search = async (input: Readonly<Record<string, unknown>>) => {
    await pause(PAUSE_MS, undefined, { ref: false })
    signal.throwIfAborted()
    const how = { chosen: {}, most: 1, hints: false, isPatient: false, statusOf: undefined }
    return searchTyped(library, projectPath, { input: { limit: 20, ...input }, ...how }, { signal })
  }
  try {
    await search({ query: 'a word and another' })
    for (const word of wordsOf(await sampleNames(search)).slice(0, WORDS)) {
      await search({ query: word.slice(0, BEGINNING) })
      await search({ query: word })
    }
  } catch {
    // Nobody asked for this search: a person who searches gets the same failure, and is told.
  }
}

type Ask = (input: Readonly<Record<string, unknown>>) => Promise<object>

async function sampleNames(search: Ask): Promise<string[]> {
  const names: string[] = []
  let total = 1
  for (let at = 0; at < NAMES; at++) {
    const offset = Math.floor((at * total) / NAMES)
    const answer = await search({ query: '*', sort_by: 'name', limit: 1, offset })
    if (!isFound(answer)) break
    names.push(...answer.results.map(({ name }) => name))
    total = answer.total
  }
  return names
}

/** Each word once; words that come first in a name come before others. */
export function wordsOf(names: readonly string[]): string[] {
  const words = names.map(name => name.toLowerCase().match(/[a-z]{4,}/g) ?? [])
  const longest = Math.max(0, ...words.map(({ length }) => length))
  const inTurn = Array.from({ length: longest }, (_, at) => words.flatMap(some => some[at] ?? []))
  return [...new Set(inTurn.flat())]
}
