// Loads the model that comes with the package, or says why it cannot be used. Without it a search goes by
// words alone.
import { AppError } from '../../base/index.ts'
import { type OpenedFile, openFile } from '../../files/index.ts'
import { BUILT_IN_MODEL } from '../rank/cosine.ts'
import { WORDS_VERSION } from '../text/tokenize.ts'
import type { LocalEmbedder } from './embedder.ts'
import { createStaticEmbedder } from './static-embedder.ts'
import { StaticModel } from './static-model.ts'

const MAX_BYTES = 64 * 1024 * 1024

export type BuiltInModel =
  | { readonly embedder: LocalEmbedder; readonly problem?: undefined; readonly close?: () => void }
  | { readonly embedder?: undefined; readonly problem: string; readonly close?: undefined }

/** The file stays open until `close` is called: its rows are read when words first need them. */
export function loadBuiltIn(path: string): BuiltInModel {
  let file: OpenedFile | undefined
  try {
    file = openFile(path, MAX_BYTES)
    if (!file) return { problem: `the built-in model is missing: expected \`${path}\`` }
    const model = new StaticModel(file)
    const problem = versionProblem(model.wordsVersion)
    if (!problem) return { embedder: createStaticEmbedder(BUILT_IN_MODEL, model), close: file.close }
    file.close()
    return { problem }
  } catch (thrown) {
    file?.close()
    if (!(thrown instanceof Error)) throw thrown
    const what = thrown instanceof AppError ? thrown.message : `\`${path}\`: ${thrown.message}`
    return { problem: `the built-in model cannot be used: ${what}` }
  }
}

/** The rows belong to the stems of one version. With others, sums of rows would mean something else. */
export function versionProblem(wordsVersion: number): string | undefined {
  if (wordsVersion === WORDS_VERSION) return undefined
  return `the built-in model is disabled: expected word version ${WORDS_VERSION}, got ${wordsVersion}`
}
