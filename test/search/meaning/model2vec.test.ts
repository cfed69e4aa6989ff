// Model folders as Model2Vec publishes them: small ones made by these tests, valid and broken.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { loadModelFolder } from '../../../src/search/meaning/model2vec/model-folder.ts'
import { readNormalizer } from '../../../src/search/meaning/model2vec/normalize.ts'
import { readTensors } from '../../../src/search/meaning/model2vec/safetensors.ts'
import { readTokenizer } from '../../../src/search/meaning/model2vec/tokenizer.ts'
import { knowledge, scratch } from '../../workspace/scratch.ts'

const BERT = {
  normalizer: { type: 'BertNormalizer', lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
}
const TOKENS = ['[UNK]', 'roll', '##back', 'undo', 'release', 'cafe', '!', 'play']
const WORD_PIECE = {
  ...BERT,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    vocab: Object.fromEntries(TOKENS.map((token, at) => [token, at])),
  },
}
const UNIGRAM = {
  normalizer: { type: 'Precompiled', precompiled_charsmap: '' },
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always' },
  model: {
    type: 'Unigram',
    unk_id: 0,
    vocab: [
      ['<unk>', 0],
      ['▁', -2],
      ['▁roll', -3],
      ['back', -3],
      ['▁rollback', -4],
      ['▁undo', -3],
      ['o', -9],
    ],
  },
}

type Kind = 'F32' | 'F16' | 'I8'
/** Rows of which 1, 2 and 3 point the same way as `undo` does. */
const ROWS = [
  [9, 9, 9],
  [1, 0, 0],
  [1, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0, 0, 0],
  [0, -1, 0],
]

function packed(kind: Kind, numbers: readonly number[]): Buffer {
  if (kind === 'F32') return Buffer.from(Float32Array.from(numbers).buffer)
  if (kind === 'I8') return Buffer.from(Int8Array.from(numbers, value => value * 100).buffer)
  // 0, 1, -1, 9 as numbers of 16 bits.
  const halves = new Map([
    [0, 0],
    [1, 0x3c00],
    [-1, 0xbc00],
    [9, 0x4880],
  ])
  return Buffer.from(Uint16Array.from(numbers, value => halves.get(value)!).buffer)
}

function safetensors(header: unknown, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text, data])
}

