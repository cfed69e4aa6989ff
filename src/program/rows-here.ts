// The program in a thread that makes rows of a catalogue. The thread that reads the items starts it.
import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { answerRows, rowMaker } from '../catalogue/index.ts'
import { knownMeanings, openLibrary } from '../workspace/index.ts'

/**
 * False when this is not such a thread. Otherwise makes rows until the parent needs no more, and returns
 * true.
 */
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
