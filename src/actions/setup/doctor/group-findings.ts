// Groups many items with the same fault into one line: where they are, a few names, and the one command that
// helps.
import { quoteShellWord } from '../../../base/index.ts'
import { matchesGlob, type SignedType, type Space } from '../../../item/index.ts'
import type { Check } from './check.ts'

/** What is wrong with one item. */
export interface Finding {
  readonly name: string
  readonly status: 'note' | 'problem'
  readonly type: SignedType
  readonly id: string
  readonly space: Space
  readonly reason: string
  readonly fix?: string
  /** Set when signing helps: the flags of the command. A pattern can then cover many items. */
  readonly signFlags?: string
  /**
   * The signer, if the user does not know that key: what to do is then one decision for all of the signer's
   * items.
   */
  readonly stranger?: string
}

/** An item that a pattern must not match. */
export type Neighbor = Pick<Finding, 'type' | 'id' | 'space' | 'stranger'> & { readonly name: string }

interface Group {
  readonly members: readonly [Finding, ...Finding[]]
  /** Set when the members can be signed together. */
  readonly place?: Place
}

interface Place {
  readonly words: string
  /** Undefined for items of several types. */
  readonly type: SignedType | undefined
  readonly space: Space
  readonly glob: string
}

/** Up to this many folders get a line each; more are counted with their top-level folders. */
const MOST_FOLDERS = 8
const MOST_LINES = 20
const EXAMPLES = 3

/** `others` are verified items that somebody else signed: a pattern must not sign them too. */
export function groupFindings(findings: readonly Finding[], others: readonly Neighbor[] = []): Check[] {
  const groups = groupBy(findings, kindOf).flatMap(intoGroups)
  const all = [...findings, ...others]
  const left = groups.slice(MOST_LINES).flatMap(({ members }) => members)
  return [
    ...groups
      .slice(0, MOST_LINES)
      .map(group => (group.members.length === 1 ? describeOne(group.members[0]) : describeMany(group, all))),
    ...(left.length === 0 ? [] : [describeRest(left)]),
  ]
}

/** Findings with the same key can be fixed by the same command. */
function kindOf({ name, type, id, space, fix, signFlags, stranger }: Finding): string {
  if (signFlags !== undefined) return JSON.stringify([name, stranger ?? type, space, signFlags])
  return JSON.stringify(fix === undefined ? [type, id, space] : [name, fix])
}

/**
 * Puts all items of a stranger into one group. Otherwise groups by folder if there are few folders, else by
 * top-level folder, else all together.
 */
function intoGroups(members: Group['members']): Group[] {
  const { signFlags, space, type, stranger } = members[0]
  if (signFlags === undefined) return [{ members }]
  const at = (words: string, glob: string): Place => ({ words: `${words}(${space})`, type, space, glob })
  if (stranger !== undefined) {
    const isOneType = members.every(one => one.type === type)
    const folder = commonFolder(members.map(one => one.id))
    const glob = folder === '' ? '*' : `${folder}/**`
    return [{ members, place: { ...at('', glob), type: isOneType ? type : undefined } }]
  }
  for (const depth of [Number.POSITIVE_INFINITY, 1]) {
    const folders = groupBy(members, ({ id }) => folderOf(id, depth))
    if (folders.length > MOST_FOLDERS) continue
    return folders.map(own => {
      const folder = folderOf(own[0].id, depth)
      const glob = folder === '' ? '*' : `${folder}/${depth === 1 ? '**' : '*'}`
      return { members: own, place: at(folder === '' ? '' : `in ${folder} `, glob) }
    })
  }
  return [{ members, place: at('', '*') }]
}

function commonFolder([first = '', ...rest]: readonly string[]): string {
  const words = first.split('/').slice(0, -1)
  const differs = words.findIndex((word, at) => rest.some(id => id.split('/').slice(0, -1)[at] !== word))
  return words.slice(0, differs === -1 ? words.length : differs).join('/')
}

function folderOf(id: string, depth: number): string {
  return id.split('/').slice(0, -1).slice(0, depth).join('/')
}

