// Parts of a query tree, as a question reads it.
import type { Query } from '../../query/index.ts'

/**
 * The parts of a query without operators, with groups flattened; undefined for a single part that is exact,
 * such as a phrase.
 */
export function bareParts(query: Query): Query[] | undefined {
  if (query.kind === 'words') return query.children.flatMap(child => bareParts(child) ?? [child])
  return query.kind === 'term' ? [query] : undefined
}

/** The bare terms that every match must have. */
export function requiredTerms(query: Query): string[] {
  if (query.kind === 'term') return [query.text]
  return query.kind === 'and' || query.kind === 'words' ? query.children.flatMap(requiredTerms) : []
}
