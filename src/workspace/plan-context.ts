// What planning a run may ask of the library: verified tools, verified siblings, verified settings,
// interpreters. Everything is read once and verified here; planning itself has no effects.
import { dirname, join, relative } from 'node:path'
import { AppError, sha256Hex } from '../base/index.ts'
import type { Runner, RunnerUsage } from '../execute/index.ts'
import { readFile } from '../files/index.ts'
import { folderOf, OWN_SPACES, precedenceOf, type Space } from '../item/index.ts'
import type { ActionReader, ConfigLayer, PlanContext, SiblingSource, VerifiedTool } from '../plan/index.ts'
import { locate, WALK_LIMITS, walk } from '../scan/index.ts'
import { type Verdict, verify } from '../trust/index.ts'
import { readDotenv } from './dotenv.ts'
import type { OpenedItem } from './open-item.ts'
import { homeOf, isInside, userPlacesOf } from './places.ts'
import type { Library, Workspace } from './types.ts'
import { asUnsigned, isOwnEdit } from './workspace.ts'

/** The runner of this process: workers, connections and queues that all calls share. */
export function openRunner({ library }: Pick<Workspace, 'library'>): Promise<Runner> {
  return library.keep('runner', async () => {
    const { createRunner } = await import('../execute/index.ts')
    const home = homeOf(library.environment)
    const fromHome = (path: string) => (path.startsWith('~/') ? join(home, path.slice(2)) : path)
    const runner = createRunner({
      isolationSettings: async () => {
        const { execute, isolation, limits } = await library.policy()
        const { readable, writable } = isolation
        return {
          policy: library.separation && !library.separation.withoutSandbox ? 'bubblewrap' : execute.isolation,
          readable: readable.map(fromHome),
          writable: writable.map(fromHome),
          limits,
          ...(library.separation && { hidden: await library.separation.hidden() }),
        }
      },
      env: library.environment,
      ...userPlacesOf(library.environment),
      userSpace: library.userSpace,
      packageRoot: dirname(dirname(library.systemRoot)),
      ownDirectories: [library.cacheRoot],
      packageCaches: join(library.cacheRoot, 'packages'),
      readable: [join(library.userSpace, '.ai')],
      states: library.states,
    })
    // Detects isolation while the tool is read and planned. The call that needs it reports any error.
    runner.isolation().catch(() => {})
    return runner
  })
}

/** What runs and waits now; zeros before the first run. */
export async function runnerUsage(library: Library): Promise<RunnerUsage> {
  // Only `openRunner` uses this name.
  const runner = (await library.kept('runner')) as Runner | undefined
  return runner?.usage() ?? { running: 0, waiting: 0, idleWorkers: 0 }
}

export async function createPlanContext(
  workspace: Workspace,
  timeoutMs: number | null,
  readAction?: ActionReader,
): Promise<PlanContext> {
  const { library, projectPath } = workspace
  const runner = await openRunner(workspace)
  const { core_shadowing, project_interpreters, script_packages } = workspace.policy.execute
  const schemas = await library.keep('schemas', async () => {
    const { ParameterSchemas } = await import('../plan/index.ts')
    return Object.assign(new ParameterSchemas(), { close() {} })
  })
  return {
    projectPath,
    userSpace: library.userSpace,
    systemSpace: dirname(library.systemRoot),
    // The only part of the cache that tools may read: the indexes beside it cover all projects.
    copiesRoot: library.states.makeCopies().path,
    env: library.environment,
    readDotenv: () => readDotenv(projectPath),
    nodePath: process.execPath,
    timeoutMs,
    lookup: (id, from) => lookUp(workspace, id, from),
    findInterpreter: runner.findInterpreter,
    matchesPattern: runner.matchesPattern,
    schemas,
    siblings: siblingsOf(workspace),
    readConfig: path => readConfig(workspace, path),
    readAction,
    coreShadowing: core_shadowing,
    projectInterpreters: project_interpreters.get(projectPath) ?? 'refuse',
    scriptPackages: script_packages,
  }
}

/** An opened tool as planning sees it. */
export async function verifiedTool(item: OpenedItem): Promise<VerifiedTool> {
  const { file, bytes, digest, verdict, shadows } = item
  const { metadata, diagnostics } = await item.parse()
  const { id, space, path, extension } = file
  return { id, space, path, extension, bytes, digest, verdict, metadata, diagnostics, shadows }
}

/**
 * Takes the tool from the first space that has it, from the given one down. Refused if it does not verify.
 */
