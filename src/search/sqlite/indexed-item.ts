// What an index takes in for one file, and what it remembers to tell whether that file has changed.
import type { SearchDocument } from '../text/document.ts'

/** Facts of a file as the file system gives them; equal facts mean an unchanged file. */
export interface FileFacts {
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

export interface KnownFile extends FileFacts {
  readonly hash: string
}

export interface IndexedItem extends FileFacts {
  /** Names the file within its space; relative, with slashes. */
  readonly path: string
  /** Digest of all that the document depends on: the file's bytes, and the extractor's if it can change. */
  readonly hash: string
  /** With its dot. */
  readonly extension: string
  readonly document: SearchDocument
}

export interface Changes {
  readonly upsert: readonly IndexedItem[]
  /** Paths. */
  readonly remove: readonly string[]
}

/** What the files of a space looked like when the index last held them all. */
export interface Snapshot {
  readonly stamp: string
  /** Kept with it, for whoever finds the stamp unchanged. */
  readonly note: string
  /** What they looked like from afar, if somebody has looked. */
  readonly glance?: string
}

export interface Applied {
  readonly added: number
  readonly updated: number
  /** The file was written again with the same content. */
  readonly touched: number
  readonly removed: number
}
