// An extractor is data: how items of one type are found, parsed, indexed, validated and signed.
import type { Diagnostic, JsonValue } from '../base/index.ts'
import type { SignatureFormat, SignedType } from '../item/index.ts'
import type { Metadata } from '../parse/index.ts'

/** Where one metadata field comes from. */
export type ExtractionRule =
  | { readonly from: 'path'; readonly key: string; readonly fallback?: JsonValue }
  | { readonly from: 'filename' }
  | { readonly from: 'constant'; readonly value: JsonValue }

/** What one metadata field must look like before the item may be signed. */
export interface FieldRule {
  readonly required: boolean
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'semver' | 'enum' | 'object' | 'array' | null
  readonly nullable: boolean
  readonly format: 'snake_case' | null
  readonly minimum: number | null
  readonly maximum: number | null
  readonly values: readonly JsonValue[]
  readonly nested: ReadonlyMap<string, FieldRule>
  readonly itemType: string | null
  readonly itemRequired: readonly string[]
  readonly matchFilename: boolean
  readonly matchPath: boolean
}

export interface Extractor {
  readonly type: SignedType
  readonly version: string
  /** With dots, in the order in which they decide between two files of one id. */
  readonly extensions: readonly string[]
  /** Extension → parser name. */
  readonly parsers: ReadonlyMap<string, string>
  /** Extension → how such a file is signed. */
  readonly signatureFormats: ReadonlyMap<string, SignatureFormat>
  readonly rules: ReadonlyMap<string, ExtractionRule>
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
  readonly diagnostics: readonly Diagnostic[]
}
