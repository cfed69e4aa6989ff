// Walking the folders of the project, and patterns of names.
import { type Folder, foldCase, inFolder, Refused, type Step } from './_inside.ts'

export interface Visited {
  /** From the project on. */
  readonly steps: readonly Step[]
  readonly folder: Folder
  /** Of everything in it that is neither a folder nor a link, in order. */
  readonly names: readonly Buffer[]
}

const PASSED_OVER = new Set(['.git', 'node_modules', '__pycache__', '.venv'])
const MOST_ENTRIES = 200_000
const MOST_DEPTH = 64

/** Calls `visit` with each folder below a start, in order, until it answers false. Links are not followed. */
export function walk(root: string, start: readonly string[], visit: (visited: Visited) => boolean): void {
  const pending: (readonly Step[])[] = [start]
  let seen = 0
  for (let steps = pending.pop(); steps !== undefined && seen < MOST_ENTRIES; steps = pending.pop()) {
    const here = steps
    const inner: Step[][] = []
    const look = (folder: Folder) => {
      const entries = folder.entries().filter(entry => !entry.isSymbolicLink())
      seen += entries.length
      for (const entry of entries)
        if (entry.isDirectory() && !PASSED_OVER.has(entry.name.toString()))
          inner.push([...here, asStep(entry.name)])
      return visit({
        steps: here,
        folder,
        names: entries.filter(entry => !entry.isDirectory()).map(entry => entry.name),
      })
    }
    if (!enter(root, here, look, here === start)) return
    if (here.length - start.length < MOST_DEPTH)
      pending.push(...inner.reverse().filter(folder => !holdsKeys(folder)))
  }
}

/** A folder that cannot be entered is passed over, unless it is the start. */
function enter(
  root: string,
  steps: readonly Step[],
  look: (folder: Folder) => boolean,
  isStart: boolean,
): boolean {
  let isInside = false
  try {
    return inFolder(root, steps, folder => {
      isInside = true
      return look(folder)
    })
  } catch (thrown) {
    if (isInside || isStart) throw thrown
    return true
  }
}

/** Text where the name is text, so that it is spelled the same everywhere. */
function asStep(name: Buffer): Step {
  const text = name.toString()
  return Buffer.from(text).equals(name) ? text : name
}

/** Whether a folder is the one of the signing keys. */
function holdsKeys(steps: readonly Step[]): boolean {
  const last = steps.slice(-3).map(step => foldCase(step.toString()))
  return last.join('/') === '.ai/config/keys'
}

export type PathTest = (steps: readonly string[]) => boolean

/** A test for steps below the start: `*`, `?`, `[ab]` within a name, `**` for any folders, `{a,b}` for either. */
export function compileGlob(pattern: string): PathTest {
  const choices = expandBraces(pattern).map(choice =>
    choice
      .replace(/^\/+|\/+$/g, '')
      .split('/')
      .map(part => (part === '**' ? part : compileName(part))),
  )
  return steps => choices.some(choice => fits(choice, steps))
}

const MOST_CHOICES = 64
const MOST_GROUPS = 8

/** Each pattern that `{a,b}` stands for. */
function expandBraces(pattern: string): string[] {
  let found = [pattern]
  for (let round = 0; round < MOST_GROUPS; round++) {
    if (!found.some(choice => GROUP.test(choice))) return found
    found = found.flatMap(choice => {
      const [, before, inner, after] = GROUP.exec(choice) ?? []
      return inner === undefined ? [choice] : inner.split(',').map(part => `${before}${part}${after}`)
    })
    if (found.length > MOST_CHOICES)
      throw new Refused(`\`${pattern}\` stands for more than ${MOST_CHOICES} patterns`)
  }
  throw new Refused(`\`${pattern}\` has more than ${MOST_GROUPS} groups of braces`)
}

const GROUP = /^([^{]*)\{([^}]*)\}(.*)$/s

type NameTest = (name: string) => boolean

/** Whether the names fit the pattern, name by name; each place in the pattern is reached once per name. */
function fits(pattern: readonly ('**' | NameTest)[], steps: readonly string[]): boolean {
  let places = passFolders(pattern, new Set([0]))
  for (const step of steps) {
    const next = new Set<number>()
    for (const place of places) {
      const part = pattern[place]
      if (part === '**') next.add(place)
      else if (part?.(step)) next.add(place + 1)
    }
    places = passFolders(pattern, next)
  }
  return places.has(pattern.length)
}

/** `**` may also stand for no folder at all. A set is walked with what is added meanwhile. */
function passFolders(pattern: readonly ('**' | NameTest)[], places: Set<number>): Set<number> {
  for (const place of places) if (pattern[place] === '**') places.add(place + 1)
  return places
}

type CharacterTest = (character: string) => boolean

/** A test for one name. It goes back to the last `*` only, so it never takes long. */
function compileName(pattern: string): NameTest {
  const parts = readParts([...pattern])
  return name => {
    const characters = [...name]
    let at = 0
    let part = 0
    let star = -1
    let resume = 0
    while (at < characters.length) {
      const test = parts[part]
      if (test === '*') {
        star = part
        resume = at
        part += 1
      } else if (test?.(characters[at]!)) {
        at += 1
        part += 1
      } else if (star !== -1) {
        resume += 1
        at = resume
        part = star + 1
      } else return false
    }
    return parts.slice(part).every(rest => rest === '*')
  }
}

function readParts(pattern: readonly string[]): ('*' | CharacterTest)[] {
  const parts: ('*' | CharacterTest)[] = []
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!
    // A `]` that comes first belongs to the list.
    const first = pattern[at + 1] === '!' ? at + 2 : at + 1
    const end = character === '[' ? pattern.indexOf(']', first + 1) : -1
    if (character === '*') parts.push('*')
    else if (character === '?') parts.push(() => true)
    else if (end !== -1) {
      parts.push(compileList(pattern.slice(first, end), first === at + 2))
      at = end
    } else parts.push(given => given === character)
  }
  return parts
}

/** `[a-z_]`, `[!a-z]` */
function compileList(listed: readonly string[], isNegated: boolean): CharacterTest {
  const ranges: [number, number][] = []
  for (let at = 0; at < listed.length; at++) {
    const isRange = listed[at + 1] === '-' && at + 2 < listed.length
    const from = listed[at]!.codePointAt(0)!
    ranges.push([from, isRange ? listed[at + 2]!.codePointAt(0)! : from])
    if (isRange) at += 2
  }
  return character => {
    const code = character.codePointAt(0)!
    return ranges.some(([from, to]) => from <= code && code <= to) !== isNegated
  }
}
