// A source once it is at hand: the names of its files, and their bytes when they are asked for. Nothing of it is in any space, and nothing
// of it is run.

export interface SourceFile {
  /** From the root of the source, with `/`. */
  readonly path: string
  readonly size: number
}

export interface SourceTree {
  /** Which state of the source this is: a commit, a version, a digest. A folder has none. */
  readonly resolved: string | undefined
  /** What a skill that is the source itself is called, where that is not after the address. */
  readonly name?: string
  /** Regular files only, sorted by path. */
  readonly files: readonly SourceFile[]
  /** What is no regular file, or is too large to be read: an item that contains one is not taken. */
  readonly odd: readonly OddEntry[]
  /** What a file is known by where its bytes were not read: two of the same name are equal. */
  objectOf?(path: string): string | undefined
  /** The bytes of some of the files. Throws when one of them is no longer what was listed. */
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
