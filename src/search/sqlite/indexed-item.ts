// What is indexed for one file, and what is kept to tell whether that file has changed.
import type { KnownState } from '../../files/index.ts'
import type { SearchDocument } from '../text/document.ts'

export interface KnownFile extends KnownState {
  /** Digest of all that the document depends on: the file's bytes, and the extractor's if it can change. */
  readonly hash: string
}

export interface KnownFew {
  find(path: string): KnownFile | undefined
  /**
   * Paths of files that had just been written when they were read. What was read may be older than their
   * state says.
   */
  readonly unsettled: readonly string[]
}

export interface TouchedFile extends KnownFile {
  /** Names the file within its space; relative, with slashes. */
  readonly path: string
}

export interface IndexedItem extends TouchedFile {
  /** With its dot. */
  readonly extension: string
  /** Whether it may have a signature, good or bad; without one it cannot be verified. */
  readonly mayBeSigned: boolean
  readonly document: SearchDocument
}

/** The last refresh after which the index of a space held all of its files. */
export interface LastRefresh {
  /** The stamp that a walk made of the files; absent when they were not walked. */
  readonly walkStamp?: string
  /** The stamp that `find` made of the files; absent when it was not used. */
  readonly findStamp?: string
  /** The report of that refresh, returned again as long as a stamp is the same. */
  readonly report: string
}

export interface Applied {
  readonly added: number
  readonly updated: number
  /** How many files had a new state but the same content. */
  readonly touched: number
  readonly removed: number
}
