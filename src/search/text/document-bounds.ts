// Bounds on the searchable text of items: for documents that others made, and for how much one search reads
// of many.
import type { SearchField } from '../../query/index.ts'
import { isFilterable, MAX_FIELD, MAX_WORDS, type SearchDocument } from './document.ts'
import { MAX_LINE } from './parameters-line.ts'

/**
 * The characters of the content, and of the preview text, that are carried elsewhere, such as to a catalogue.
 * More than a search in memory reads of a document.
 */
const MAX_TEXT = 500_000
/** A missing title is replaced by the name, which is part of an id. */
const MAX_TITLE = Math.max(MAX_FIELD.title, MAX_FIELD.category)

const MAX_TEXTS: Readonly<Record<SearchField, number>> = {
  title: MAX_TITLE,
  name: MAX_FIELD.category,
  description: MAX_FIELD.description,
  category: MAX_FIELD.category,
  content: MAX_TEXT,
  parameters: MAX_FIELD.parameters,
  tags: MAX_WORDS * MAX_FIELD.word,
  keywords: MAX_WORDS * MAX_FIELD.word,
}

/** The document, with its content and preview text cut to `MAX_TEXT`. */
export function carriedDocument(document: SearchDocument): SearchDocument {
  return cutDocument(document, MAX_TEXT)
}

/**
 * Whether a document could have been made by `searchDocument` and `carriedDocument`: nothing exceeds their
 * bounds.
 */
export function isCarriable(document: SearchDocument): boolean {
  const { title, description, category, version, parameters, metadata, fields, prose = '' } = document
  return (
    title.length <= MAX_TITLE &&
    description.length <= MAX_FIELD.description &&
    category.length <= MAX_FIELD.category &&
    version.length <= MAX_FIELD.version &&
    parameters.length <= MAX_LINE &&
    prose.length <= MAX_TEXT &&
    Object.values(metadata).every(isFilterable) &&
    Object.entries(fields).every(([field, texts]) => lengthOf(texts) <= MAX_TEXTS[field as SearchField])
  )
}

/** Cuts the longest documents when all of them together have more than `most` characters. */
export function boundDocuments(
  documents: readonly SearchDocument[],
  most: number,
): readonly SearchDocument[] {
  const total = documents.reduce((sum, document) => sum + sizeOf(document), 0)
  if (total <= most) return documents
  const each = Math.floor(most / documents.length / 2)
  return documents.map(document => cutDocument(document, each))
}

function sizeOf({ fields, prose = '' }: SearchDocument): number {
  return Object.values(fields).reduce((sum, texts) => sum + lengthOf(texts), prose.length)
}

function cutDocument(document: SearchDocument, most: number): SearchDocument {
  const { fields, prose } = document
  if (lengthOf(fields.content) <= most && (prose ?? '').length <= most) return document
  let left = most
  const content: string[] = []
  for (const text of fields.content) {
    if (left <= 0) break
    content.push(text.slice(0, left))
    left -= Math.max(1, text.length)
  }
  return { ...document, fields: { ...fields, content }, prose: prose?.slice(0, most) }
}

/** An empty text counts as one character: there may be any number of them. */
function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.max(1, text.length), 0)
}