function table(kind: Kind = 'F32', rows: readonly (readonly number[])[] = ROWS): Buffer {
  const data = packed(kind, rows.flat())
  const shape = [rows.length, rows[0]!.length]
  return safetensors(
    { __metadata__: { a: 'b' }, embeddings: { dtype: kind, shape, data_offsets: [0, data.length] } },
    data,
  )
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'rye-model-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

function write(files: Record<string, string | Uint8Array | object> = {}): void {
  const all = {
    'config.json': { model_type: 'model2vec', normalize: true },
    'tokenizer.json': WORD_PIECE,
    'model.safetensors': table(),
    ...files,
  }
  for (const [name, content] of Object.entries(all)) {
    const isRaw = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(join(folder, name), isRaw ? content : JSON.stringify(content))
  }
}

const rounded = (vector: Float32Array | undefined) =>
  vector && [...vector].map(value => Math.round(value * 1000) / 1000)

describe('a folder', () => {
  it.each<Kind>(['F32', 'F16', 'I8'])(
    'of %s gives the sum of the rows of its tokens, of length one',
    kind => {
      write({ 'model.safetensors': table(kind) })
      const { embedder } = loadModelFolder(folder)
      // Rows of three numbers are filled up to four.
      expect(embedder).toMatchObject({ dimensions: 4, model: expect.stringMatching(/^folder-[0-9a-f]{16}$/) })
      expect(rounded(embedder!.embedQuestion('Rollback'))).toEqual([1, 0, 0, 0])
      expect(rounded(embedder!.embedQuestion('undo, RELEASE'))).toEqual([
        Math.round(Math.SQRT1_2 * 1000) / 1000,
        Math.round(Math.SQRT1_2 * 1000) / 1000,
        0,
        0,
      ])
      expect(rounded(embedder!.embedQuestion('Café'))).toEqual([0, 0, 1, 0])
      expect(embedder!.embedQuestion('unknown words!')).toBeUndefined()
      expect(embedder!.embedQuestion('')).toBeUndefined()
      const item = embedder!.embedItem({ title: 'undo', description: 'undo', body: 'release' })
      expect(rounded(item)).toEqual([0.989, 0.148, 0, 0])
    },
  )

  it('may share rows among tokens, and weight them', () => {
    const parts = [
      Float32Array.of(1, 0, 0, 1),
      BigInt64Array.of(0n, 0n, 0n, 0n, 1n, 1n, 1n, 1n),
      Float32Array.of(1, 1, 1, 3, 1, 1, 1, 1),
    ]
    const bytes = parts.map(part => Buffer.from(part.buffer))
    const offsets = [
      [0, 16],
      [16, 80],
      [80, 112],
    ]
    const entry = (dtype: string, shape: number[], at: number) => ({
      dtype,
      shape,
      data_offsets: offsets[at],
    })
    const header = {
      embeddings: entry('F32', [2, 2], 0),
      mapping: entry('I64', [8], 1),
      weights: entry('F32', [8], 2),
    }
    write({ 'model.safetensors': safetensors(header, Buffer.concat(bytes)) })
    expect(rounded(loadModelFolder(folder).embedder!.embedQuestion('undo release'))).toEqual([
      0.949, 0.316, 0, 0,
    ])
  })

  it('chosen by the user gives search its meaning, and no project can choose one', async () => {
    const items = {
      '.ai/knowledge/ops/rollback.md': knowledge('ops/rollback', {
        title: 'Rollback',
        description: 'Rollback',
        body: 'Rollback.',
      }),
      '.ai/knowledge/ops/games.md': knowledge('ops/games', {
        title: 'Play',
        description: 'Play',
        body: 'Play.',
      }),
    }
    write()
    const made = await scratch(items)
    const setting = `[embeddings]\npath = "${folder}"\n`
    made.write('.ai/config/rye.toml', setting)
    const ask = () => made.run('search', { query: 'undo qqq', source: 'project' })
    expect((await made.library.policy()).embeddings).toBeNull()
    made.write('user:.ai/config/rye.toml', setting)
    const answer = await ask()
    expect(answer).toMatchObject({ search_type: 'hybrid', results: [{ id: 'ops/rollback' }] })
    expect(answer).not.toHaveProperty('warning')
    rmSync(join(folder, 'tokenizer.json'))
    const other = await scratch({ ...items, 'user:.ai/config/rye.toml': setting })
    const broken = await other.run('search', { query: 'undo rollback', source: 'project' })
    expect(broken).toMatchObject({ search_type: 'keyword', results: [{ id: 'ops/rollback' }] })
    expect(broken.warning).toMatch(
      /^answered by words alone: the model of `embeddings.path` cannot be used: expected `tokenizer.json` in/,
    )
    const { checks } = (await other.run('doctor', {})) as unknown as { checks: object[] }
    const message = expect.stringMatching(
      /^items are found by words alone: the model of .* expected `tokenizer.json` in/,
    )
    expect(checks).toContainEqual({ name: 'meaning', status: 'problem', message })
  })
})

describe('a bad folder is refused with the reason:', () => {
  const huge = { embeddings: { dtype: 'F32', shape: [2 ** 40, 2 ** 40], data_offsets: [0, 96] } }
  it.each<[string, Record<string, string | Uint8Array | object>, string]>([
    [
      'cut off',
      { 'model.safetensors': table().subarray(0, -1) },
      "expected a range of 96 bytes within the file's 95",
    ],
    ['no header', { 'model.safetensors': 'abc' }, 'expected a header within 3 bytes, got one of 0'],
    [
      'a header that is longer than the file',
      { 'model.safetensors': Buffer.alloc(16, 255) },
      'expected a header within 16 bytes',
    ],
    ['a header of something else', { 'model.safetensors': safetensors('[[[[') }, 'expected a JSON header'],
    [
      'sizes without end',
      { 'model.safetensors': safetensors(huge, Buffer.alloc(96)) },
      "bytes within the file's 96",
    ],
    [
      'negative offsets',
      {
        'model.safetensors': safetensors({
          embeddings: { dtype: 'F32', shape: [1, 1], data_offsets: [-4, 0] },
        }),
      },
      'expected type, shape and offsets',
    ],
    [
      'offsets the wrong way round',
      {
        'model.safetensors': safetensors(
          { embeddings: { dtype: 'F32', shape: [1, 1], data_offsets: [8, 4] } },
          Buffer.alloc(8),
        ),
      },
      'got 8 to 4',
    ],
    [
      'another type of numbers',
      {
        'model.safetensors': safetensors(
          { embeddings: { dtype: 'BF16', shape: [1, 1], data_offsets: [0, 2] } },
          Buffer.alloc(2),
        ),
      },
      'got BF16',
    ],
    [
      'a type that is a member of every object',
      {
        'model.safetensors': safetensors({
          embeddings: { dtype: 'toString', shape: [], data_offsets: [0, 0] },
        }),
      },
      'got toString',
    ],
    ['no table', { 'model.safetensors': safetensors({}) }, 'expected a tensor `embeddings`'],
    [
      'fewer rows than tokens',
      { 'model.safetensors': table('F32', ROWS.slice(0, 3)) },
      'expected rows for 8 tokens, got 3',
    ],
    [
      'rows without numbers',
      {
        'model.safetensors': safetensors({
          embeddings: { dtype: 'F32', shape: [8, 0], data_offsets: [0, 0] },
        }),
      },
      'expected rows of 1 to 4096 numbers, got 0',
    ],
    ['settings that are no JSON', { 'config.json': '{' }, '`config.json`: expected JSON'],
    ['settings that are a list', { 'config.json': '[]' }, '`config.json`: expected an object'],
    [
      'a tokenizer without a model',
      { 'tokenizer.json': {} },
      '`tokenizer.json`: expected an object with `model`',
    ],
    [
      'another kind of tokenizer',
      { 'tokenizer.json': { model: { type: 'BPE' } } },
      'expected a WordPiece or Unigram tokenizer, got `BPE`',
    ],
    [
      'tokens without numbers',
      { 'tokenizer.json': { model: { type: 'WordPiece', vocab: { a: 'b' } } } },
      'expected the WordPiece `vocab`',
    ],
    [
      'a token with an endless number',
      { 'tokenizer.json': { model: { type: 'WordPiece', vocab: { a: 2 ** 50 } } } },
      'expected rows for 1125899906842625 tokens, got 8',
    ],
    [
      'pieces without scores',
      { 'tokenizer.json': { model: { type: 'Unigram', vocab: [['a']] } } },
      'expected each entry of the Unigram `vocab`',
    ],
    [
      'a pattern to run',
      {
        'tokenizer.json': {
          ...WORD_PIECE,
          normalizer: { type: 'Replace', pattern: { Regex: '(a+)+$' }, content: '' },
        },
      },
      'expected `Replace` to match plain text',
    ],
  ])('%s', (_, files, problem) => {
    write(files)
    expect(loadModelFolder(folder).problem).toContain(problem)
  })

  it('no folder, a missing file, a pickle in its place, links', () => {
    expect(loadModelFolder(join(folder, 'none')).problem).toContain('expected a folder, got nothing at')
    write()
    rmSync(join(folder, 'model.safetensors'))
    writeFileSync(join(folder, 'pytorch_model.bin'), 'pickle')
    expect(loadModelFolder(folder).problem).toMatch(
      /expected `model.safetensors` in .*; `pytorch_model.bin` is not read, because loading it could run code$/,
    )
    writeFileSync(join(folder, 'kept'), table())
    symlinkSync('kept', join(folder, 'model.safetensors'))
    expect(loadModelFolder(folder).problem).toContain('it is a symbolic link')
    rmSync(join(folder, 'model.safetensors'))
    mkdirSync(join(folder, 'model.safetensors'))
    expect(loadModelFolder(folder).problem).toContain('a directory')
  })

  it('whatever the bytes are', () => {
    const good = table()
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const bytes = Buffer.from(good)
        bytes[at] = byte
        try {
          const tensor = readTensors(bytes).get('embeddings')
          // What is taken can be read to its end.
          if (tensor && tensor.count > 0) expect(tensor.at(tensor.count - 1)).toBeTypeOf('number')
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Error)
          expect((thrown as Error).message).toMatch(/^(expected|tensor)/)
        }
      }),
    )
  })
})

