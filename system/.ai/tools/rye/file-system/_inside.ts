// Staying inside the project, for every tool of this folder. A path is resolved once, and what it leads to is then reached step by step
// from the open folder of the project: a folder that became a link meanwhile is refused, not followed.
// On Linux `/proc/self/fd/N/NAME` is a name in an open folder. Elsewhere the path is used, after a comparison with what was opened.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** What the caller can fix, in one sentence. */
export class Refused extends Error {}

/** A name in a folder: text, or bytes where it is none. */
export type Step = string | Buffer

export interface Place {
  /** The project's real path. */
  readonly root: string
  /** From the project on, links resolved. */
  readonly steps: readonly string[]
}

/** Where a path leads to; refuses whatever leads out and, if the tool `changes` files, what decides what runs. */
export function find(projectPath: string, name: string, { changes = false } = {}): Place {
  if (name.includes('\0') || /\p{Surrogate}/u.test(name))
    throw new Refused(`\`${JSON.stringify(name)}\` is not a path`)
  const root = resolveLinks(projectPath)
  const real = resolveLinks(name.startsWith(sep) ? name : `${root}${sep}${name}`)
  const below = root.endsWith(sep) ? root : root + sep
  if (real !== root && !real.startsWith(below)) throw new Refused(`\`${name}\` leads out of the project`)
  const steps = real === root ? [] : real.slice(below.length).split(sep)
  const folded = `/${steps.map(foldCase).join('/')}/`
  if (folded.includes('/.ai/config/keys/')) throw new Refused('signing keys are not read or written by tools')
  if (changes && ['/.git/', '/.ai/config/', '/.ai/state/'].some(part => folded.includes(part)))
    throw new Refused(
      `\`${name}\` is not written by tools: \`.git\`, \`.ai/config\` and \`.ai/state\` decide what runs`,
    )
  return { root, steps }
}

/** As a file system compares names that ignores case. */
export function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase()
}

const MOST_LINKS = 40

/** The real path, as far as there is anything; the rest as it stands. */
function resolveLinks(path: string): string {
  let real: string = sep
  let links = 0
  const pending = path.split(sep).reverse()
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      real = dirname(real)
      continue
    }
    const next = join(real, part)
    const target = links < MOST_LINKS ? readLink(next) : undefined
    if (target === undefined) {
      real = next
      continue
    }
    links += 1
    if (target.startsWith(sep)) real = sep
    pending.push(...target.split(sep).reverse())
  }
  return real
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants
const FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
const FILE = O_RDONLY | O_NOFOLLOW | O_NONBLOCK

/** An open folder; what is reached through it lies in it, wherever its path leads by now. */
export class Folder {
  readonly descriptor: number
  readonly #path: string

  constructor(path: string, descriptor: number) {
    this.#path = path
    this.descriptor = descriptor
  }

  /** The path to give to a function of Node for a name in this folder. */
  at(name: Step): string | Buffer {
    const folder = `${this.#own()}${sep}`
    return typeof name === 'string' ? folder + name : Buffer.concat([Buffer.from(folder), name])
  }

  enter(name: Step): Folder {
    return new Folder(join(this.#path, name.toString()), openSync(this.at(name), FOLDER))
  }

  /** Names with their kinds, in the order of their bytes. */
  entries() {
    const listed = readdirSync(this.#own(), { withFileTypes: true, encoding: 'buffer' })
    return listed.sort((left, right) => Buffer.compare(left.name, right.name))
  }

  close(): void {
    closeSync(this.descriptor)
  }

  #own(): string {
    if (process.platform === 'linux') return `/proc/self/fd/${this.descriptor}`
    const [now, then] = [statSync(this.#path), fstatSync(this.descriptor)]
    if (now.ino !== then.ino || now.dev !== then.dev) throw new Refused(`\`${this.#path}\` changed meanwhile`)
    return this.#path
  }
}

/** Calls `use` with the open folder at the end of the steps, which are made where they are missing if `create` is set. */
export function inFolder<T>(
  root: string,
  steps: readonly Step[],
  use: (folder: Folder) => T,
  { create = false } = {},
): T {
  let folder = new Folder(root, openSync(root, FOLDER))
  try {
    for (const step of steps) {
      if (create) makeFolder(folder.at(step))
      const inner = folder.enter(step)
      folder.close()
      folder = inner
    }
    return use(folder)
  } finally {
    folder.close()
  }
}

function makeFolder(path: string | Buffer): void {
  try {
    mkdirSync(path)
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw thrown
  }
}

/** Calls `use` with a descriptor of the file of that name in the folder; undefined when it is not a regular file. */
export function withEntry<T>(
  folder: Folder,
  name: Step,
  use: (file: number, seen: Stats) => T,
): T | undefined {
  const file = openSync(folder.at(name), FILE)
  try {
    const seen = fstatSync(file)
    return seen.isFile() ? use(file, seen) : undefined
  } finally {
    closeSync(file)
  }
}

/** Calls `use` with a descriptor of the file at the end of the steps. */
export function withFile<T>({ root, steps }: Place, use: (file: number, seen: Stats) => T): T {
  const found = inFolder(root, steps.slice(0, -1), folder =>
    withEntry(folder, steps.at(-1) ?? '.', (file, seen) => ({ value: use(file, seen) })),
  )
  if (found === undefined) throw new Refused(`\`${steps.join('/') || '.'}\` is not a file`)
  return found.value
}

/** What lies in the folder under the name, links not followed. */
export function seeEntry(folder: Folder, name: Step): Stats | undefined {
  return lstatSync(folder.at(name), { throwIfNoEntry: false })
}

/** The beginning of a file, up to so many bytes. */
export function readBytes(file: number, most: number): Buffer {
  const bytes = Buffer.allocUnsafe(most)
  let length = 0
  for (let count = -1; count !== 0 && length < most; length += count)
    count = readSync(file, bytes, length, most - length, null)
  return bytes.subarray(0, length)
}

export function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
}

/** The answer to a call that could not be done; what is no fault of a path is thrown on. */
export function failure(thrown: unknown, name: string): { success: false; error: string } {
  if (thrown instanceof Refused) return { success: false, error: thrown.message }
  // `ENOENT: no such file or directory, open '/proc/...'`
  const reason = thrown instanceof Error ? /^[A-Z\d]+: ([^,]+)/.exec(thrown.message)?.[1] : undefined
  if (codeOf(thrown) === undefined || reason === undefined) throw thrown
  return { success: false, error: `\`${name}\`: ${reason}` }
}
