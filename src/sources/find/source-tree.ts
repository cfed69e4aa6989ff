// A fetched source: the names of its files, and their bytes on request. Nothing of it is in any space, and
// nothing of it is run.

export interface SourceFile {
  /** Relative to the root of the source, with `/`. */
  readonly path: string
  readonly size: number
}

export interface SourceTree {
  /** The state of the source: a commit, a version, a digest. Undefined for a folder. */
  readonly resolved: string | undefined
  /** The name of a skill that is the source itself. Absent when it is named after the address. */
  readonly name?: string
  /** Regular files only, sorted by path. */
  readonly files: readonly SourceFile[]
  /** Entries that are not regular files, or too large to be read. An item that contains one is not taken. */
  readonly odd: readonly OddEntry[]
  /** Identifies a file's content without reading it: two files with the same object are equal. */
  objectOf?(path: string): string | undefined
  /** The bytes of some of the files. Throws when one of them is no longer as listed. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
}

export interface OddEntry {
  readonly path: string
  readonly reason: string
}

/** No source has more files than this. */
export const MOST_SOURCE_FILES = 100_000
/** No file of an item is larger than this. */
export const SOURCE_FILE_BYTES = 8_000_000
