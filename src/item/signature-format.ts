// How a file type carries its signature line: between which comment marks, and whether a `#!` line may come first.
// A file type without comments carries it beside itself, in `NAME.EXT.sig`.

export interface SignatureFormat {
  /** What opens the comment: `#`, `//`, `<!--`. */
  readonly prefix: string
  /** What closes it: `-->`, or an empty string. */
  readonly suffix: string
  /** The signature stands on line 2 when line 1 begins with `#!`. */
  readonly afterShebang: boolean
  /** The signature lies in a file of its own beside the item. */
  readonly detached: boolean
}
