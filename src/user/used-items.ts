// What was last used of each signed item: `used-items.json` in the state folder of the project or user space
// that the item is in. It is read again only when it was written, and written only when something newer was
// used. Other servers write it too, so each merges its uses with the file's, under a mutex. A file that is
// not ours is reported and never replaced: otherwise anyone who put it there could make us forget everything.
import { join } from 'node:path'
import { AppError, isRecord, systemErrorCode } from '../base/index.ts'
import {
  acquireMutex,
  atomicWrite,
  isSameState,
  type KnownState,
  knownState,
  readFile,
  stateAt,
} from '../files/index.ts'
import { newestUse, type SignedUse } from '../trust/index.ts'
import type { ProjectStates } from './project-state.ts'

const FILE = 'used-items.json'
/** Items remembered per folder. The least recently used are forgotten first, where that is allowed. */
const MOST_ITEMS = 10_000
const MAX_BYTES = 16 * 1024 * 1024
const MUTEX = { waitMs: 5_000, holdMs: 10_000 }

type Uses = Map<string, SignedUse>
const NOTHING: ReadonlyMap<string, SignedUse> = new Map()

export class UsedItems {
  readonly #states: ProjectStates
  readonly #folders = new Map<string, FolderMemory>()

  constructor(states: ProjectStates) {
    this.#states = states
  }

  /** The memory for the items of a folder: a project or the user space. */
  in(folder: string): FolderMemory {
    const memory = this.#folders.get(folder) ?? new FolderMemory(this.#states, folder)
    this.#folders.set(folder, memory)
    return memory
  }

  /** Writes what is pending; anything that cannot be written now is lost. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#folders.values()].map(memory => memory.save({ mayForget: false })))
  }
}

/** What was used of an item when the file was read, or since then by this process. */
export type Recollection = (name: string) => SignedUse | undefined

/** Items are named `TYPE:ID`. */
export class FolderMemory {
  readonly #states: ProjectStates
  readonly #folder: string
  #read: { readonly path: string; readonly state: KnownState; readonly uses: Uses | AppError } | undefined
  /** Newer than what was read, not written yet. */
  readonly #pending: Uses = new Map()
  /** Writes of what is pending that still wait for the mutex, by `mayForget`. */
  readonly #saving = new Map<boolean, Promise<number>>()
  /** Names used since the last write, in this order. */
  readonly #touched = new Set<string>()

  constructor(states: ProjectStates, folder: string) {
    this.#states = states
    this.#folder = folder
  }

  /** What is known now. Throws `FILE_UNREADABLE` when the file exists but cannot be read. */
  look(): Recollection {
    const known = this.#known()
    return name => this.#newest(known, name)
  }

  recall(name: string): SignedUse | undefined {
    return this.look()(name)
  }

  #newest(read: ReadonlyMap<string, SignedUse>, name: string): SignedUse | undefined {
    const known = read.get(name)
    const pending = this.#pending.get(name)
    return known && pending ? newestUse(known, pending) : (known ?? pending)
  }

