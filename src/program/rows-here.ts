// The program in a thread that makes rows of a catalogue, started by the one that reads the items.
import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { answerRows, rowMaker } from '../catalogue/index.ts'
import { knownMeanings, openLibrary } from '../workspace/index.ts'

/** Whether this is such a thread; then, when whoever started it needs no more rows. */
export async function makeRowsHere(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  if (!parentPort) return false
  const library = openLibrary({ environment })
  const { embedder } = (await knownMeanings(library)).builtIn()
  answerRows(parentPort, rowMaker(embedder))
  await once(parentPort, 'close')
  await library.close()
  return true
}
