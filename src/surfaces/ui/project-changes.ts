// What has changed in a project since somebody last looked: items, runs, or whom the user trusts. One watch for each project, however many
// pages follow it. It is looked at when somebody asks, and the kernel has queued what happened in between.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { stateAt } from '../../files/index.ts'
import { type ItemRoot, type RootWatch, watchRoots } from '../../scan/index.ts'
import { approvalFolder, receiptsPath, revokedKeyFolder, trustedKeyFolder } from '../../user/index.ts'
import type { Library } from '../../workspace/index.ts'

export type Change = 'items' | 'runs' | 'trust'

/** Counts up with each change that was seen. */
export type Versions = Readonly<Record<Change, number>>

export class ProjectChanges {
  readonly #library: Library
  readonly #projectPath: string
  readonly #watch: RootWatch = watchRoots()
  #roots: readonly ItemRoot[] | undefined
  #stamps: Record<'runs' | 'trust', string> = { runs: '', trust: '' }
  #versions: Versions = { items: 0, runs: 0, trust: 0 }

  constructor(library: Library, projectPath: string) {
    this.#library = library
    this.#projectPath = projectPath
  }

  /** What was written before the call is counted. */
  async look(): Promise<Versions> {
    this.#roots ??= (await this.#library.open(this.#projectPath)).roots
    // Events of changes made before this call are already queued: let the loop deliver them.
    await nextTurn()
    await nextTurn()
    const before = this.#versions
    const stamps = this.#readStamps()
    const isDirty = this.#watch.isDirty()
    if (isDirty) this.#watch.rearm(this.#roots)
    this.#versions = {
      items: before.items + Number(isDirty),
      runs: before.runs + Number(stamps.runs !== this.#stamps.runs),
      trust: before.trust + Number(stamps.trust !== this.#stamps.trust),
    }
    this.#stamps = stamps
    return this.#versions
  }

  close(): void {
    this.#watch.close()
  }

  #readStamps(): Record<'runs' | 'trust', string> {
    const { userSpace, states } = this.#library
    const state = states.find(this.#projectPath)
    const folders = [
      ...[trustedKeyFolder(userSpace), revokedKeyFolder(userSpace)],
      ...[approvalFolder(userSpace), approvalFolder(this.#projectPath)],
    ]
    return {
      runs: state === undefined ? '' : stampOf(receiptsPath(state.path)),
      trust: folders.map(stampOf).join(),
    }
  }
}

/** The changes of a project: one for the life of the library. */
export function changesOf(library: Library, projectPath: string): Promise<ProjectChanges> {
  return library.keep(`ui-changes:${projectPath}`, () => new ProjectChanges(library, projectPath))
}

function stampOf(path: string): string {
  return JSON.stringify(stateAt(path) ?? null)
}