describe('a tokenizer', () => {
  const cut = (json: unknown, text: string) => readTokenizer(json).tokenize(text)

  it('of WordPiece takes the longest pieces, and leaves out words that are not made of them', () => {
    expect(cut(WORD_PIECE, 'Undo the ROLLBACK!')).toEqual([3, 1, 2, 6])
    expect(cut(WORD_PIECE, 'rollbacks')).toEqual([])
    expect(cut(WORD_PIECE, 'x'.repeat(100_000))).toEqual([])
  })

  it('of Unigram takes the likeliest pieces, and leaves out unknown characters', () => {
    expect(cut(UNIGRAM, 'rollback')).toEqual([4])
    expect(cut(UNIGRAM, 'ｕｎｄｏ rollo')).toEqual([5, 2, 6])
    expect(cut(UNIGRAM, 'zz')).toEqual([1])
    expect(cut(UNIGRAM, 'zo'.repeat(5000)).length).toBeGreaterThan(4000)
  })

  const TEXT = 'a\tb\n\nc  d\u3000e\u2028f'

  it.each([
    [' {2,}', 'a\tb\n\nc_d\u3000e\u2028f'],
    ['\\s+', 'a_b_c_d_e_f'],
  ])('replaces the pattern `%s` as the library of its models does', (Regex, expected) => {
    const step = { type: 'Replace', pattern: { Regex }, content: '_' }
    expect(readNormalizer(step)(TEXT)).toBe(expected)
  })

  it('of SentencePiece has blanks for tabs and line breaks, which are one where models say so', () => {
    const once = { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' }
    const normalizer = { type: 'Sequence', normalizers: [UNIGRAM.normalizer, once] }
    expect(readNormalizer(normalizer)(TEXT)).toBe('a b c d e f')
    expect(cut({ ...UNIGRAM, normalizer }, 'rollback\n\nundo')).toEqual([4, 5])
  })

  it('comes to an end, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        for (const json of [WORD_PIECE, UNIGRAM])
          for (const number of cut(json, text)) expect(number).toBeLessThan(8)
      }),
    )
  })
})
