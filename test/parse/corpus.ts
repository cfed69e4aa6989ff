// Runs the golden corpus of one format: test/corpus/FORMAT/{valid,malformed}/CASE/{input.EXT,expected.json}.
// UPDATE_GOLDEN=1 rewrites the expectations; the diff is then read by a person.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../src/parse/parse-bytes.ts'

const CORPUS = join(import.meta.dirname, '..', 'corpus')

/** Declares one test for each case; a format has at least one of each kind. */
export function testCorpus(format: string, parser: string): void {
  describe(`corpus of ${format}`, () => {
    for (const kind of ['valid', 'malformed'] as const) {
      for (const name of readdirSync(join(CORPUS, format, kind)).sort()) {
        it(`${kind}: ${name}`, () => checkCase(join(CORPUS, format, kind, name), kind, parser))
      }
    }
  })
}

async function checkCase(folder: string, kind: 'valid' | 'malformed', parser: string): Promise<void> {
  const input = readdirSync(folder).find(file => file.startsWith('input.'))
  if (input === undefined) throw new Error(`no input file in ${folder}`)
  const result = await parseBytes(parser, readFileSync(join(folder, input)), extname(input))
  const { metadata, body, diagnostics } = result
  const actual = `${JSON.stringify({ metadata, body, diagnostics }, null, 2)}\n`

  const expectedPath = join(folder, 'expected.json')
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(expectedPath, actual)
  expect(existsSync(expectedPath), `${expectedPath} is missing: npm run golden writes it`).toBe(true)
  // Compared as values: `__proto__` is an own key on both sides.
  expect(JSON.parse(actual)).toEqual(JSON.parse(readFileSync(expectedPath, 'utf8')))
  expect(diagnostics.length > 0, 'only a malformed file has diagnostics').toBe(kind === 'malformed')
  if (kind === 'malformed') return
  const outline = await parseBytes(parser, readFileSync(join(folder, input)), extname(input), {
    outline: true,
  })
  expect(outline, 'a sound file is the same without its insides').toEqual(result)
}
