import { describe, expect, it } from 'vitest'
import { extractItem } from '../../src/extract/extract-item.ts'
import { readExtractor } from '../../src/extract/read-extractor.ts'
import { validateItem } from '../../src/extract/validate-item.ts'
import { EXTRACTED_TYPES, extractorBytes, extractorMetadata, systemExtractor } from './system-extractors.ts'

const HASH = { prefix: '#', suffix: '', afterShebang: true, detached: false }
const SLASHES = { prefix: '//', suffix: '', afterShebang: true, detached: false }
const HTML = { prefix: '<!--', suffix: '-->', afterShebang: false, detached: false }
const DETACHED = { prefix: '', suffix: '', afterShebang: false, detached: true }

describe('the extractors of the package', () => {
  it.each(EXTRACTED_TYPES)('%s is read without a word', async type => {
    const { extractor, diagnostics } = readExtractor(type, await extractorMetadata(type))
    expect(diagnostics).toEqual([])
    expect(extractor?.type).toBe(type)
  })

  it.each(EXTRACTED_TYPES)('%s is itself a valid tool', async type => {
    const tool = await systemExtractor('tool')
    const id = `rye/core/extractors/${type}/${type}_extractor`
    const parsed = await extractItem(tool, { id, extension: '.yaml', bytes: extractorBytes(type) })
    expect(validateItem(tool, parsed)).toEqual([])
  })

  it('pins extensions, parsers and signature formats', async () => {
    const table: Record<string, unknown[][]> = {}
    for (const type of EXTRACTED_TYPES) {
      const { extensions, parsers, signatureFormats } = await systemExtractor(type)
      table[type] = extensions.map(extension => [
        extension,
        parsers.get(extension),
        signatureFormats.get(extension),
      ])
    }
    expect(table).toEqual({
      directive: [['.md', 'markdown/xml', HTML]],
      tool: [
        ['.py', 'python/ast', HASH],
        ['.ts', 'javascript/javascript', SLASHES],
        ['.mts', 'javascript/javascript', SLASHES],
        ['.js', 'javascript/javascript', SLASHES],
        ['.mjs', 'javascript/javascript', SLASHES],
        ['.cjs', 'javascript/javascript', SLASHES],
        ['.yaml', 'yaml/yaml', HASH],
        ['.yml', 'yaml/yaml', HASH],
        ['.json', 'json/json', DETACHED],
        ['.toml', 'toml/toml', HASH],
        ['.sh', 'shell/comments', HASH],
      ],
      knowledge: [
        ['.md', 'markdown/frontmatter', HTML],
        ['.yaml', 'markdown/frontmatter', HASH],
        ['.yml', 'markdown/frontmatter', HASH],
      ],
      skill: [['.md', 'markdown/skill', DETACHED]],
      config: [
        ['.yaml', 'yaml/yaml', HASH],
        ['.yml', 'yaml/yaml', HASH],
        ['.toml', 'toml/toml', HASH],
      ],
    })
  })

  it.each(['directive', 'tool', 'knowledge', 'skill'] as const)('%s weighs the five fields', async type => {
    const { searchFields } = await systemExtractor(type)
    const five = ['title', 'name', 'description', 'category', 'content'].map(field => searchFields.get(field))
    expect(five).toEqual([3, 3, 2, 1.5, 1])
  })

  it('searches no config', async () => {
    expect((await systemExtractor('config')).searchFields.size).toBe(0)
  })
})
