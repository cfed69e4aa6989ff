// An extractor is data: how items of one type are found, parsed, indexed, validated and signed.
import type { Diagnostic, JsonValue } from '../base/index.ts'
import type { SignatureFormat, SignedType } from '../item/index.ts'
import type { Metadata } from '../parse/index.ts'

/** One way to fill a metadata field. */
export type ExtractionRule =
  /** The value that the parser found under another key. */
  | { readonly from: 'path'; readonly key: string }
  /** The text under a key, or under a nested one such as `metadata.version`. A number is taken as spelled. */
  | { readonly from: 'text'; readonly key: string }
  /** The first line of the text that the parser found under another key. */
  | { readonly from: 'first_line'; readonly key: string }
  /** The last segment of the id. */
  | { readonly from: 'filename' }
  /** The first heading of a Markdown text. */
  | { readonly from: 'heading' }
  /** The first paragraph of a Markdown text. */
  | { readonly from: 'paragraph' }
  | { readonly from: 'constant'; readonly value: JsonValue }

export const FIELD_TYPES = [
  'string',
  'integer',
  'number',
  'boolean',
  'semver',
  'enum',
  'object',
  'array',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** What one metadata field must look like before the item may be signed. */
export interface FieldRule {
  readonly required: boolean
  readonly type: FieldType | null
  readonly nullable: boolean
  readonly format: 'snake_case' | null
  readonly minimum: number | null
  readonly maximum: number | null
  /** What an `enum` allows. */
  readonly values: readonly JsonValue[]
  /** Rules for the members of an object. */
  readonly nested: ReadonlyMap<string, FieldRule>
  /** The type of every element of an array. */
  readonly itemType: FieldType | null
  /** Keys that every element of an array must have. */
  readonly itemRequired: readonly string[]
  readonly matchFilename: boolean
  readonly matchPath: boolean
}

export interface Extractor {
  readonly type: SignedType
  readonly version: string
  /** With dots. Of two files with the same id, the one whose extension comes first wins. */
  readonly extensions: readonly string[]
  /** The item is a folder, and this file in it (without extension) is what is parsed; null for plain files. */
  readonly itemFile: string | null
  /** Extension → parser name. */
  readonly parsers: ReadonlyMap<string, string>
  /** Extension → how such a file is signed. */
  readonly signatureFormats: ReadonlyMap<string, SignatureFormat>
  /** Field → ways to fill it; the first that gives a value wins. */
  readonly rules: ReadonlyMap<string, readonly ExtractionRule[]>
  /** Override `rules` for a file without any metadata. Empty when such a file is no item. */
  readonly rulesWithoutMetadata: ReadonlyMap<string, readonly ExtractionRule[]>
  /** Search field → weight. */
  readonly searchFields: ReadonlyMap<string, number>
  readonly validation: ReadonlyMap<string, FieldRule>
}

/** One extractor per type; a workspace has its own set, so settings of one project never reach another. */
export type Extractors = ReadonlyMap<SignedType, Extractor>

/** An item's file, read and understood. */
export interface ParsedItem {
  readonly type: SignedType
  readonly id: string
  /** Last segment of the id. */
  readonly name: string
  readonly extension: string
  /** The parser that read it, such as `markdown/xml`. */
  readonly parser: string
  readonly metadata: Metadata
  readonly body: string
  /** The body without the metadata in it, for formats that have metadata in the body. */
  readonly prose?: string | undefined
  /** Prose before the metadata, and prose inside the metadata of a directive: searched, never followed. */
  readonly aside: string
  readonly diagnostics: readonly Diagnostic[]
}

/** One rule that an item breaks. */
export interface Issue {
  /** The path of the field: `inputs[0]`, `limits.turns`. */
  readonly field: string
  readonly message: string
}
