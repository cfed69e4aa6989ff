import { expect, it } from 'vitest'
import { readSystemExtractors } from '../../src/workspace/load-extractors.ts'
import { parseItem } from '../../src/workspace/parsed-tools.ts'
import { tool } from './scratch.ts'

const parse = (id: string, text: string, extractor = readSystemExtractors().get('tool')!) =>
  parseItem(extractor, { id, extension: '.py', bytes: Buffer.from(text) }, text)

it('a tool is parsed once, as long as its bytes, its id and its extractor are the same', async () => {
  const extractor = readSystemExtractors().get('tool')!
  const first = await parse('ops/deploy', tool('ops/deploy'), extractor)
  expect(await parse('ops/deploy', tool('ops/deploy'), extractor)).toBe(first)
  expect(await parse('ops/other', tool('ops/deploy'), extractor)).toMatchObject({ id: 'ops/other' })
  expect(await parse('ops/deploy', tool('ops/deploy', { version: '2.0.0' }), extractor)).toMatchObject({
    metadata: { version: '2.0.0' },
  })
  expect(await parse('ops/deploy', tool('ops/deploy'))).not.toBe(first)
})

it('no call can change what the next one is given', async () => {
  const { metadata } = await parse('ops/deploy', tool('ops/deploy'))
  expect(() => Object.assign(metadata, { version: '9.9.9' })).toThrow(TypeError)
})
