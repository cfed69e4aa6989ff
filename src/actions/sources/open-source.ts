// Opens the files of a source from its address, whatever its kind.
import { AppError, quoteText } from '../../base/index.ts'
import {
  checkPackage,
  chooseVersion,
  gunzip,
  integrityOf,
  type OpenedRegistry,
  readTar,
} from '../../registry/index.ts'
import {
  fetchGit,
  findRemote,
  type GitAddress,
  type PackageAddress,
  readArchiveSource,
  readFolderSource,
  type SourceAddress,
  type SourceTree,
  treeOf,
} from '../../sources/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { callRegistry } from '../registry/call-registry.ts'

export interface OpenedSource extends SourceTree {
  readonly integrity?: string
  /** Set for a package. */
  readonly origin?: { readonly package: string; readonly registry: string }
  /** Whether the ref is a tag or a commit, which should not move. */
  readonly isFixed: boolean
  /** When the commit was made, in seconds. */
  readonly time?: number
}

export interface SourceCall {
  readonly project_path: string
  /** Seconds. */
  readonly timeout: number
}

/** `at` is a state that was resolved before: a commit or an exact version. */
export async function openSource(
  context: ActionContext,
  call: SourceCall,
  address: SourceAddress,
  at?: string,
): Promise<OpenedSource> {
  if (address.kind === 'folder') return { ...readFolderSource(address.path), isFixed: false }
  if (address.kind === 'archive') return { ...(await readArchiveSource(address.path)), isFixed: false }
  if (address.kind === 'npm') return openPackage(context, call, address, at)
  const tree = await fetchGit(address, { ...placesOf(context), signal: signalOf(context, call) }, at)
  return { ...tree, isFixed: tree.isTag }
}

/** The current state of the source, found without fetching it. */
export async function findNewest(
  context: ActionContext,
  call: SourceCall,
  address: GitAddress | PackageAddress,
): Promise<string> {
  if (address.kind === 'git') {
    const around = { ...placesOf(context), signal: signalOf(context, call) }
    return (await findRemote(address, around)).commit
  }
  return withRegistry(
    context,
    call,
    address,
    async registry => (await findVersion(registry, address)).version,
  )
}

function placesOf({ library }: ActionContext) {
  return { cacheRoot: library.cacheRoot, environment: library.environment }
}

/** Aborts when the call is cancelled or times out; later reads from the source count towards the timeout. */
function signalOf({ signal }: ActionContext, { timeout }: SourceCall): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeout * 1000)])
}

function openPackage(
  context: ActionContext,
  call: SourceCall,
  address: PackageAddress,
  at: string | undefined,
): Promise<OpenedSource> {
  return withRegistry(context, call, address, async registry => {
    const { version, manifest } = await findVersion(registry, {
      ...address,
      ...(at !== undefined && { ref: at }),
    })
    const archive = await registry.download(manifest)
    const files = new Map<string, Uint8Array>()
    // Everything in an npm archive is below a single folder.
    for (const { path, bytes } of readTar(await gunzip(archive))) {
      const own = path.slice(path.indexOf('/') + 1)
      if (files.has(own))
        throw new AppError('ITEM_MALFORMED', `the archive holds two files for one name: ${quoteText(own)}`)
      files.set(own, bytes)
    }
    const origin = { package: address.package, registry: registry.registry.url.href }
    return { ...treeOf(files, version), integrity: integrityOf(archive), origin, isFixed: false }
  })
}

async function findVersion(registry: OpenedRegistry, { package: name, ref = 'latest' }: PackageAddress) {
  checkPackage(name)
  const packument = await registry.find(name)
  if (packument) return chooseVersion(packument, ref, 'exact, range or tag')
  const message = `${registry.registry.url.hostname} has no package \`${name}\`, or none that you may see`
  throw new AppError('ITEM_NOT_FOUND', message)
}

/** Keeps the result out of the answer of `callRegistry`: only failures need secrets removed. */
async function withRegistry<T>(
  context: ActionContext,
  call: SourceCall,
  { package: name }: PackageAddress,
  work: (registry: OpenedRegistry) => Promise<T>,
): Promise<T> {
  const kept: T[] = []
  await callRegistry(context, { ...call, package: name }, async ({ registry }) => {
    kept.push(await work(registry))
    return {}
  })
  return kept[0]!
}
