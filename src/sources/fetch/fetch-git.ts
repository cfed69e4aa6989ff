// A repository as a source. It is fetched into a bare repository in the cache, one commit deep, and files are
// read from its objects. Nothing is ever checked out, so no hooks, filters, submodules or links can do
// anything. A commit that was fetched before is not fetched again.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, quoteText, sha256Hex } from '../../base/index.ts'
import { acquireMutex, makePrivateFolder, stateAt } from '../../files/index.ts'
import type { GitAddress } from '../address/source-address.ts'
import {
  MOST_SOURCE_FILES,
  type OddEntry,
  SOURCE_FILE_BYTES,
  type SourceFile,
  type SourceTree,
} from '../find/source-tree.ts'
import { gitEnvironment, protocolOf } from './git-environment.ts'
import { failed, type GitRun, runGit, TOO_LARGE } from './run-git.ts'

export interface GitSurroundings {
  /** For files that can be made again at any time. */
  readonly cacheRoot: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  /** Limit of the copy's size on disk. */
  readonly mostBytes?: number
}

export interface RemoteState {
  readonly commit: string
  /** A tag is a promise not to move. A full commit counts as one. */
  readonly isTag: boolean
}

export interface GitTree extends SourceTree, RemoteState {
  /** Seconds since 1970, as stated by its committer. */
  readonly time: number
}

const COMMIT = /^[0-9a-f]{40}$/
/** What git says about a copy that a killed run or the disk has damaged. */
const DAMAGED =
  /\.lock': File exists|corrupt|bad object|not a git repository|unable to read|object file .* is empty/i
const LIST_BYTES = 64_000_000
const MUTEX = { waitMs: 120_000, holdMs: 300_000 }

/** Where a ref points now. Fetches nothing. Throws `REMOTE_FAILED`, `ITEM_NOT_FOUND`. */
export function findRemote(address: GitAddress, around: GitSurroundings): Promise<RemoteState> {
  return withRepository(address, around, run => resolveRef(run, address))
}

/** The files of a commit: the given one, or that of the address's ref. Throws `ITEM_MALFORMED`. */
export async function fetchGit(
  address: GitAddress,
  around: GitSurroundings,
  commit?: string,
): Promise<GitTree> {
  // It may come from a stranger's lock, and git would take `--output=FILE` as an option to empty the file.
  if (commit !== undefined && !COMMIT.test(commit))
    throw new AppError('ITEM_MALFORMED', `expected a commit of 40 digits, got ${quoteText(commit, 120)}`)
  return withRepository(address, around, async run => {
    const state = commit === undefined ? await resolveRef(run, address) : { commit, isTag: false }
    if (!(await hasCommit(run, state.commit))) await fetchCommit(run, address, state.commit)
    const time = Number(await text(run, ['show', '-s', '--format=%ct', state.commit, '--']))
    const listed = readListing(
      await runGit(run, {
        args: ['ls-tree', '-r', '-z', '-l', '--full-tree', state.commit],
        mostOutput: LIST_BYTES,
      }),
      address.path,
    )
    const objects = new Map(listed.files.map(({ path, object }) => [path, object]))
    return {
      ...state,
      time,
      resolved: state.commit,
      files: listed.files.map(({ path, size }) => ({ path, size })),
      odd: listed.odd,
      objectOf: path => objects.get(path),
      read: paths => readObjects(run, new Map(paths.map(path => [path, objects.get(path)!]))),
    }
  })
}

/** Only one process at a time writes to a repository. */
async function withRepository<T>(
  address: GitAddress,
  { cacheRoot, environment, signal, mostBytes }: GitSurroundings,
  use: (run: GitRun) => Promise<T>,
): Promise<T> {
  const name = sha256Hex(address.url).slice(0, 32)
  const folder = join(cacheRoot, 'sources', `${name}.git`)
  const limits = { signal, ...(mostBytes !== undefined && { mostBytes }) }
  const run = { folder, environment: gitEnvironment(environment, protocolOf(address)), ...limits }
  const mutex = await acquireMutex(`${folder}.lock`, {
    ...MUTEX,
    subject: `the copy of ${address.url}`,
    signal,
  })
  const open = async () => {
    makePrivateFolder(folder, cacheRoot)
    if (!stateAt(join(folder, 'HEAD')))
      await runGit(run, { args: ['init', '--quiet', '--bare', '--template='], mostOutput: 10_000 })
    return use(run)
  }
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const isOld = stateAt(join(folder, 'HEAD')) !== undefined
    return await open().catch(thrown => {
      const message = thrown instanceof AppError ? thrown.message : ''
      // A copy grows with every fetched commit; a new copy may be small enough.
      if (!DAMAGED.test(message) && !(isOld && message.includes(TOO_LARGE))) throw thrown
      // We hold the mutex, so the process that left it like this has ended.
      remove()
      return open()
    })
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.message.includes(TOO_LARGE)) remove()
    throw thrown
  } finally {
    mutex.release()
  }
}

