import { expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'
import { testCorpus } from '../corpus.ts'

testCorpus('toml', 'toml/toml')

it('has a limit of its own, as YAML has', async () => {
  const read = (length: number) =>
    parseBytes('toml/toml', new TextEncoder().encode(`#${'x'.repeat(length - 7)}\na = 1`), '.toml')
  expect(await read(256_000)).toMatchObject({ metadata: { a: 1 }, diagnostics: [] })
  expect((await read(256_001)).diagnostics).toMatchObject([{ code: 'toml-too-large' }])
})
