// The two values that the rest of the program works with. A library opens workspaces, and a workspace knows its library.
import type { Extractors } from '../extract/index.ts'
import type { SignedType, Space } from '../item/index.ts'
import type { FoundRoots, ItemFile, ItemRoot, Listing } from '../scan/index.ts'
import type { Resolution, ResolvedEntry } from '../space/index.ts'
import type { TrustContext, Verdict } from '../trust/index.ts'
import type { Grant } from '../user/access/index.ts'
import type { ProjectStates, UsedItems, UserPolicy } from '../user/index.ts'
import type { FindRequest } from './find-item.ts'
import type { ExtractorNote } from './load-extractors.ts'
import type { OpenedItem } from './open-item.ts'
import type { Environment } from './places.ts'
import type { SharedSpace } from './shared/shared-space.ts'
import type { UseMemory } from './use-memory.ts'
import type { VerdictCache } from './verdict-cache.ts'

/** What works without a project; nothing can be run. */
export type SharedView = Pick<
  Workspace,
  'list' | 'find' | 'has' | 'read' | 'use' | 'permit' | 'trust' | 'memory' | 'narrowed' | 'sharedExtractors'
>

/** What `find` of the system found in each space; empty when it could not. */
export type FoundSpaces = ReadonlyMap<Space, FoundRoots>

/** What `find` was asked about a project before there was a library. It serves one call. */
export interface ChangeCheck {
  readonly projectPath: string
  readonly found: Promise<FoundSpaces>
}

export interface UseOptions {
  /** Development mode does not count: what is handed to other programs is signed. */
  readonly signedOnly?: boolean
}

/** What decides whether an item may be used, beside its verdict. */
export interface UsePolicy {
  /** Items of the project are accepted that are unsigned, or changed since the user signed them. */
  readonly devMode: boolean
  /** Items that are older than what was used before are refused. */
  readonly refusesOlder: boolean
  /** Holds the user's own key. */
  readonly userSpace: string
}

/** What keeps the tools of several users apart. */
export interface UserSeparation {
  hidden(): Promise<readonly string[]>
  /** Whoever runs the server has said that tools may run where no sandbox holds them. */
  readonly withoutSandbox: boolean
}

/** Everything that outlives one call. */
export interface Library {
  readonly environment: Environment
  /** The folder that holds the user's `.ai/`. */
  readonly userSpace: string
  readonly systemRoot: string
  /** For files that can be made again at any time. */
  readonly cacheRoot: string
  /** What this machine remembers of each project. */
  readonly states: ProjectStates
  /** What was last used of each signed item. */
  readonly used: UsedItems
  /** Begun by the start of the program, for the project that it was started in. */
  readonly changeCheck?: ChangeCheck | undefined
  /** Whether folders are watched between searches: in a process that keeps running. */
  readonly watches: boolean
  /** Items of a project need no signature while their author works on them. */
  readonly devMode: boolean
  /** Whose calls it serves, where several users share a server; without it, those of the user whose space it is. */
  readonly grant?: Grant | undefined
  /** Told of the verdict on each item that is asked for. */
  readonly onVerdict?: ((status: Verdict['status']) => void) | undefined
  /** Folders and files that no tool sees, unless its project is there, and whether tools run in a sandbox or not at all. */
  readonly separation?: UserSeparation | undefined
  now(): Date
  /** A view of the library as one project sees it, as of now. */
  open(projectPath: string): Promise<Workspace>
  /** A view without a project: the user's items and the system's. */
  openShared(): Promise<SharedView>
  policy(): Promise<UserPolicy>
  /** Something to be closed with the library: made once for its name, on first use. */
  /** What is kept under a name by now. */
  kept(name: string): Promise<unknown> | undefined
  keep<T extends { close(): unknown }>(name: string, make: () => T | Promise<T>): Promise<T>
  close(): Promise<void>
}

/** One call's view of the library. */
export interface Workspace {
  readonly library: Library
  readonly projectPath: string
  /** Of all spaces: what is indexed does not depend on who asks. */
  readonly roots: readonly ItemRoot[]
  /** Those whose items are found; all of them, unless the library is narrowed. */
  readonly spaces: readonly Space[]
  readonly extractors: Extractors
  /** Without the overrides of the project: for items that projects share. */
  readonly sharedExtractors: Extractors
  readonly trust: TrustContext
  readonly verdicts: VerdictCache
  /** What was used before, and what this call uses. */
  readonly memory: UseMemory
  /** Overrides of extractors that were ignored, and why. */
  readonly notes: readonly ExtractorNote[]
  /** The catalogue that this project's user has set up. */
  readonly shared: SharedSpace | undefined
  /** Has the item of the catalogue at hand, if it is the one that would be used; without a catalogue, nothing happens. */
  bring(request: FindRequest): Promise<void>
  /** The file that a reference means; throws `ITEM_NOT_FOUND` or `ITEM_AMBIGUOUS`. */
  find(request: FindRequest): ResolvedEntry<ItemFile>
  /** Whether there is such an item. */
  has(request: FindRequest): boolean
  /** Reads an item once and verifies it. */
  read(found: ResolvedEntry<ItemFile>): OpenedItem
  /** The same, and nothing for what cannot be read. */
  tryRead(found: ResolvedEntry<ItemFile>): OpenedItem | undefined
  /** Finds, reads and uses. */
  open(request: FindRequest): Promise<OpenedItem>
  /** Refuses what is not trusted, and remembers the rest as used. */
  use(item: OpenedItem, options?: UseOptions): Promise<OpenedItem>
  /** Refuses what `use` would refuse. */
  permit(item: OpenedItem, options?: UseOptions): Promise<OpenedItem>
  /** The verdict, with what was used before if that was newer. */
  judge(item: OpenedItem): Promise<Verdict>
  /** The same view with other trusted keys: `verify --trust`. */
  trusting(trust: TrustContext): Workspace
  /** The same view for a narrower library: only items of these spaces are found. */
  narrowed(library: Library, spaces: readonly Space[]): Workspace
  /** All items, by walking the roots. */
  list(types?: readonly SignedType[]): Pick<Listing, 'skipped'> & Resolution<ItemFile>
}
