// Turns parsed YAML into an extractor. An extractor may come from a project, so nothing in it is trusted
// before it is checked here. It is accepted whole or not at all: after any error the caller falls back to the
// next space, rather than work with half of the rules.
import { type Diagnostic, type JsonValue, quoteText } from '../base/index.ts'
import type { SignatureFormat, SignedType } from '../item/index.ts'
import { PARSER_NAMES } from '../parse/index.ts'
import { readFieldRules } from './read-field-rules.ts'
import { createShape, type Shape } from './shape.ts'
import type { ExtractionRule, Extractor } from './types.ts'

export interface ReadExtractor {
  /** Null when there is any error among the diagnostics. */
  readonly extractor: Extractor | null
  readonly diagnostics: readonly Diagnostic[]
}

const KEYS = [
  'version',
  'tool_type',
  'executor_id',
  'category',
  'description',
  'extensions',
  'item_file',
  'parser',
  'parsers',
  'signature_format',
  'signature_formats',
  'extraction_rules',
  'without_metadata',
  'search_fields',
  'validation_schema',
]
// Lower case, so that a name has the same extension on every file system.
const EXTENSION = /^\.[a-z0-9][a-z0-9_-]{0,15}$/
const FILE_STEM = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
// Printable ASCII without spaces or colons: a mark cannot contain a line break, nor imitate the signature itself.
const COMMENT_MARK = /^[!-9;-~]{1,8}$/
const WEIGHTS = { min: 0.01, max: 100 }

/** Reads the parsed metadata of an `*_extractor.yaml`. Never throws. */
export function readExtractor(type: SignedType, metadata: unknown): ReadExtractor {
  const shape = createShape()
  const given = new Map(shape.record('extractor', metadata ?? null, KEYS))
  const extensions = readExtensions(shape, given.get('extensions'))
  const extractor: Extractor = {
    type,
    version: shape.text('version', given.get('version')) ?? '',
    extensions,
    itemFile: readItemFile(shape, given.get('item_file')),
    parsers: byExtension(shape, given, extensions, 'parser', (where, value) =>
      shape.oneOf(where, value, PARSER_NAMES),
    ),
    signatureFormats: byExtension(shape, given, extensions, 'signature_format', (where, value) =>
      readSignatureFormat(shape, where, value),
    ),
    rules: readExtractionRules(shape, 'extraction_rules', given.get('extraction_rules')),
    rulesWithoutMetadata: readExtractionRules(shape, 'without_metadata', given.get('without_metadata')),
    searchFields: new Map(
      shape
        .record('search_fields', given.get('search_fields'))
        .map(([field, weight]) => [field, shape.number(`search_fields.${field}`, weight, WEIGHTS) ?? 0]),
    ),
    validation: readValidation(shape, given.get('validation_schema')),
  }
  const refused = shape.diagnostics.some(found => found.severity === 'error')
  return { extractor: refused ? null : extractor, diagnostics: shape.diagnostics }
}

function readExtensions(shape: Shape, value: unknown): string[] {
  const extensions = shape.list('extensions', value).flatMap((entry, index) => {
    if (typeof entry === 'string' && EXTENSION.test(entry)) return entry
    return (
      shape.error(`extensions[${index}]`, `expected an extension like \`.md\`, got ${quoteText(entry)}`) ?? []
    )
  })
  if (extensions.length === 0) shape.error('extensions', 'expected at least one extension')
  if (new Set(extensions).size < extensions.length) shape.error('extensions', 'expected each extension once')
  return extensions
}

function readItemFile(shape: Shape, value: unknown): string | null {
  if (value === undefined) return null
  if (typeof value === 'string' && FILE_STEM.test(value)) return value
  return shape.error('item_file', `expected a file name without extension, got ${quoteText(value)}`) ?? null
}

/** A setting given once for all extensions (`parser`), for each (`parsers`), or both: then `parsers` wins. */
function byExtension<T>(
  shape: Shape,
  given: ReadonlyMap<string, unknown>,
  extensions: readonly string[],
  key: 'parser' | 'signature_format',
  read: (where: string, value: unknown) => T | undefined,
): Map<string, T> {
  const plural = `${key}s`
  const common = given.has(key) ? read(key, given.get(key)) : undefined
  const found = new Map<string, T>()
  const single = new Map(shape.record(plural, given.get(plural), extensions))
  for (const extension of extensions) {
    const own = single.has(extension) ? read(`${plural}.${extension}`, single.get(extension)) : common
    if (own !== undefined) found.set(extension, own)
    else shape.error(plural, `expected an entry for extension \`${extension}\``)
  }
  return found
}

function readSignatureFormat(shape: Shape, where: string, value: unknown): SignatureFormat | undefined {
  if (value === undefined) return shape.error(where, 'expected a mapping')
  const given = new Map(shape.record(where, value, ['prefix', 'suffix', 'after_shebang', 'detached']))
  const detached = shape.flag(`${where}.detached`, given.get('detached'))
  const mark = (key: string): string => {
    const text = given.get(key) ?? ''
    if (text === '' || (typeof text === 'string' && COMMENT_MARK.test(text))) return text
    return shape.error(`${where}.${key}`, `expected a comment mark like \`#\`, got ${quoteText(text)}`) ?? ''
  }
  const format = {
    prefix: mark('prefix'),
    suffix: mark('suffix'),
    afterShebang: shape.flag(`${where}.after_shebang`, given.get('after_shebang')),
    detached,
  }
  if (!detached && format.prefix === '') return shape.error(where, 'expected a `prefix` or `detached: true`')
  return format
}

function readExtractionRules(
  shape: Shape,
  key: string,
  value: unknown,
): Map<string, readonly ExtractionRule[]> {
  const rules = new Map<string, readonly ExtractionRule[]>()
  for (const [field, entry] of shape.record(key, value)) {
    const where = `${key}.${field}`
    const alternatives = Array.isArray(entry) ? shape.list(where, entry) : [entry]
    rules.set(
      field,
      alternatives.flatMap(alternative => readExtractionRule(shape, where, field, alternative)),
    )
  }
  return rules
}

function readExtractionRule(shape: Shape, where: string, field: string, value: unknown): ExtractionRule[] {
  const given = new Map(shape.record(where, value ?? null, ['type', 'key', 'value', 'default']))
  const from = shape.oneOf(where, given.get('type'), [
    'path',
    'text',
    'first_line',
    'filename',
    'heading',
    'paragraph',
    'constant',
  ])
  // Parsed YAML is JSON by now.
  const json = (key: string): JsonValue => (given.get(key) ?? null) as JsonValue
  if (from === 'filename' || from === 'heading' || from === 'paragraph') return [{ from }]
  if (from === 'constant') return [{ from, value: json('value') }]
  if (from === undefined) return []
  const key = given.has('key') ? shape.text(`${where}.key`, given.get('key')) : field
  if (key === undefined) return []
  return given.has('default')
    ? [
        { from, key },
        { from: 'constant', value: json('default') },
      ]
    : [{ from, key }]
}

function readValidation(shape: Shape, value: unknown): Extractor['validation'] {
  const given = new Map(shape.record('validation_schema', value, ['fields']))
  return readFieldRules(shape, 'validation_schema.fields', given.get('fields'))
}
