// What has changed in a project since the last look: items, runs, whom the user trusts, or what the locks
// name. There is one watch per project, however many pages follow it. Nothing is polled in between: a caller
// looks, and the kernel has queued what happened before.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { stateAt } from '../../files/index.ts'
import { type ItemRoot, type RootWatch, watchRoots } from '../../scan/index.ts'
import { approvalFolder, receiptsPath, revokedKeyFolder, trustedKeyFolder } from '../../user/index.ts'
import type { Library } from '../../workspace/index.ts'
import { lockedSpaces } from './locked-sources.ts'

export type Change = 'items' | Stamped
type Stamped = 'runs' | 'trust' | 'sources'

/** Each number goes up when a change is seen. */
export type Versions = Readonly<Record<Change, number>>

/** How many of the last changes to items are kept separately. */
const MOST_KEPT = 50

export class ProjectChanges {
  readonly #library: Library
  readonly #projectPath: string
  readonly #watch: RootWatch = watchRoots()
  #roots: readonly ItemRoot[] | undefined
  #stamps: Record<Stamped, string> = { runs: '', trust: '', sources: '' }
  #versions: Versions = { items: 0, runs: 0, trust: 0, sources: 0 }
  /** Paths by the version of the items that they led to. */
  readonly #touched = new Map<number, readonly string[]>()

  constructor(library: Library, projectPath: string) {
    this.#library = library
    this.#projectPath = projectPath
  }

  /** Counts everything written before the call. */
  async look(): Promise<Versions> {
    this.#roots ??= (await this.#library.open(this.#projectPath)).roots
    // Events of changes made before this call are already queued: let the event loop deliver them.
    await nextTurn()
    await nextTurn()
    const before = this.#versions
    const stamps = this.#readStamps()
    const isDirty = this.#watch.isDirty()
    if (isDirty) {
      this.#keep(before.items + 1, this.#watch.touched())
      this.#watch.rearm(this.#roots)
    }
    this.#versions = {
      items: before.items + Number(isDirty),
      runs: before.runs + Number(stamps.runs !== this.#stamps.runs),
      trust: before.trust + Number(stamps.trust !== this.#stamps.trust),
      sources: before.sources + Number(stamps.sources !== this.#stamps.sources),
    }
    this.#stamps = stamps
    return this.#versions
  }

  /**
   * The paths where something happened after that version of the items. Undefined when more may have changed.
   */
  touchedSince(items: number): string[] | undefined {
    const paths = new Set<string>()
    for (let version = items + 1; version <= this.#versions.items; version++) {
      const touched = this.#touched.get(version)
      if (touched === undefined) return undefined
      for (const path of touched) paths.add(path)
    }
    return [...paths]
  }

  #keep(version: number, touched: readonly string[] | undefined): void {
    this.#touched.delete(version - MOST_KEPT)
    if (touched) this.#touched.set(version, touched)
  }

  close(): void {
    this.#watch.close()
  }

  #readStamps(): Record<Stamped, string> {
    const { userSpace, states } = this.#library
    const state = states.find(this.#projectPath)
    const folders = [
      ...[trustedKeyFolder(userSpace), revokedKeyFolder(userSpace)],
      ...[approvalFolder(userSpace), approvalFolder(this.#projectPath)],
    ]
    return {
      runs: state === undefined ? '' : stampOf(receiptsPath(state.path)),
      trust: folders.map(stampOf).join(),
      sources: lockedSpaces(this.#library, this.#projectPath)
        .map(({ lock }) => stampOf(lock))
        .join(),
    }
  }
}

/** The changes of a project; one object for the life of the library. */
export function changesOf(library: Library, projectPath: string): Promise<ProjectChanges> {
  return library.keep(`ui-changes:${projectPath}`, () => new ProjectChanges(library, projectPath))
}

function stampOf(path: string): string {
  return JSON.stringify(stateAt(path) ?? null)
}
