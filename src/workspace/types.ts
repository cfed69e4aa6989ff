// The two values that the rest of the program works with: a library, which opens workspaces, and a workspace.
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

/** The part of a workspace that works without a project. Nothing can be run. */
export type SharedView = Pick<
  Workspace,
  | 'list'
  | 'find'
  | 'has'
  | 'read'
  | 'use'
  | 'permit'
  | 'trust'
  | 'policy'
  | 'memory'
  | 'narrowed'
  | 'sharedExtractors'
>

/** What the system's `find` found in each space. Empty when it failed. */
export type FoundSpaces = ReadonlyMap<Space, FoundRoots>

/** A run of `find` that was started for a project before there was a library. It serves one call. */
export interface ChangeCheck {
  readonly projectPath: string
  readonly found: Promise<FoundSpaces>
}

export interface UseOptions {
  /** Ignore development mode: what is handed to other programs must be signed. */
  readonly signedOnly?: boolean
}

/** What decides, besides its verdict, whether an item may be used. */
export interface UsePolicy {
  /** Accept items of the project that are unsigned, or changed since the user signed them. */
  readonly devMode: boolean
  /** Refuse items that are older than what was used before. */
  readonly refusesOlder: boolean
  /** The user space, which holds the user's own key. */
  readonly userSpace: string
}

/** What keeps the tools of different users apart. */
export interface UserSeparation {
  hidden(): Promise<readonly string[]>
  /** The operator of the server allows tools to run without a sandbox. */
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
  /** Started at program start, for the project in which the program was started. */
  readonly changeCheck?: ChangeCheck | undefined
  /** Whether folders are watched between searches, in a process that keeps running. */
  readonly watches: boolean
  /** Whether items of a project need no signature while their author works on them. */
  readonly devMode: boolean
  /** Whose calls it serves on a shared server. Absent when it serves the owner of the user space. */
  readonly grant?: Grant | undefined
  /** Called with the verdict on each item that is asked for. */
  readonly onVerdict?: ((status: Verdict['status']) => void) | undefined
  /**
   * On a shared server: the files and folders hidden from tools (except a tool's own project), and whether
   * tools may run without a sandbox.
   */
  readonly separation?: UserSeparation | undefined
  now(): Date
  /** A view of the library as one project sees it now. */
  open(projectPath: string): Promise<Workspace>
  /** A view without a project: the items of the user and the system. */
  openShared(): Promise<SharedView>
  policy(): Promise<UserPolicy>
  /** What is kept under a name by now; undefined when nothing is. */
  kept(name: string): Promise<unknown> | undefined
  /** Something to be closed with the library, made once per name, on first use. */
  keep<T extends { close(): unknown }>(name: string, make: () => T | Promise<T>): Promise<T>
  close(): Promise<void>
}

/** One call's view of the library. */
export interface Workspace {
  readonly library: Library
  readonly projectPath: string
  /** Roots of all spaces: the index does not depend on who asks. */
  readonly roots: readonly ItemRoot[]
  /** The spaces whose items are found: all, unless the library is narrowed. */
  readonly spaces: readonly Space[]
  readonly extractors: Extractors
  /** Without the project's overrides: for items that projects share. */
  readonly sharedExtractors: Extractors
  readonly trust: TrustContext
  /** What the user allows, narrowed to what the caller may do. */
  readonly policy: UserPolicy
  readonly verdicts: VerdictCache
  /** What was used before, and what this call uses. */
  readonly memory: UseMemory
  /** Overrides of extractors that were ignored, and why. */
  readonly notes: readonly ExtractorNote[]
  /** The catalogue that the user has set up for this project. */
  readonly shared: SharedSpace | undefined
  /** Brings the catalogue's item into the cache if it would be used. Does nothing without a catalogue. */
  bring(request: FindRequest): Promise<void>
  /** The file that a reference means. Throws `ITEM_NOT_FOUND` or `ITEM_AMBIGUOUS`. */
  find(request: FindRequest): ResolvedEntry<ItemFile>
  /** Whether there is such an item. */
  has(request: FindRequest): boolean
  /** Reads an item once and verifies it. */
  read(found: ResolvedEntry<ItemFile>): OpenedItem
  /** Like `read`, but undefined when it cannot be read. */
  tryRead(found: ResolvedEntry<ItemFile>): OpenedItem | undefined
  /** Brings, finds, reads and uses an item. */
  open(request: FindRequest): Promise<OpenedItem>
  /** Refuses an item that is not trusted; remembers any other as used. */
  use(item: OpenedItem, options?: UseOptions): Promise<OpenedItem>
  /** Refuses what `use` would refuse, but remembers nothing. */
  permit(item: OpenedItem, options?: UseOptions): Promise<OpenedItem>
  /** The verdict, with what was used before if that was newer. */
  judge(item: OpenedItem): Promise<Verdict>
  /** The same view with other trusted keys, for `verify --trust`. */
  trusting(trust: TrustContext): Workspace
  /** The same view for a narrower library: finds only items of these spaces. */
  narrowed(view: Pick<Workspace, 'library' | 'policy' | 'spaces'>): Workspace
  /** All items, by walking the roots. */
  list(types?: readonly SignedType[]): Pick<Listing, 'skipped'> & Resolution<ItemFile>
}
