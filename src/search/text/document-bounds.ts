// How large what is searched of an item can be: for documents that others have made, and for what one search reads of many.
import type { SearchField } from '../../query/index.ts'
import { isFilterable, MAX_FIELD, MAX_WORDS, type SearchDocument } from './document.ts'
import { MAX_LINE } from './parameters-line.ts'

/** Characters of the content, and of the text for previews, that are carried elsewhere. More than a search in memory takes of a document. */
const MAX_TEXT = 500_000
/** A name stands in place of a title that is missing, and a name is part of an id. */
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

/** The document without what is beyond the bound of content. */
export function carriedDocument(document: SearchDocument): SearchDocument {
  return cutDocument(document, MAX_TEXT)
}

/** Whether a document could be one that `searchDocument` and `carriedDocument` have made. */
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

/** Documents of which one search reads no more than so many characters in all: where they have more, the longest are cut. */
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

/** An empty text counts, too: there may be any number of them. */
function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.max(1, text.length), 0)
}
