import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractItem } from '../../src/extract/extract-item.ts'
import { readExtractor } from '../../src/extract/read-extractor.ts'
import { validateItem } from '../../src/extract/validate-item.ts'
import { extractorMetadata } from './system-extractors.ts'

const SMALL = {
  version: '1.0.0',
  extensions: ['.md'],
  parser: 'markdown/frontmatter',
  signature_format: { prefix: '#' },
}

function messages(metadata: unknown): string[] {
  return readExtractor('knowledge', metadata).diagnostics.map(found => `${found.severity} ${found.message}`)
}

describe('reading an extractor', () => {
  it('takes the least that is needed', () => {
    const { extractor, diagnostics } = readExtractor('knowledge', SMALL)
    expect(diagnostics).toEqual([])
    expect(extractor).toMatchObject({ type: 'knowledge', extensions: ['.md'], itemFile: null })
    expect(extractor!.validation.size).toBe(0)
  })

  it('takes an extension by data alone', async () => {
    const metadata = structuredClone({ ...(await extractorMetadata('tool')) })
    Object.assign(metadata, {
      extensions: ['.pl', '.py'],
      parsers: { '.pl': 'shell/comments', '.py': 'python/ast' },
    })
    const { extractor } = readExtractor('tool', metadata)
    const text = [
      '#!/usr/bin/perl',
      '# Says hello.',
      '# __version__ = "1.0.0"',
      '# __tool_type__ = "perl"',
      '# __executor_id__ = "my/perl"',
      '# __category__ = "demo"',
      'print "hello\\n";',
    ].join('\n')
    const parsed = await extractItem(extractor!, {
      id: 'demo/hello',
      extension: '.pl',
      bytes: Buffer.from(text),
    })
    expect(parsed.parser).toBe('shell/comments')
    expect(parsed.metadata).toMatchObject({ name: 'hello', description: 'Says hello.', tool_type: 'perl' })
    expect(validateItem(extractor!, parsed)).toEqual([])
    expect(extractor!.signatureFormats.get('.pl')).toMatchObject({ prefix: '#', afterShebang: true })
  })

  it.each([
    ['nothing', null, 'error extractor: expected a mapping, got null'],
    ['a list', [], 'error extractor: expected a mapping, got a list'],
    ['an unknown parser', { ...SMALL, parser: 'python/eval' }, 'error parser: expected one of '],
    ['a parser that is no text', { ...SMALL, parser: 7 }, 'error parser: expected one of '],
    [
      'an extension without parser',
      { ...SMALL, extensions: ['.md', '.x'], parser: undefined, parsers: { '.md': 'yaml/yaml' } },
      'error parsers: expected an entry for extension `.x`',
    ],
    ['no extensions', { ...SMALL, extensions: [] }, 'error extensions: expected at least one extension'],
    [
      'an extension twice',
      { ...SMALL, extensions: ['.md', '.md'] },
      'error extensions: expected each extension once',
    ],
    [
      'an extension without dot',
      { ...SMALL, extensions: ['md'] },
      'error extensions[0]: expected an extension like',
    ],
    [
      'an extension with a path',
      { ...SMALL, extensions: ['./../x'] },
      'error extensions[0]: expected an extension',
    ],
    [
      'an extension in capitals',
      { ...SMALL, extensions: ['.MD'] },
      'error extensions[0]: expected an extension',
    ],
    [
      'an absurd weight',
      { ...SMALL, search_fields: { title: 1e9 } },
      'error search_fields.title: expected a number',
    ],
    [
      'a negative weight',
      { ...SMALL, search_fields: { title: -1 } },
      'error search_fields.title: expected a number',
    ],
    [
      'a weight in words',
      { ...SMALL, search_fields: { title: 'high' } },
      'error search_fields.title: expected a',
    ],
    [
      'NaN as weight',
      { ...SMALL, search_fields: { title: Number.NaN } },
      'error search_fields.title: expected a',
    ],
    [
      'a prefix over two lines',
      { ...SMALL, signature_format: { prefix: '#\n#' } },
      'error signature_format.prefix: expected a comment mark like `#`, got `#\\u{a}#`',
    ],
    ['no prefix', { ...SMALL, signature_format: {} }, 'error signature_format: expected a `prefix`'],
    ['an item file with a path', { ...SMALL, item_file: '../x' }, 'error item_file: expected a file name'],
    [
      'an unknown rule',
      { ...SMALL, extraction_rules: { name: { type: 'exec' } } },
      'error extraction_rules.name: expected one of path, text, first_line, filename, heading, paragraph, constant, got `exec`',
    ],
    [
      'an unknown field type',
      { ...SMALL, validation_schema: { fields: { name: { type: 'uuid' } } } },
      'error validation_schema.fields.name.type: expected one of',
    ],
    [
      'an enum of nothing',
      { ...SMALL, validation_schema: { fields: { name: { type: 'enum' } } } },
      'error validation_schema.fields.name: expected `values` beside type `enum`',
    ],
    [
      'a flag in words',
      { ...SMALL, validation_schema: { fields: { name: { required: 'yes' } } } },
      'error validation_schema.fields.name.required: expected true or false, got `yes`',
    ],
  ])('refuses %s', (_, metadata, expected) => {
    expect(readExtractor('knowledge', metadata).extractor).toBeNull()
    expect(messages(metadata).join('\n')).toContain(expected)
  })

  it('reports every error at once', () => {
    expect(messages({ ...SMALL, version: 1, parser: 'x', search_fields: [] })).toHaveLength(4)
  })

  it('only warns about a key that nothing reads', () => {
    const { extractor, diagnostics } = readExtractor('knowledge', { ...SMALL, serch_fields: {} })
    expect(extractor).not.toBeNull()
    expect(diagnostics).toMatchObject([
      {
        severity: 'warning',
        message: 'extractor: unknown key `serch_fields`, did you mean `search_fields`?',
      },
    ])
  })

  it('refuses rules nested without end', () => {
    let fields: unknown = {}
    for (let level = 0; level < 1000; level++) fields = { a: { nested: fields } }
    expect(messages({ ...SMALL, validation_schema: { fields } }).join()).toContain('at most 8 levels')
  })

  it('keeps keys of the prototype as plain names', () => {
    const fields = JSON.parse('{"__proto__": {"required": true}, "constructor": {"required": true}}')
    const { extractor } = readExtractor('knowledge', { ...SMALL, validation_schema: { fields } })
    expect([...extractor!.validation.keys()]).toEqual(['__proto__', 'constructor'])
  })

  it('never throws, and gives an extractor or an error', () => {
    const keys = [
      'version',
      'extensions',
      'parser',
      'parsers',
      'signature_format',
      'item_file',
      'search_fields',
    ]
    const record = fc.dictionary(
      fc.constantFrom(...keys, 'signature_formats', 'extraction_rules', 'validation_schema'),
      fc.oneof(fc.jsonValue(), fc.constant({ fields: { a: { nested: { b: null } } } })),
    )
    fc.assert(
      fc.property(record, found => {
        const { extractor, diagnostics } = readExtractor('tool', { ...SMALL, ...found })
        expect(extractor === null).toBe(diagnostics.some(entry => entry.severity === 'error'))
      }),
    )
  })
})
