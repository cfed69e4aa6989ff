// The built-in model gives the vectors of its authors, and nothing where it knows none of the words.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadBuiltIn, versionProblem } from '../../../src/search/meaning/built-in-model.ts'
import { type ModelFile, StaticModel } from '../../../src/search/meaning/static-model.ts'
import { BUILT_IN_MODEL } from '../../../src/search/rank/cosine.ts'
import { stem } from '../../../src/search/text/porter.ts'
import { isStopWord } from '../../../src/search/text/stop-words.ts'
import { visitTokens, WORDS_VERSION } from '../../../src/search/text/tokenize.ts'
import vectors from './vectors.json' with { type: 'json' }

const MODEL = fileURLToPath(new URL('../../../system/model/model.bin', import.meta.url))
const bytes = readFileSync(MODEL)
const { embedder } = loadBuiltIn(MODEL)

function inMemory(content: Buffer): ModelFile {
  return { size: content.length, read: (from, length) => content.subarray(from, from + length) }
}

function firstEight(vector: Float32Array | undefined): number[] | null {
  return vector ? Array.from(vector.subarray(0, 8)) : null
}

function expectClose(found: number[] | null, expected: number[] | null): void {
  expect(found?.length).toBe(expected?.length)
  expected?.forEach((value, index) => {
    expect(Math.abs(found![index]! - value)).toBeLessThan(0.00001)
  })
}

describe('the built-in model', () => {
  it.each(vectors.questions)('has the vector of the question `$text`', ({ text, vector }) => {
    expectClose(firstEight(embedder!.embedQuestion(text)), vector)
  })

  it.each(vectors.items)('has the vector of the item `$title`', ({ title, description, text, vector }) => {
    expectClose(firstEight(embedder!.embedItem({ title, description, body: text })), vector)
  })

  it('is the file whose digest is beside it and in its name', () => {
    const digest = createHash('sha256').update(bytes).digest('hex')
    expect(readFileSync(join(MODEL, '..', 'SHA256SUMS'), 'utf8')).toBe(`${digest}  model.bin\n`)
    expect(BUILT_IN_MODEL).toBe(`built-in-${digest.slice(0, 8)}`)
  })

  it('was made for the words of this version', () => {
    expect(new StaticModel(inMemory(bytes)).wordsVersion).toBe(WORDS_VERSION)
    expect(versionProblem(WORDS_VERSION + 1)).toBe(
      `the built-in model is disabled: expected word version 4, got 5`,
    )
  })

  it('gives vectors of length one, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), text => {
        for (const vector of [
          embedder!.embedQuestion(text),
          embedder!.embedItem({ title: text, description: '', body: text }),
        ]) {
          if (vector) expect(Math.hypot(...vector)).toBeCloseTo(1, 4)
        }
      }),
    )
  })

  it('takes no heed of the order of words, nor of their number in a question', () => {
    const words = ['merge', 'pdf', 'files', 'quickly', 'kubernetes']
    fc.assert(
      fc.property(fc.shuffledSubarray(words, { minLength: 1 }), some => {
        const once = embedder!.embedQuestion([...some].sort().join(' '))!
        const often = embedder!.embedQuestion([...some, ...some].join(' '))!
        once.forEach((value, at) => {
          expect(often[at]).toBeCloseTo(value, 5)
        })
      }),
    )
  })
})

// A change of tokens, stop words or stems moves this digest. Then raise WORDS_VERSION, and map the vocabulary of the model anew. All of it
// is ASCII, so that words of other scripts may change.
it('knows ASCII words alone', () => {
  const header = bytes.readUInt32LE(0)
  const { vocabularyBytes } = JSON.parse(bytes.subarray(4, 4 + header).toString())
  expect(bytes.subarray(4 + header, 4 + header + vocabularyBytes).every(byte => byte < 128)).toBe(true)
})

it('has words of a version', () => {
  const text = `How do I restart the pods, resize images and undo my last git commit? getUserName APIs JSON2CSV
    read_file.py file-system e-mail search don't 1.2.3 v2 relational conditional rationalizations
    happy flying agreed plastered hopping tanned falling hissing failing filing vietnamization controlling rolling`
  const words: string[] = []
  visitTokens(text, (token, position, kind) =>
    words.push(`${position} ${kind} ${token} ${stem(token)} ${isStopWord(token)}`),
  )
  const digest = createHash('sha256').update(words.join('\n')).digest('hex')
  expect([WORDS_VERSION, digest.slice(0, 16)]).toEqual([4, '37204ec459e4dc8c'])
})

describe('a file that is no such model', () => {
  function load(content: Uint8Array) {
    const folder = mkdtempSync(join(tmpdir(), 'rye-model-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'model.bin'), content)
    return loadBuiltIn(join(folder, 'model.bin'))
  }

  it('is named, whatever is in it', () => {
    expect(loadBuiltIn('/nowhere/model.bin').problem).toContain('is missing: expected `/nowhere/model.bin`')
    expect(load(new Uint8Array()).problem).toContain('static-embedding-1')
    expect(load(bytes.subarray(0, 1_000_000)).problem).toContain('expected a model of 4944508 bytes')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), junk => {
        expect(() => new StaticModel(inMemory(Buffer.from(junk)))).toThrow(Error)
      }),
    )
  })

  it('is cut off while it is in use: what was read stays, and the rest is an error', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rye-model-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'model.bin')
    writeFileSync(path, bytes)
    const model = loadBuiltIn(path)
    const before = model.embedder!.embedQuestion('time')
    truncateSync(path, 1_000_000)
    expect(model.embedder!.embedQuestion('time')).toEqual(before)
    expect(() => model.embedder!.embedQuestion('morass')).toThrow('it has become shorter')
    model.close!()
    expect(() => model.embedder!.embedQuestion('maggot')).toThrow('it was closed')
  })

  it('has a header without sense', () => {
    const headed = (header: object, rest = 64) => {
      const json = Buffer.from(JSON.stringify(header))
      const length = Buffer.alloc(4)
      length.writeUInt32LE(json.length)
      return () => new StaticModel(inMemory(Buffer.concat([length, json, Buffer.alloc(rest)])))
    }
    const header = { format: 'static-embedding-1', rows: 1, dim: 8, bits: 4, scale: 1, analysis: 4 }
    expect(headed({ ...header, vocabularyBytes: -1 })).toThrow('counts of rows')
    expect(headed({ ...header, rows: 1e9, vocabularyBytes: 4 })).toThrow('bytes, got')
    expect(headed({ ...header, bits: 8, vocabularyBytes: 4 })).toThrow('4 bits')
    expect(headed({ ...header, scale: 0, vocabularyBytes: 4 })).toThrow('scale above 0')
  })
})
