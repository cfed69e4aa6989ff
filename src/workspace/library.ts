// Everything that outlives one call: where the user's space is, what is trusted, the package's extractors,
// runners. One per process. It holds no settings of a project, so that projects cannot affect each other.
import { lazy } from '../base/index.ts'
import { SPACES } from '../item/index.ts'
import { projectStates, UsedItems, type UserPolicy } from '../user/index.ts'
import { isDevMode } from './dev-mode.ts'
import { loadExtractors, readSystemExtractors } from './load-extractors.ts'
import { cacheRootOf, checkProject, type Environment, rootsOf, spacePathsOf } from './places.ts'
import type { SharedSpace } from './shared/shared-space.ts'
import { createTrustReader } from './trust-state.ts'
import type { ChangeCheck, Library, UserSeparation, Workspace } from './types.ts'
import { UseMemory } from './use-memory.ts'
import { Verdicts } from './verdict-cache.ts'
import { createWorkspace } from './workspace.ts'

export interface LibraryOptions {
  readonly environment: Environment
  /** Who calls; an agent may not name every folder as its project. Defaults to a person. */
  readonly caller?: 'person' | 'agent'
  /** The project that a person chose for an agent. */
  readonly chosenProject?: string | undefined
  readonly changeCheck?: ChangeCheck | undefined
  /** Watch folders between searches, for a person who keeps looking. Always on for an agent. */
  readonly watches?: boolean
  /** Called with the verdict on each item that is asked for. */
  readonly onVerdict?: Library['onVerdict']
  /** Set on a server that several users share. */
  readonly separation?: UserSeparation | undefined
  /** The clock; tests pass their own. */
  readonly now?: () => Date
}

export function openLibrary(options: LibraryOptions): Library {
  const { caller, changeCheck, watches = caller === 'agent', now = () => new Date() } = options
  // Settings name variables. Without a prototype only those that are set can be found, not `constructor`.
  const environment: Environment = Object.assign(Object.create(null), options.environment)
  const paths = spacePathsOf(environment)
  const { userSpace } = paths
  const cacheRoot = cacheRootOf(environment)
  const states = projectStates({ userSpace, cacheRoot })
  const used = new UsedItems(states)
  const trustReader = createTrustReader(userSpace, now)
  const verdicts = new Verdicts()
  const kept = new Map<string, Promise<{ close(): unknown }>>()
  // Delayed until needed, as the check for changes has to start first.
  const system = lazy(readSystemExtractors)

  const view = async (projectPath: string | undefined): Promise<Workspace> => {
    const state = await trustReader.read(projectPath)
    const roots = rootsOf(library, projectPath)
    const space = await openShared(library, state.policy, projectPath)
    const folders = { project: projectPath, user: userSpace, shared: space?.folder }
    const memory = new UseMemory({ used, folders, policy: state.policy, keys: state.context.keys })
    const { extractors, shared, notes } = await loadExtractors(system(), roots, {
      trust: state.context,
      memory,
    })
    return createWorkspace({
      library,
      // A shared view never reads it.
      projectPath: projectPath ?? '',
      roots,
      spaces: SPACES,
      extractors,
      sharedExtractors: shared,
      notes,
      trust: state.context,
      policy: state.policy,
      verdicts: verdicts.under(state.context),
      memory,
      shared: space,
    })
  }

  // Loaded only for agents.
  const guard = lazy(async () =>
    (await import('./agent-project.ts')).guardProjects(paths, options.chosenProject),
  )

  const library: Library = {
    ...paths,
    changeCheck,
    watches,
    cacheRoot,
    states,
    used,
    devMode: isDevMode(environment),
    onVerdict: options.onVerdict,
    separation: options.separation,
    now,
    async open(path) {
      const projectPath = checkProject(path)
      if (caller === 'agent') (await guard())(projectPath)
      return view(projectPath)
    },
    openShared: () => view(undefined),
    policy: async () => (await trustReader.read()).policy,
    kept: name => kept.get(name),
    keep<T extends { close(): unknown }>(name: string, make: () => T | Promise<T>): Promise<T> {
      const existing = kept.get(name)
      // Safe cast: each name belongs to one module, which always makes the same kind of thing under it.
      if (existing) return existing as Promise<T>
      const made = Promise.resolve(make())
      kept.set(name, made)
      made.catch(() => kept.delete(name))
      return made
    },
    async close() {
      const closing = [...kept.values()]
      kept.clear()
      await Promise.allSettled(closing.map(async thing => (await thing).close()))
      await used.close()
      states.close()
    },
  }
  return library
}

/** Loaded only for a user who has set up a catalogue. */
async function openShared(
  library: Library,
  policy: UserPolicy,
  projectPath: string | undefined,
): Promise<SharedSpace | undefined> {
  if (policy.catalogue === undefined && policy.project_catalogues === undefined) return undefined
  const { sharedSpaceOf } = await import('./shared/open-shared.ts')
  return sharedSpaceOf(library, policy, projectPath)
}
