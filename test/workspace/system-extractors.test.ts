import { expect, it } from 'vitest'
import { readSystemExtractors } from '../../src/workspace/load-extractors.ts'
import { SYSTEM_EXTRACTORS } from '../../src/workspace/system-extractors.ts'
import { EXTRACTED_TYPES, extractorMetadata, systemExtractors } from '../extract/system-extractors.ts'

it.each(EXTRACTED_TYPES)(
  'the %s extractor that is compiled in says what its file says (if stale: node scripts/system-extractors.mjs)',
  async type => {
    expect(SYSTEM_EXTRACTORS[type]).toEqual(await extractorMetadata(type))
  },
)

it('the compiled extractors are those of the files', async () => {
  expect(readSystemExtractors()).toEqual(await systemExtractors())
})