  /** The file and the reason, if it cannot be read. */
  fault(): { readonly path: string; readonly message: string } | undefined {
    try {
      this.#known()
      return undefined
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      return { path: this.#read!.path, message: thrown.message }
    }
  }

  /** Remembers a use in this process; `save` writes it. */
  use(name: string, use: SignedUse, recollect: Recollection = this.look()): void {
    const known = recollect(name)
    const newest = known ? newestUse(known, use) : use
    this.#touched.delete(name)
    this.#touched.add(name)
    if (!known || !isSameUse(known, newest)) this.#pending.set(name, newest)
  }

  /** Why no further item can be remembered without forgetting another; undefined while there is room. */
  fullness(): string | undefined {
    if (this.#known().size + this.#pending.size < MOST_ITEMS) return undefined
    const path = join(this.#states.find(this.#folder)?.path ?? '', FILE)
    return `${MOST_ITEMS} items are remembered in \`${path}\`, and no more fit`
  }

  /**
   * Writes what is newer than the file. Returns how many items were forgotten to make room. Throws
   * `WRITE_FAILED` or `FILE_UNREADABLE`.
   */
  async save({ mayForget = true }: { readonly mayForget?: boolean } = {}): Promise<number> {
    if (this.#pending.size === 0) return 0
    // Concurrent calls share one write: pending uses are collected once the mutex is held.
    const saving = this.#saving.get(mayForget) ?? this.#savePending(mayForget)
    this.#saving.set(mayForget, saving)
    try {
      return await saving
    } finally {
      if (this.#saving.get(mayForget) === saving) this.#saving.delete(mayForget)
    }
  }

  #savePending(mayForget: boolean): Promise<number> {
    return this.#change(uses => {
      // Nothing else runs from here to the end of the write, so later callers wait for the next one.
      this.#saving.delete(mayForget)
      for (const [name, use] of this.#pending) {
        const known = uses.get(name)
        put(uses, name, known ? newestUse(known, use) : use)
      }
      const forgotten = mayForget ? [...uses.keys()].slice(0, Math.max(0, uses.size - MOST_ITEMS)) : []
      for (const name of forgotten) uses.delete(name)
      return forgotten.length
    })
  }

  /** Makes this use the newest whatever was used before, because a person decided so. */
  async accept(name: string, use: SignedUse): Promise<void> {
    this.#pending.delete(name)
    await this.#change(uses => put(uses, name, use))
  }

  async #change<T>(change: (uses: Uses) => T): Promise<T> {
    const root = (this.#states.find(this.#folder) ?? this.#states.make(this.#folder)).path
    const path = join(root, FILE)
    const mutex = await acquireMutex(`${path}.lock`, MUTEX).catch(thrown => {
      throw cannotWrite(path, thrown)
    })
    try {
      const uses = readUses(path)
      if (uses instanceof AppError) throw uses
      const written = new Map(this.#pending)
      for (const name of this.#touched) {
        const use = uses.get(name)
        if (use) put(uses, name, use)
      }
      const changed = change(uses)
      atomicWrite(path, printUses(uses), { root, mode: 0o600 })
      this.#read = undefined
      this.#touched.clear()
      for (const [name, use] of written) if (this.#pending.get(name) === use) this.#pending.delete(name)
      return changed
    } finally {
      mutex.release()
    }
  }

  #known(): ReadonlyMap<string, SignedUse> {
    const root = this.#states.find(this.#folder)?.path
    const path = root === undefined ? undefined : join(root, FILE)
    const readAt = Date.now()
    const state = path === undefined ? undefined : stateAt(path)
    if (path === undefined || state === undefined) return NOTHING
    if (this.#read?.path !== path || !isSameState(this.#read.state, state))
      this.#read = { path, state: knownState(state, readAt), uses: readUses(path) }
    const { uses } = this.#read
    if (uses instanceof AppError) throw uses
    return uses
  }
}

/** Moves the entry to the end: the map is ordered by last use. */
function put(uses: Uses, name: string, use: SignedUse): void {
  uses.delete(name)
  uses.set(name, use)
}

function isSameUse(one: SignedUse, other: SignedUse): boolean {
  return (
    one.version === other.version &&
    one.timestamp === other.timestamp &&
    one.format === other.format &&
    one.hash === other.hash
  )
}

/** One item per line, for people to read. A list keeps the order. */
function printUses(uses: Uses): string {
  const lines = [...uses].map(([item, use]) => `  ${JSON.stringify({ item, ...use })}`)
  return `{"version":1,"items":[\n${lines.join(',\n')}\n]}\n`
}

function readUses(path: string): Uses | AppError {
  let text: string | undefined
  try {
    text = readFile(path, { maxBytes: MAX_BYTES })?.bytes.toString('utf8')
  } catch (thrown) {
    if (thrown instanceof AppError) return damaged(path, thrown.message)
    throw thrown
  }
  if (text === undefined) return new Map()
  try {
    const content: unknown = JSON.parse(text)
    const items = isRecord(content) && content.version === 1 ? content.items : undefined
    if (!Array.isArray(items) || !items.every(isEntry))
      return damaged(path, 'its content is not in the expected form')
    return new Map(items.map(({ item, ...use }) => [item, use]))
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
    return damaged(path, 'it is not JSON')
  }
}

function isEntry(value: unknown): value is SignedUse & { readonly item: string } {
  return (
    isRecord(value) &&
    typeof value.item === 'string' &&
    (value.version === undefined || typeof value.version === 'string') &&
    typeof value.timestamp === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value.timestamp) &&
    (value.format === 'v1' || value.format === 'v2' || value.format === 'manifest') &&
    typeof value.hash === 'string'
  )
}

function damaged(path: string, reason: string): AppError {
  return new AppError(
    'FILE_UNREADABLE',
    `cannot tell what was used before: \`${path}\` cannot be read: ${reason}`,
    {
      hint: { agent: 'ask the user to run `rye doctor`', person: '`rye doctor` says how to start over' },
      details: { path },
    },
  )
}

function cannotWrite(path: string, thrown: unknown): AppError {
  if (thrown instanceof AppError && thrown.code !== 'EXECUTION_TIMEOUT') return thrown
  const reason = systemErrorCode(thrown) ?? 'another process holds its lock'
  return new AppError('WRITE_FAILED', `cannot write \`${path}\`: ${reason}`, { cause: thrown })
}
