// A model as Model2Vec publishes it: a folder with `model.safetensors`, which has a row of numbers for each
// token, `tokenizer.json` and `config.json`. The vector of a text is the sum of the rows of its tokens. Files
// are read, never run. A folder that is not as it should be is refused with the reason.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, isRecord, sha256Hex } from '../../../base/index.ts'
import { readFile } from '../../../files/index.ts'
import { unitVector } from '../../rank/cosine.ts'
import type { BuiltInModel } from '../built-in-model.ts'
import { EMBEDDED_BODY, type ItemText, type LocalEmbedder } from '../embedder.ts'
import { readTensors, type Tensor } from './safetensors.ts'
import { readTokenizer, type Tokenizer } from './tokenizer.ts'

const MODEL = { name: 'model.safetensors', maxBytes: 1_000_000_000 }
const TOKENIZER = { name: 'tokenizer.json', maxBytes: 100_000_000 }
const CONFIG = { name: 'config.json', maxBytes: 1_000_000 }
/** Other formats of models, which run as programs when they are loaded. */
const PICKLES = ['pytorch_model.bin', 'model.pkl', 'model.pt', 'model.bin']
const MOST_DIMENSIONS = 4096
/** How many characters of a text are embedded. Its beginning says what it is about. */
const MOST_CHARACTERS = 8192
/** The same as for the built-in model. */
const BODY_WEIGHT = 0.3
/** Changes with how texts become vectors, so that vectors of before are made again. */
const VERSION = 2

/** The model of a folder, or why it cannot be used. */
export function loadModelFolder(path: string): BuiltInModel {
  try {
    return { embedder: readModelFolder(path) }
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown
    return { problem: `the model of \`embeddings.path\` cannot be used: ${thrown.message}` }
  }
}

function readModelFolder(path: string): LocalEmbedder {
  const config = readJson(path, CONFIG)
  if (!isRecord(config.json)) throw new Error(`\`${CONFIG.name}\`: expected an object`)
  const tokenizer = readJson(path, TOKENIZER)
  const { tokenize, size } = within(TOKENIZER.name, () => readTokenizer(tokenizer.json))
  const model = readPart(path, MODEL)
  const rows = within(MODEL.name, () => readRows(model.bytes, size))
  const state = [VERSION, config.digest, tokenizer.digest, model.size, model.mtimeMs, path]
  return createEmbedder(`folder-${sha256Hex(JSON.stringify(state)).slice(0, 16)}`, rows, tokenize)
}

interface Part {
  readonly name: string
  readonly maxBytes: number
}

function readPart(path: string, { name, maxBytes }: Part) {
  const file = readFile(join(path, name), { maxBytes, root: path })
  if (file) return { bytes: file.bytes, size: file.stat.size, mtimeMs: file.stat.mtimeMs }
  if (!existsSync(path)) throw new Error(`expected a folder, got nothing at \`${path}\``)
  const pickle = name === MODEL.name ? PICKLES.find(other => existsSync(join(path, other))) : undefined
  const instead = pickle ? `; \`${pickle}\` is not read, because loading it could run code` : ''
  throw new Error(`expected \`${name}\` in \`${path}\`, got none${instead}`)
}

function readJson(path: string, part: Part): { readonly json: unknown; readonly digest: string } {
  const { bytes } = readPart(path, part)
  try {
    return { json: JSON.parse(bytes.toString('utf8')), digest: sha256Hex(bytes) }
  } catch {
    throw new Error(`\`${part.name}\`: expected JSON`)
  }
}

function within<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    if (thrown instanceof AppError || !(thrown instanceof Error)) throw thrown
    throw new Error(`\`${name}\`: ${thrown.message}`)
  }
}

interface Rows {
  readonly dimensions: number
  /** Adds the row of a token, multiplied by `times`. */
  add(sum: Float64Array, token: number, times: number): void
}

/**
 * Reads `embeddings`: a row for each token, or with `mapping` a row for several. Also reads the `weights` of
 * the tokens, if there are any.
 */
function readRows(bytes: Uint8Array, tokens: number): Rows {
  const tensors = readTensors(bytes)
  const embeddings = tensors.get('embeddings')
  const [rows = 0, dimensions = 0] = embeddings?.shape ?? []
  if (embeddings?.shape.length !== 2 || rows === 0)
    throw new Error('expected a tensor `embeddings` with a row for each token')
  if (dimensions === 0 || dimensions > MOST_DIMENSIONS)
    throw new Error(`expected rows of 1 to ${MOST_DIMENSIONS} numbers, got ${dimensions}`)
  const [mapping, weights] = ['mapping', 'weights'].map(name => {
    const tensor = tensors.get(name)
    if (tensor && tensor.count < tokens)
      throw new Error(`expected \`${name}\` for ${tokens} tokens, got ${tensor.count}`)
    return tensor
  })
  if (!mapping && rows < tokens) throw new Error(`expected rows for ${tokens} tokens, got ${rows}`)
  const rowOf = (token: number) => (mapping ? mapping.at(token) : token)
  return {
    // Rounded up, because vectors are stored in steps of four bytes.
    dimensions: 4 * Math.ceil(dimensions / 4),
    add(sum, token, times) {
      const row = rowOf(token)
      if (!(row >= 0 && row < rows)) return
      const weight = times * (weights?.at(token) ?? 1)
      addRow(sum, embeddings, { first: row * dimensions, dimensions, weight })
    },
  }
}

function addRow(
  sum: Float64Array,
  tensor: Tensor,
  row: { readonly first: number; readonly dimensions: number; readonly weight: number },
): void {
  for (let at = 0; at < row.dimensions; at++) sum[at]! += tensor.at(row.first + at) * row.weight
}

function createEmbedder(model: string, rows: Rows, tokenize: Tokenizer): LocalEmbedder {
  const embed = (texts: readonly (readonly [string, number])[]): Float32Array | undefined => {
    const sum = new Float64Array(rows.dimensions)
    for (const [text, weight] of texts)
      for (const token of tokenize(text.slice(0, MOST_CHARACTERS))) rows.add(sum, token, weight)
    return unitVector(sum)
  }
  return {
    model,
    dimensions: rows.dimensions,
    embedQuestion: text => embed([[text, 1]]),
    embedItem: ({ title, description, body }: ItemText) =>
      embed([
        [title, 1],
        [description, 1],
        [body.slice(0, EMBEDDED_BODY), description === '' ? 1 : BODY_WEIGHT],
      ]),
  }
}