async function resolveRef(run: GitRun, { url, ref }: GitAddress): Promise<RemoteState> {
  if (ref !== undefined && COMMIT.test(ref)) return { commit: ref, isTag: true }
  const wanted =
    ref === undefined ? ['HEAD'] : [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/tags/${ref}^{}`]
  const answer = await text(run, ['ls-remote', '--quiet', '--', url, ...wanted])
  const refs = new Map(
    answer
      .split('\n')
      .map(line => line.split('\t'))
      .map(([commit = '', name = '']) => [name, commit]),
  )
  // For an annotated tag, the commit that it points to.
  const tag = refs.get(`refs/tags/${ref}^{}`) ?? refs.get(`refs/tags/${ref}`)
  const commit = tag ?? refs.get(`refs/heads/${ref}`) ?? refs.get('HEAD')
  if (commit !== undefined && COMMIT.test(commit)) return { commit, isTag: tag !== undefined }
  const message =
    ref === undefined ? `\`${url}\` has no commit yet` : `\`${url}\` has no branch or tag \`${ref}\``
  throw new AppError('ITEM_NOT_FOUND', message)
}

async function hasCommit(run: GitRun, commit: string): Promise<boolean> {
  try {
    // Checks the tree too: a killed run may have left only the commit.
    await runGit(run, {
      args: ['rev-parse', '--quiet', '--verify', `refs/rye/${commit}^{tree}`],
      mostOutput: 1000,
    })
    return true
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'REMOTE_FAILED') return false
    throw thrown
  }
}

/** Fetches the commit itself, so a branch that moves meanwhile changes nothing. */
async function fetchCommit(run: GitRun, { url }: GitAddress, commit: string): Promise<void> {
  const fetch = [
    'fetch',
    '--quiet',
    '--depth=1',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--force',
  ]
  await runGit(run, { args: [...fetch, '--', url, `${commit}:refs/rye/${commit}`], mostOutput: 100_000 })
}

interface ListedFile extends SourceFile {
  readonly object: string
}

/** `MODE TYPE OBJECT SIZE TAB PATH NUL` for each entry. */
function readListing(listing: Buffer, folder: string | undefined): { files: ListedFile[]; odd: OddEntry[] } {
  const prefix = folder === undefined ? '' : `${folder}/`
  const files: ListedFile[] = []
  const odd: OddEntry[] = []
  for (const entry of listing.toString('utf8').split('\0').slice(0, -1)) {
    const tab = entry.indexOf('\t')
    const [mode = '', , object = '', size = ''] = entry.slice(0, tab).split(/ +/)
    const whole = entry.slice(tab + 1)
    if (!whole.startsWith(prefix)) continue
    const path = whole.slice(prefix.length)
    const reason = oddReason(mode, Number(size), path)
    if (reason === undefined) files.push({ path, size: Number(size), object })
    else odd.push({ path, reason })
    if (files.length > MOST_SOURCE_FILES)
      throw failed(`the repository has more than ${MOST_SOURCE_FILES} files`)
  }
  if (files.length === 0 && prefix !== '')
    throw new AppError('ITEM_NOT_FOUND', `the repository has no folder \`${folder}\` at this commit`)
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), odd }
}

function oddReason(mode: string, size: number, path: string): string | undefined {
  if (mode === '120000') return 'is a link'
  if (mode === '160000') return 'is another repository'
  if (mode !== '100644' && mode !== '100755') return 'is no plain file'
  if (size > SOURCE_FILE_BYTES) return `is larger than ${SOURCE_FILE_BYTES} bytes`
  if (path.includes('\ufffd')) return 'has a name that is not UTF-8'
  return path.split('/').some(part => ['', '.', '..'].includes(part))
    ? 'has a name that leads elsewhere'
    : undefined
}

const BATCH_BYTES = 200_000_000

/** `OBJECT blob SIZE LF BYTES LF` for each requested object. */
async function readObjects(
  run: GitRun,
  objects: ReadonlyMap<string, string>,
): Promise<Map<string, Uint8Array>> {
  const input = [...objects.values()].map(object => `${object}\n`).join('')
  const output = await runGit(run, { args: ['cat-file', '--batch'], input, mostOutput: BATCH_BYTES })
  const found = new Map<string, Uint8Array>()
  let at = 0
  for (const [path, object] of objects) {
    const end = output.indexOf(10, at)
    const [name, kind, size] = output.toString('latin1', at, end).split(' ')
    if (name !== object || kind !== 'blob') throw failed(`\`${path}\` cannot be read out of the repository`)
    found.set(path, output.subarray(end + 1, end + 1 + Number(size)))
    at = end + 2 + Number(size)
  }
  return found
}

async function text(run: GitRun, args: readonly string[]): Promise<string> {
  return (await runGit(run, { args, mostOutput: 1_000_000 })).toString('utf8').trim()
}
