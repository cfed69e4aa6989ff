// The names and states of everything below some roots, from the system's `find`: it reads a file's state in a
// third of Node's time, and in a process of its own, so a search can run meanwhile. One stamp says whether
// anything was written, and comparing the records of two runs says what (edited-files.ts). Without such a
// `find`, the roots are walked.
import { closeSync, existsSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../base/index.ts'
import { SKIPPED_FOLDERS } from '../item/index.ts'
import { descend } from './descend.ts'
import { type FoundRoots, RECORD } from './edited-files.ts'
import type { ItemRoot } from './item-roots.ts'
import type { SkippedPath } from './skipped-path.ts'

/** By absolute path: a project may have put another `find` first in PATH. */
const FIND = '/usr/bin/find'
/** A tree that takes longer is walked instead, within the limits of a walk. */
const TIMEOUT_MS = 5000

const PRINT = ['-printf', RECORD]
const SKIPPED = [...SKIPPED_FOLDERS].flatMap(name => ['-o', '-name', name]).slice(1)
// `find` moves cheap tests forward, and would compare every name before testing any type. It does not move a
// test past a `-printf`.
const ITEMS = [...PRINT, '-type', 'd', '-printf', '', '(', ...SKIPPED, ')', '-prune']
const NEXT_ROOT = Buffer.from('\x000 ')

/**
 * What is in each group of roots; folders that hold no items are included only with `everything`. The promise
 * gives undefined when `find` failed; without a promise there is no `find` to ask. Must finish before
 * anything in the roots is read, so that whatever is written later has a different state from the one found.
 */
export function findRoots(
  groups: readonly (readonly NamedRoot[])[],
  { everything = false }: { readonly everything?: boolean } = {},
): Promise<FoundRoots[] | undefined> | undefined {
  const output = process.platform === 'linux' && existsSync(FIND) ? openTemporaryFile() : undefined
  const expression = everything ? PRINT : ITEMS
  return output === undefined ? undefined : findGroups(groups.map(findFolders), { output, expression })
}

/** A digest that stays the same as long as nothing in the roots is written. */
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
    // Without any folder, `find` would take the current directory.
    const records =
      folders.length > 0 && (await runFind(folders, { output, expression })) ? readRecords(output) : []
    // There must be one part per folder; otherwise it was another kind of `find`.
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

/** The folders of the roots that exist, and what was found in place of the others. */
interface RootFolders {
  readonly present: readonly string[]
  readonly skipped: readonly SkippedPath[]
}

function findFolders(roots: readonly NamedRoot[]): RootFolders {
  const skipped: SkippedPath[] = []
  const present = roots.flatMap(root => descend(root.base, root.segments, skipped) ?? [])
  return { present, skipped }
}

/** A file: nobody reads a pipe while we search, so `find` would block. It has no name once it is open. */
function openTemporaryFile(): number | undefined {
  // Someone who guesses the name can only make us walk: `wx` does not open an existing file.
  const path = join(tmpdir(), `rye-${process.pid}-${process.hrtime.bigint()}`)
  try {
    const descriptor = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    return descriptor
  } catch {
    // The temporary folder is missing, full or read-only.
    return undefined
  }
}

function runFind(folders: readonly string[], { output, expression }: Finding): Promise<boolean> {
  // Loaded here because few starts need it, and synchronously because it is needed at once.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(FIND, [...folders, ...expression], {
    env: { LC_ALL: 'C' },
    stdio: ['ignore', output, 'ignore'],
    timeout: TIMEOUT_MS,
  })
  return new Promise(resolve => {
    child.once('error', () => resolve(false))
    // Any other status means that something could not be read or that `find` timed out.
    child.once('exit', code => resolve(code === 0))
  })
}

/** The output, cut into one part for each root. */
function readRecords(output: number): Buffer[] {
  const bytes = Buffer.allocUnsafe(fstatSync(output).size)
  // Read from the start: `find` shares our file position, and left it at the end.
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
