// The syntax tree of a query. Offsets are UTF-16 positions in the query text, end exclusive.

export interface Span {
  readonly start: number
  readonly end: number
}

export type Query =
  /** Everything: an empty query, or `*` alone. */
  | { readonly kind: 'all'; readonly span: Span }
  /** One bare word, matched as written and by its stem. */
  | { readonly kind: 'term'; readonly text: string; readonly span: Span }
  /** `"exact words in order"`. */
  | { readonly kind: 'phrase'; readonly text: string; readonly span: Span }
  /** A word with `*` in it, matched against whole words. */
  | { readonly kind: 'wildcard'; readonly pattern: string; readonly span: Span }
  | { readonly kind: 'not'; readonly child: Query; readonly span: Span }
  | { readonly kind: 'and'; readonly children: readonly Query[]; readonly span: Span }
  | { readonly kind: 'or'; readonly children: readonly Query[]; readonly span: Span }
  /** Adjacent parts with no operator between them: `match` decides how they are joined. */
  | { readonly kind: 'words'; readonly children: readonly Query[]; readonly span: Span }
