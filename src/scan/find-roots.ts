// The names and states of all that is below some roots, told by `find` of the system: it reads the state of a file in a third of the
// time that Node takes, and in a process of its own, so that a search runs meanwhile. One stamp says whether anything was written, and
// the records of two looks say what was (edited-files.ts). Where there is no such `find`, the roots are walked.
import { closeSync, existsSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../base/index.ts'
import { SKIPPED_FOLDERS } from '../item/index.ts'
import { descend } from './descend.ts'
import { type FoundRoots, RECORD } from './edited-files.ts'
import type { ItemRoot } from './item-roots.ts'
import type { SkippedPath } from './skipped-path.ts'

/** By its path: a project may have put another one first in PATH. */
const FIND = '/usr/bin/find'
/** A tree that takes longer is walked, within the limits of a walk. */
const TIMEOUT_MS = 5000

const PRINT = ['-printf', RECORD]
const SKIPPED = [...SKIPPED_FOLDERS].flatMap(name => ['-o', '-name', name]).slice(1)
// `find` moves cheap tests forward, and would compare every name before any type; it does not move a test past a `-printf`.
const ITEMS = [...PRINT, '-type', 'd', '-printf', '', '(', ...SKIPPED, ')', '-prune']
const NEXT_ROOT = Buffer.from('\x000 ')

/**
 * What is in each group of roots, in folders that hold no items only with `everything`. The promise gives undefined when `find`
 * failed; no promise at all means that there is no `find` to ask. Must be finished before anything in the roots is read: what is
 * written later has another state than the one that was found.
 */
export function findRoots(
  groups: readonly (readonly NamedRoot[])[],
  { everything = false }: { readonly everything?: boolean } = {},
): Promise<FoundRoots[] | undefined> | undefined {
  const output = process.platform === 'linux' && existsSync(FIND) ? openTemporaryFile() : undefined
  const expression = everything ? PRINT : ITEMS
  return output === undefined ? undefined : findGroups(groups.map(findFolders), { output, expression })
}

/** The same as long as nothing in the roots is written. */
export function stampFound({ folders, skipped }: FoundRoots): string {
  const digests = folders.map(({ path, records }) => [path, sha256Hex(records)])
  return sha256Hex(JSON.stringify([digests, skipped]))
}

type NamedRoot = Pick<ItemRoot, 'base' | 'segments'>

interface Finding {
  readonly output: number
  readonly expression: readonly string[]
}

async function findGroups(
  groups: readonly RootFolders[],
  { output, expression }: Finding,
): Promise<FoundRoots[] | undefined> {
  try {
    const folders = groups.flatMap(({ present }) => present)
    // Without a folder, `find` would take the current directory.
    const records =
      folders.length > 0 && (await runFind(folders, { output, expression })) ? readRecords(output) : []
    // One for each folder, or it was another kind of `find`.
    if (records.length !== folders.length || records.length === 0) return undefined
    return groups.map(({ present, skipped }) => {
      const own = records.splice(0, present.length)
      return { folders: present.map((path, index) => ({ path, records: own[index]! })), skipped }
    })
  } catch {
    // No more processes, or no more memory: the roots can still be walked.
    return undefined
  } finally {
    closeSync(output)
  }
}

/** The folders of roots that exist, and what was found in place of others. */
interface RootFolders {
  readonly present: readonly string[]
  readonly skipped: readonly SkippedPath[]
}

function findFolders(roots: readonly NamedRoot[]): RootFolders {
  const skipped: SkippedPath[] = []
  const present = roots.flatMap(root => descend(root.base, root.segments, skipped) ?? [])
  return { present, skipped }
}

/** A file and not a pipe: nobody reads a pipe while we search, and `find` would wait for that. It has no name once it is open. */
function openTemporaryFile(): number | undefined {
  // Whoever guesses the name can only make us walk: an existing file is not opened.
  const path = join(tmpdir(), `rye-${process.pid}-${process.hrtime.bigint()}`)
  try {
    const descriptor = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    return descriptor
  } catch {
    // The folder for temporary files is missing, full or read-only.
    return undefined
  }
}

function runFind(folders: readonly string[], { output, expression }: Finding): Promise<boolean> {
  // Loaded here because few starts need it, and synchronously because this one needs it at once.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(FIND, [...folders, ...expression], {
    env: { LC_ALL: 'C' },
    stdio: ['ignore', output, 'ignore'],
    timeout: TIMEOUT_MS,
  })
  return new Promise(resolve => {
    child.once('error', () => resolve(false))
    // Any other status means that something could not be read.
    child.once('exit', code => resolve(code === 0))
  })
}

/** The output, cut into one part for each root. */
function readRecords(output: number): Buffer[] {
  const bytes = Buffer.allocUnsafe(fstatSync(output).size)
  // From the start of the file: `find` shares our position, and left it at the end.
  const size = readSync(output, bytes, { position: 0 })
  const records: Buffer[] = []
  let start = 0
  while (start < size) {
    const next = bytes.subarray(0, size).indexOf(NEXT_ROOT, start)
    const end = next === -1 ? size : next + 1
    records.push(bytes.subarray(start, end))
    start = end
  }
  return records
}
