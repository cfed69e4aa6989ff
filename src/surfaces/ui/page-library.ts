// The library as the page sees it: the actions of every surface, called for a person, on the projects that the server was started for.
import { basename } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  describeFailure,
  type Failure,
  findAction,
  type Progress,
  readInput,
  runAction,
} from '../../actions/index.ts'
import { AppError } from '../../base/index.ts'
import { ITEM_TYPES } from '../../item/index.ts'
import type { Library } from '../../workspace/index.ts'
import type { PageCall } from './calls.ts'
import { followChanges } from './follow-changes.ts'
import type { Send } from './line-stream.ts'
import type { ReferenceMap } from './reference-map.ts'
import { findReferences, type Referable } from './references.ts'
import { summarize } from './summarize.ts'
import type { Summary } from './summary-types.ts'

export interface CallOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** Called with each line that a tool writes while it runs. */
  readonly onOutput?: (line: string) => void
}

export interface PageLibrary {
  readonly projects: readonly { readonly name: string; readonly path: string }[]
  /** What the action answers, failures included. */
  call(call: PageCall, options: CallOptions): Promise<object>
  summary(project: number, signal: AbortSignal): Promise<Summary>
  references(project: number): Promise<ReferenceMap>
  /** Sends a line for each change, until the signal. */
  follow(project: number, send: Send, signal: AbortSignal): Promise<void>
  describe(error: AppError): Failure
}

/** How many files are read before others get their turn. */
const AT_ONCE = 100

export function createPageLibrary(library: Library, projectPaths: readonly string[]): PageLibrary {
  const projects = projectPaths.map(path => ({ name: basename(path) || path, path }))
  const pathOf = (project: number): string => {
    const path = projects[project]?.path
    if (path !== undefined) return path
    throw new AppError('INVALID_INPUT', `expected a project from 0 to ${projects.length - 1}, got ${project}`)
  }
  return {
    projects,
    async call({ action: name, project, input }, { signal, onProgress = () => {}, onOutput }) {
      const project_path = pathOf(project)
      const action = await findAction(name)!.load()
      const raw = Object.hasOwn(action.fields, 'project_path') ? { ...input, project_path } : input
      const { answer } = await runAction({
        action,
        read: () => readInput(action.fields, raw),
        context: {
          library,
          caller: 'person',
          client: 'rye ui',
          signal,
          onProgress,
          onOutput,
          onNote: () => {},
        },
      })
      return answer
    },
    summary: async (project, signal) => summarize(await library.open(pathOf(project)), signal),
    references: project => mapReferences(library, pathOf(project)),
    follow: (project, send, signal) => followChanges(library, pathOf(project), send, signal),
    describe: error => describeFailure(error, 'person'),
  }
}

async function mapReferences(library: Library, projectPath: string): Promise<ReferenceMap> {
  const workspace = await library.open(projectPath)
  const found = workspace.list(ITEM_TYPES).items.filter(({ shadowedBy }) => !shadowedBy)
  const items: Referable[] = []
  for (const [index, entry] of found.entries()) {
    if (index % AT_ONCE === 0) await nextTurn()
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

/** What cannot be read names nothing. */
function readText(read: () => Uint8Array): string {
  try {
    return Buffer.from(read()).toString('utf8')
  } catch (thrown) {
    if (thrown instanceof AppError) return ''
    throw thrown
  }
}
