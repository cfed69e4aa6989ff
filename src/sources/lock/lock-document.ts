// The lock: what was taken from each source, as text that is identical whenever the content is. One entry per
// source, one line per item. Pure.
import { AppError, quoteText } from '../../base/index.ts'
import { idProblem, isItemType } from '../../item/index.ts'
import { isReservedId } from '../../registry/bundle/index.ts'
import { isFingerprint } from '../../trust/index.ts'

export interface LockedItem {
  /** `TYPE:ID.EXTENSION` or `skill:ID`, as in approvals. */
  readonly name: string
  /** As in approvals: digest of the file, or of a skill's file list. */
  readonly digest: string
  /** Fingerprint of the key that signed it, if it was taken for that reason. */
  readonly signer?: string
  /** Fingerprint of the key whose owner accepted it. */
  readonly accepted?: string
  /** The state of the source that it was taken from, if not the entry's. */
  readonly at?: string
  /** The path of its file in the source. */
  readonly path: string
}

export interface LockedSource {
  /** In the form that `add` accepts. */
  readonly source: string
  /** The requested branch, tag or range. */
  readonly ref?: string
  /** A commit, a version or a digest. */
  readonly resolved: string
  /** Digest of the archive. Absent when the source is not an archive. */
  readonly integrity?: string
  /** Patterns of wanted items; empty for all items. */
  readonly only: readonly string[]
  readonly items: readonly LockedItem[]
}

export interface Lock {
  readonly sources: readonly LockedSource[]
}

export const EMPTY_LOCK: Lock = { sources: [] }
export const LOCK_FILE = 'rye.lock'
export const LOCK_BYTES = 16 * 1024 * 1024

const FIRST_LINE = 'rye lock v1'
const DIGEST = /^sha256:(?<digest>[0-9a-f]{64})$/
const WORD = /^\S{1,400}$/
const CONFLICT = /^(?:<{7}|>{7}|\|{7})(?: |\r?$)|^={7}\r?$/
const TEXT = /^[^\p{Cc}\u2028\u2029]{1,2000}$/u

export function printLock({ sources }: Lock): string {
  return [FIRST_LINE, ...[...sources].sort(by('source')).flatMap(printSource)].join('\n').concat('\n')
}

function printSource({ source, ref, resolved, integrity, only, items }: LockedSource): string[] {
  return [
    '',
    `source ${source}`,
    ...(ref === undefined ? [] : [`  ref ${ref}`]),
    `  resolved ${resolved}`,
    ...(integrity === undefined ? [] : [`  integrity ${integrity}`]),
    ...[...only].sort().map(pattern => `  only ${pattern}`),
    ...[...items].sort(by('name')).map(printItem),
  ]
}

function printItem({ name, digest, signer = '-', accepted = '-', at = '-', path }: LockedItem): string {
  return `  item ${name} sha256:${digest} signer ${signer} accepted ${accepted} at ${at} from ${path}`
}

/** Throws `ITEM_MALFORMED`: a person has to look at a lock that was merged by hand, or not written by us. */
export function parseLock(written: string): Lock {
  // A checkout may have converted the line endings.
  const text = /(?<!\r)\n/.test(written) ? written : written.replaceAll('\r\n', '\n')
  const lines = text.split('\n')
  const conflict = lines.findIndex(line => CONFLICT.test(line))
  if (conflict !== -1) throw conflicting(conflict + 1)
  const first = lines.shift()!
  if (first !== FIRST_LINE) throw malformed(1, `expected \`${FIRST_LINE}\`, got ${quoteText(first, 120)}`)
  const sources: Building[] = []
  for (const [index, line] of lines.entries()) readLine(line, index + 2, sources)
  const lock = { sources: sources.map(({ resolved = '', ...rest }) => ({ ...rest, resolved })) }
  if (lock.sources.some(({ resolved }) => resolved === ''))
    throw malformed(lines.length, 'a source has no `resolved`')
  const names = lock.sources.flatMap(({ items }) => items.map(({ name }) => name))
  const twice = names.length > new Set(names).size
  if (twice) throw malformed(lines.length, `${quoteText(repeated(names))} is there twice`)
  // Only one spelling is accepted, including order, duplicates and blanks.
  const again = printLock(lock)
  if (again === text) return lock
  const [wanted, found] = [again.split('\n'), text.split('\n')]
  const at = wanted.findIndex((line, index) => line !== found[index])
  throw malformed(at + 1, `expected ${quoteText(wanted[at] ?? '', 120)}: its lines are sorted`)
}

interface Building {
  readonly source: string
  ref?: string
  resolved?: string
  integrity?: string
  readonly only: string[]
  readonly items: LockedItem[]
}

function readLine(line: string, number: number, sources: Building[]): void {
  if (line === '') return
  const [, indent = '', key = '', value = ''] = /^( {2})?(\w+) (.+)$/.exec(line) ?? []
  if (!TEXT.test(value)) throw malformed(number, `got ${quoteText(line, 120)}`)
  if (indent === '' && key === 'source') {
    if (sources.some(({ source }) => source === value)) throw malformed(number, 'the source is there twice')
    sources.push({ source: value, only: [], items: [] })
    return
  }
  const entry = sources.at(-1)
  if (entry === undefined || indent === '') throw malformed(number, `got ${quoteText(line, 120)}`)
  if (key === 'only') entry.only.push(value)
  else if (key === 'item') addItem(entry, value, number)
  else if (key === 'ref' || key === 'resolved' || key === 'integrity') {
    if (entry[key] !== undefined || !WORD.test(value)) throw malformed(number, `got ${quoteText(line, 120)}`)
    entry[key] = value
  } else throw malformed(number, `got ${quoteText(line, 120)}`)
}

const ITEM =
  /^(?<name>\S+) (?<digest>\S+) signer (?<signer>\S+) accepted (?<accepted>\S+) at (?<at>\S+) from (?<path>.+)$/

function addItem(entry: Building, value: string, number: number): void {
  const {
    name = '',
    digest = '',
    signer = '',
    accepted = '',
    at = '',
    path = '',
  } = ITEM.exec(value)?.groups ?? {}
  const bare = DIGEST.exec(digest)?.groups?.digest
  const [type = '', id = ''] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)]
  // No source may bring an id of the package, so no lock contains one.
  const isId = idProblem(id) === undefined && !isReservedId(id)
  const isItem = isItemType(type) && isId && bare !== undefined
  if (!isItem || ![signer, accepted].every(key => key === '-' || isFingerprint(key)))
    throw malformed(number, `expected \`item NAME sha256:DIGEST signer KEY accepted KEY at STATE from PATH\``)
  entry.items.push({
    name,
    digest: bare,
    ...(signer !== '-' && { signer }),
    ...(accepted !== '-' && { accepted }),
    ...(at !== '-' && { at }),
    path,
  })
}

function repeated(names: readonly string[]): string {
  return names.find((name, index) => names.indexOf(name) !== index)!
}

function by<K extends string>(
  key: K,
): (a: Readonly<Record<K, string>>, b: Readonly<Record<K, string>>) => number {
  return (a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0)
}

function conflicting(line: number): AppError {
  return new AppError(
    'ITEM_MALFORMED',
    `the lock cannot be read: line ${line}: a merge has left a conflict`,
    {
      hint: 'take one side with `git checkout --ours .ai/rye.lock` (or `--theirs`), then `rye add` what the other side has besides',
    },
  )
}

function malformed(line: number, problem: string): AppError {
  return new AppError('ITEM_MALFORMED', `the lock cannot be read: line ${line}: ${problem}`, {
    hint: 'take it from the last commit, or remove it and add the sources again',
  })
}
