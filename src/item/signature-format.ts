// How a file type carries its signature line: between which comment marks, and whether a `#!` line may come
// first. A file type without comments has it in a separate file, `NAME.EXT.sig`.

export interface SignatureFormat {
  /** What opens the comment: `#`, `//`, `<!--`. */
  readonly prefix: string
  /** What closes it: `-->`, or an empty string. */
  readonly suffix: string
  /** The signature is on line 2 when line 1 begins with `#!`. */
  readonly afterShebang: boolean
  /** The signature is in a separate file next to the item. */
  readonly detached: boolean
}
