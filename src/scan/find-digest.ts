// What folders look like from afar: names, sizes, inodes and times of change of all that is below them, as a digest. `find` of
// the system looks at a file in a third of the time that Node takes, and in a process of its own, so that a search goes on
// meanwhile. Whoever has no such `find` walks the folders.
import { closeSync, existsSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../base/index.ts'
import { descend } from './descend.ts'
import type { ItemRoot } from './item-roots.ts'
import type { PassedOver } from './skipped.ts'
import { SKIPPED_NAMES } from './walk.ts'

/** By its path: what a project puts first in PATH is not asked. */
const FIND = '/usr/bin/find'
/** A tree that takes longer is walked, within the limits of a walk. */
const PATIENCE_MS = 5000

/** The depth comes first: a record that begins with 0 is that of a folder which was asked for. Depths and names in turn make paths. */
const RECORD = ['-printf', '%d %C@ %i %s %f\\0']
const SKIPPED = [...SKIPPED_NAMES].flatMap(name => ['-o', '-name', name]).slice(1)
// `find` would compare all names before it looks at types, ten thousand for a few folders, but not past something to print.
const EXPRESSION = [...RECORD, '-type', 'd', '-printf', '', '(', ...SKIPPED, ')', '-prune']
const NEXT_FOLDER = Buffer.from('\x000 ')

/**
 * What roots look like from afar, by group: the same as long as nothing in them is touched. Undefined when the system cannot
 * tell, at once where that is known before. To be taken before the roots are walked, never beside it: what changes after this
 * look is then seen by the walk.
 */
export function glanceAtRoots(
  groups: readonly (readonly ItemRoot[])[],
): Promise<string[] | undefined> | undefined {
  const output = process.platform === 'linux' && existsSync(FIND) ? openUnnamed() : undefined
  return output === undefined ? undefined : look(groups.map(enter), output)
}

async function look(looked: readonly Entered[], output: number): Promise<string[] | undefined> {
  try {
    const folders = looked.flatMap(({ entered }) => entered)
    // Without a folder, `find` would take the one that we stand in.
    const records = folders.length > 0 && (await runFind(folders, output)) ? readRecords(output) : []
    // As many as were asked for, or it was another kind of `find`.
    if (records.length !== folders.length || records.length === 0) return undefined
    return looked.map(group => {
      const digests = records.splice(0, group.entered.length).map(sha256Hex)
      return sha256Hex(JSON.stringify([digests, group]))
    })
  } catch {
    // No more processes, or no more memory: there is another way.
    return undefined
  } finally {
    closeSync(output)
  }
}

/** The folders of roots that are there, and what stands in the way of the others. */
interface Entered {
  readonly entered: readonly string[]
  readonly refused: readonly PassedOver[]
}

function enter(roots: readonly ItemRoot[]): Entered {
  const refused: PassedOver[] = []
  const entered = roots.flatMap(root => descend(root.base, root.segments, refused) ?? [])
  return { entered, refused }
}

/** A file and not a pipe: nobody empties a pipe while we search, and `find` would wait for that. */
function openUnnamed(): number | undefined {
  // Whoever guesses the name keeps us from this way, no more: a file that is there is not opened.
  const path = join(tmpdir(), `rye-${process.pid}-${process.hrtime.bigint()}`)
  try {
    const descriptor = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    return descriptor
  } catch {
    // There is no place for it.
    return undefined
  }
}

function runFind(folders: readonly string[], output: number): Promise<boolean> {
  // Here, because few starts need it, and at once, because this one waits for it.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(FIND, [...folders, ...EXPRESSION], {
    env: { LC_ALL: 'C' },
    stdio: ['ignore', output, 'ignore'],
    timeout: PATIENCE_MS,
  })
  return new Promise(resolve => {
    child.once('error', () => resolve(false))
    // Any complaint means that something was not looked at.
    child.once('exit', code => resolve(code === 0))
  })
}

/** What was said of each folder that was asked for. */
function readRecords(output: number): Buffer[] {
  const bytes = Buffer.allocUnsafe(fstatSync(output).size)
  // From the beginning: `find` shares the position, and has left it at the end.
  const size = readSync(output, bytes, { position: 0 })
  const records: Buffer[] = []
  let start = 0
  while (start < size) {
    const next = bytes.subarray(0, size).indexOf(NEXT_FOLDER, start)
    const end = next === -1 ? size : next + 1
    records.push(bytes.subarray(start, end))
    start = end
  }
  return records
}
