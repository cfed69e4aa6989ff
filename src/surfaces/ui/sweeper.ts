// The work that reads every item of a project.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../../base/index.ts'
import { ITEM_TYPES } from '../../item/index.ts'
import type { Library } from '../../workspace/index.ts'
import { callAction } from './call-action.ts'
import type { Projects } from './projects.ts'
import type { ReferenceMap } from './reference-map.ts'
import { findReferences, type Referable } from './references.ts'
import { summarize } from './summarize.ts'
import type { JudgedItems } from './summary-types.ts'

/** `project` is the index of a project in the list. */
export interface Sweeper {
  summary(project: number, signal: AbortSignal): Promise<JudgedItems>
  references(project: number, signal: AbortSignal): Promise<ReferenceMap>
  doctor(project: number, signal: AbortSignal): Promise<object>
}

/** How many files are read before other work gets a turn. */
const AT_ONCE = 100

/** Does the work in the current thread. */
export function createSweeper(library: Library, { pathOf }: Projects): Sweeper {
  return {
    async summary(project, signal) {
      const judged = await summarize(await library.open(pathOf(project)), signal)
      // Counts made while the folder was being removed are wrong: this throws if it is gone.
      pathOf(project)
      return judged
    },
    references: (project, signal) => mapReferences(library, pathOf(project), signal),
    doctor: (project, signal) =>
      callAction(library, pathOf(project), { action: 'doctor', input: {} }, { signal }),
  }
}

async function mapReferences(
  library: Library,
  projectPath: string,
  signal: AbortSignal,
): Promise<ReferenceMap> {
  const workspace = await library.open(projectPath)
  const found = workspace.list(ITEM_TYPES).items.filter(({ shadowedBy }) => !shadowedBy)
  const items: Referable[] = []
  for (const [index, entry] of found.entries()) {
    if (index % AT_ONCE === 0) await nextTurn()
    signal.throwIfAborted()
    const { type, id } = entry.entry
    items.push({ type, id, text: readText(() => workspace.read(entry).bytes) })
  }
  return {
    items: found.map(({ entry: { type, id, space } }) => ({
      item_type: type,
      item_id: id,
      space,
      category: id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : '',
    })),
    references: findReferences(items),
  }
}

/** Files that cannot be read mention nothing. */
function readText(read: () => Uint8Array): string {
  try {
    return Buffer.from(read()).toString('utf8')
  } catch (thrown) {
    if (thrown instanceof AppError) return ''
    throw thrown
  }
}
