// Searches while nobody does, so that the first keys find everything loaded, read and compiled: for what people begin to type, which is
// mostly what items are called.
import { setTimeout as pause } from 'node:timers/promises'
import type { Library } from '../../workspace/index.ts'
import { isFound, searchTyped } from './typed-search.ts'

/** Names that are looked at, from the beginning of the alphabet to its end, and words of them that are searched for. */
const NAMES = 12
const WORDS = 12
/** Between two searches: whoever asks for something else meanwhile hardly waits. */
const PAUSE_MS = 40
/** Of a word that is completed. */
const BEGINNING = 3

/** Ends with the signal, and at the first failure. */
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
    // Nobody has asked for this: whoever searches meets the same failure, and is told.
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

/** Each once, those that are first in a name before others. */
export function wordsOf(names: readonly string[]): string[] {
  const words = names.map(name => name.toLowerCase().match(/[a-z]{4,}/g) ?? [])
  const longest = Math.max(0, ...words.map(({ length }) => length))
  const inTurn = Array.from({ length: longest }, (_, at) => words.flatMap(some => some[at] ?? []))
  return [...new Set(inTurn.flat())]
}