function describeOne(one: Finding): Check {
  const { name, status, reason, fix, signFlags, stranger } = one
  const read = `read it with \`${showCommand(one)}\``
  const advice =
    stranger !== undefined ? `; ${adviseOn(one, read)}` : signFlags === undefined ? '' : `; ${read}, then:`
  return { name, status, message: `${printRef(one)}: ${reason}${advice}`, ...(fix !== undefined && { fix }) }
}

function describeMany({ members, place }: Group, all: readonly Neighbor[]): Check {
  const { name, status, reason, fix, signFlags, stranger } = members[0]
  const what = members.every(one => one.reason === reason) ? reason : `they are ${name}`
  const examples = members.slice(0, EXAMPLES).map(place?.type ? one => one.id : printRef)
  const more = members.length > EXAMPLES ? ` and ${members.length - EXAMPLES} more` : ''
  const which = place ? `${place.type ? pluralOf(place.type) : 'items'} ${place.words}` : 'items'
  const facts = `${members.length} ${which}: ${what}: ${examples.join(', ')}${more}`
  const first = `first \`${showCommand(members[0])}\``
  if (!place) {
    const advice = stranger === undefined ? '' : `; ${adviseOn(members[0], `read what it signed, ${first}`)}`
    return { name, status, message: `${facts}${advice}`, ...(fix !== undefined && { fix }) }
  }
  const read = `read what you sign, ${first}`
  const isElse = (one: Neighbor) => one.name !== name || one.stranger !== stranger
  const other = all.find(one => isElse(one) && isTaken(one, place, signFlags!))
  // An item that was changed behind the user's back must not be signed along with new ones.
  if (other)
    return {
      name,
      status,
      message: `${facts}; ${read}; a pattern would also sign ${printRef(other)}, which is ${other.name}, so one by one:`,
      fix: fix!,
    }
  const type = place.type ? `${place.type}:` : ''
  return {
    name,
    status,
    message: `${facts}; ${stranger === undefined ? `${read}, then:` : adviseOn(members[0], read)}`,
    fix: `rye sign ${quoteShellWord(`${type}${place.glob}`)}${signFlags}`,
  }
}

/** Signing the items of a stranger is only for users who cannot trust the key. */
function adviseOn({ signFlags }: Finding, read: string): string {
  if (signFlags === undefined) return `${read}, and if you know the signer:`
  return `if you know the signer, ask for its key and use \`rye keys trust FILE\`; else ${read}, then:`
}

/**
 * Whether the command would also sign this item. Only `--take-over` replaces the valid signature of another
 * key.
 */
function isTaken(one: Neighbor, place: Place, signFlags: string): boolean {
  if (one.name === 'verified' && !signFlags.includes('--take-over')) return false
  const isReached = (place.type ?? one.type) === one.type && one.space === place.space
  return isReached && one.type !== 'config' && matchesGlob(place.glob, one.id)
}

/** Counts everything that has no line of its own. */
function describeRest(left: readonly Finding[]): Check {
  const isProblem = left.some(({ status }) => status === 'problem')
  const message = `${left.length} more ${isProblem ? 'cannot be used' : 'are older than what was used before'}`
  return { name: 'more', status: isProblem ? 'problem' : 'note', message, fix: 'rye verify' }
}

function showCommand(one: Finding): string {
  return `rye show ${printRef(one)} --content`
}

function printRef({ type, id, space }: Neighbor): string {
  return `${type}:${id}@${space}`
}

function pluralOf(type: SignedType): string {
  return type === 'knowledge' ? 'knowledge entries' : `${type}s`
}

function groupBy(
  findings: readonly Finding[],
  keyOf: (finding: Finding) => string,
): [Finding, ...Finding[]][] {
  const groups = new Map<string, [Finding, ...Finding[]]>()
  for (const finding of findings) {
    const group = groups.get(keyOf(finding))
    if (group) group.push(finding)
    else groups.set(keyOf(finding), [finding])
  }
  return [...groups.values()]
}
