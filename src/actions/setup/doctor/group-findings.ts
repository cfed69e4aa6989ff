// Many items with one fault are one line: where they lie, a few of them by name, and the one command that helps.
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
  /** To sign it is what helps, with these flags: then a pattern can stand for many. */
  readonly signFlags?: string
}

interface Group {
  readonly members: readonly [Finding, ...Finding[]]
  /** What can be signed together: the words for the place, and the pattern that names it. */
  readonly place?: { readonly words: string; readonly glob: string }
}

/** So many folders have a line of their own; more are counted with those above them. */
const MOST_FOLDERS = 8
const MOST_LINES = 20
const EXAMPLES = 3

export function groupFindings(findings: readonly Finding[]): Check[] {
  const groups = groupBy(findings, kindOf).flatMap(intoGroups)
  const left = groups.slice(MOST_LINES).flatMap(({ members }) => members)
  return [
    ...groups
      .slice(0, MOST_LINES)
      .map(group =>
        group.members.length === 1 ? describeOne(group.members[0]) : describeMany(group, findings),
      ),
    ...(left.length === 0 ? [] : [describeRest(left)]),
  ]
}

/** What one command could help with. */
function kindOf({ name, type, id, space, fix, signFlags }: Finding): string {
  if (signFlags !== undefined) return JSON.stringify([name, type, space, signFlags])
  return JSON.stringify(fix === undefined ? [type, id, space] : [name, fix])
}

/** By the folders themselves if they are few, else by those at the top, else all together. */
function intoGroups(members: Group['members']): Group[] {
  const { signFlags, space } = members[0]
  if (signFlags === undefined) return [{ members }]
  for (const depth of [Number.POSITIVE_INFINITY, 1]) {
    const folders = groupBy(members, ({ id }) => folderOf(id, depth))
    if (folders.length > MOST_FOLDERS) continue
    return folders.map(own => {
      const folder = folderOf(own[0].id, depth)
      const glob = folder === '' ? '*' : `${folder}/${depth === 1 ? '**' : '*'}`
      return { members: own, place: { words: `${folder === '' ? '' : `in ${folder} `}(${space})`, glob } }
    })
  }
  return [{ members, place: { words: `(${space})`, glob: '*' } }]
}

function folderOf(id: string, depth: number): string {
  return id.split('/').slice(0, -1).slice(0, depth).join('/')
}

function describeOne(one: Finding): Check {
  const { name, status, reason, fix, signFlags } = one
  const read = signFlags === undefined ? '' : `; read it with \`${showCommand(one)}\`, then:`
  return { name, status, message: `${printRef(one)}: ${reason}${read}`, ...(fix !== undefined && { fix }) }
}

function describeMany({ members, place }: Group, all: readonly Finding[]): Check {
  const { name, status, type, reason, fix, signFlags } = members[0]
  const what = members.every(one => one.reason === reason) ? reason : `they are ${name}`
  const examples = members.slice(0, EXAMPLES).map(place ? one => one.id : printRef)
  const more = members.length > EXAMPLES ? ` and ${members.length - EXAMPLES} more` : ''
  const facts = `${members.length} ${place ? `${nameOf(type)} ${place.words}` : 'items'}: ${what}: ${examples.join(', ')}${more}`
  if (!place) return { name, status, message: facts, ...(fix !== undefined && { fix }) }
  const read = `read what you sign, first \`${showCommand(members[0])}\``
  const other = all.find(one => one.name !== name && isTaken(one, members[0], place.glob))
  // What was changed behind one's back must not be signed along with what is new.
  if (other)
    return {
      name,
      status,
      message: `${facts}; ${read}; a pattern would also sign ${printRef(other)}, which is ${other.name}, so one by one:`,
      fix: fix!,
    }
  return {
    name,
    status,
    message: `${facts}; ${read}, then:`,
    fix: `rye sign ${quoteShellWord(`${type}:${place.glob}`)}${signFlags}`,
  }
}

function isTaken(one: Finding, { type, space }: Finding, glob: string): boolean {
  return one.type === type && one.space === space && matchesGlob(glob, one.id)
}

/** What has no line of its own. */
function describeRest(left: readonly Finding[]): Check {
  const isProblem = left.some(({ status }) => status === 'problem')
  const message = `${left.length} more ${isProblem ? 'cannot be used' : 'are older than what was used before'}`
  return { name: 'more', status: isProblem ? 'problem' : 'note', message, fix: 'rye verify' }
}

function showCommand(one: Finding): string {
  return `rye show ${printRef(one)} --content`
}

function printRef({ type, id, space }: Finding): string {
  return `${type}:${id}@${space}`
}

function nameOf(type: SignedType): string {
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