async function lookUp(workspace: Workspace, id: string, from: Space): Promise<VerifiedTool | undefined> {
  if (from !== 'system')
    await workspace.bring({ type: 'tool', id, ...(from === 'shared' && { space: from }) })
  for (const space of workspace.spaces) {
    if (precedenceOf(space) < precedenceOf(from)) continue
    const found = locate(workspace.roots, workspace.extractors, { type: 'tool', id, space }).found[0]
    if (!found) continue
    return verifiedTool(await workspace.use(workspace.read(found)))
  }
  return undefined
}

function siblingsOf(workspace: Workspace): SiblingSource {
  return {
    acceptsUnsigned: workspace.library.devMode,
    async list(directory, { recursive, links }) {
      const walked = walk(directory, {
        underscored: 'take',
        root: baseOf(workspace, directory),
        ...(!recursive && { depth: 0 }),
      })
      const link = walked.skipped.find(path => path.reason === 'symbolic-link')
      if (link && links === 'refuse') {
        throw new AppError(
          'CHAIN_INVALID',
          `\`${link.path}\` is a symbolic link: files beside a tool must be real files`,
        )
      }
      return walked.files.map(file => file.path)
    },
    async read(path, space) {
      const file = readFile(path, { maxBytes: WALK_LIMITS.fileBytes, root: baseOf(workspace, path) })
      if (!file) throw new AppError('FILE_UNREADABLE', `\`${path}\` was removed while it was read`)
      return {
        bytes: file.bytes,
        digest: sha256Hex(file.bytes),
        verdict: judgeSibling(workspace, path, space, file.bytes),
      }
    },
  }
}

/** The base of the root that holds a file beside a tool. Links are not followed below it. */
function baseOf({ roots }: Workspace, path: string): string {
  const root = roots.find(({ base, segments }) => isInside(path, join(base, ...segments)))
  if (!root) throw new Error(`unreachable: ${path} is in no space`)
  return root.base
}

/** A file beside a tool is verified and remembered as if it were a tool with its own id. */
function judgeSibling(workspace: Workspace, path: string, space: Space, bytes: Uint8Array): Verdict {
  const below = relative(join(rootOf(workspace, space, path), folderOf('tool')), path)
  const dot = below.lastIndexOf('.')
  const extension = dot === -1 ? '' : below.slice(dot)
  const format = workspace.extractors.get('tool')?.signatureFormats.get(extension)
  const id = extension === '' ? below : below.slice(0, -extension.length)
  if (!format) {
    const nothing = { format: null, coverage: null, hash: null, signer: null, timestamp: null }
    return {
      status: 'unsigned',
      ...nothing,
      reason: `files with the extension \`${extension}\` carry no signature`,
    }
  }
  const root = baseOf(workspace, path)
  const detached = format.detached
    ? readFile(`${path}.sig`, { maxBytes: WALK_LIMITS.fileBytes, root })
    : undefined
  const judged = verify(
    { type: 'tool', id, root, extension, bytes, format, ...(detached && { detached: detached.bytes }) },
    workspace.trust,
  )
  const { devMode, userSpace } = workspace.library
  const isInWork = devMode && space === 'project' && isOwnEdit(judged, userSpace)
  const verdict = isInWork ? asUnsigned(judged) : judged
  // Such a file is not parsed for a version, so only its time counts.
  return workspace.memory.use(
    { type: 'tool', id, space, path, besideTool: { extension } },
    verdict,
    undefined,
  )
}

function rootOf(workspace: Workspace, space: Space, path: string): string {
  const { library } = workspace
  if (space === 'system') return library.systemRoot
  if (space === 'shared') return baseOf(workspace, path)
  return join(space === 'project' ? workspace.projectPath : library.userSpace, '.ai')
}

/** The existing layers of `.ai/config/{path}`, each verified. */
export async function readConfig(workspace: Workspace, path: string) {
  const id = path.replace(/\.(?:ya?ml|toml)$/, '')
  const layers: ConfigLayer[] = []
  for (const space of OWN_SPACES.filter(own => workspace.spaces.includes(own))) {
    const found = locate(workspace.roots, workspace.extractors, { type: 'config', id, space }).found[0]
    if (!found) continue
    const item = await workspace.use(workspace.read(found))
    const { by_agent } = item.verdict
    layers.push({ space, data: (await item.parse()).metadata, ...(by_agent && { by_agent }) })
  }
  return layers
}
