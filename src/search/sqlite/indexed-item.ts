// What an index takes in for one file, and what it keeps to tell whether that file has changed.
import type { KnownState } from '../../files/index.ts'
import type { SearchDocument } from '../text/document.ts'

export interface KnownFile extends KnownState {
  /** Digest of all that the document depends on: the file's bytes, and the extractor's if it can change. */
  readonly hash: string
}

export interface KnownFew {
  find(path: string): KnownFile | undefined
  /** Paths of files that had just been written when they were read: what was read may be older than they are. */
  readonly unsettled: readonly string[]
}

export interface TouchedFile extends KnownFile {
  /** Names the file within its space; relative, with slashes. */
  readonly path: string
}

export interface IndexedItem extends TouchedFile {
  /** With its dot. */
  readonly extension: string
  /** It may bear a signature, good or bad; without one it cannot be verified. */
  readonly mayBeSigned: boolean
  readonly document: SearchDocument
}

/** The last refresh after which the index of a space held all of its files. */
export interface LastRefresh {
  /** Of the files, as a walk stamped them, if they were walked. */
  readonly walkStamp?: string
  /** Of the files, as `find` stamped them, if it did. */
  readonly findStamp?: string
  /** Given back, as long as a stamp is the same. */
  readonly report: string
}

export interface Applied {
  readonly added: number
  readonly updated: number
  /** The file has another state and the same content. */
  readonly touched: number
  readonly removed: number
}
