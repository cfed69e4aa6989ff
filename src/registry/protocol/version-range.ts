// Version ranges in npm's syntax: `^1.2.0`, `~1.2`, `1.x`, `>=1 <2`, `1.2 - 1.4`, several joined by `||`. A
// pre-release only matches a range that names a pre-release of the same three numbers, so nobody gets one
// without asking for it.
import { compareVersions, parseVersion, type Version } from '../../item/index.ts'

type Operator = '<' | '<=' | '>' | '>=' | '='

interface Comparator {
  readonly operator: Operator
  readonly version: Version
}

/** All comparators must hold. */
type Comparators = readonly Comparator[]

const MOST_LENGTH = 128
const PARTIAL =
  /^v?(\d{1,15}|[xX*])(?:\.(\d{1,15}|[xX*]))?(?:\.(\d{1,15}|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+\S*)?$/

/** Alternatives, of which one must hold. */
export type Range = readonly Comparators[]

export function parseRange(text: string): Range | undefined {
  if (text.length > MOST_LENGTH) return undefined
  const alternatives = text.split('||').map(part => readAlternative(part.trim()))
  return alternatives.every(found => found !== undefined) ? alternatives : undefined
}

export function satisfies(text: string, range: Range): boolean {
  const version = parseVersion(text)
  return version !== undefined && range.some(comparators => fits(version, comparators))
}

/** The newest version in a range. */
export function newestIn(versions: readonly string[], range: Range): string | undefined {
  return inOrder(versions.filter(version => satisfies(version, range))).at(-1)
}

/** The newest release; else the newest pre-release; else the last text, which is not a version. */
export function newestOf(versions: readonly string[]): string {
  const known = versions.filter(version => parseVersion(version))
  const releases = known.filter(version => parseVersion(version)!.prerelease.length === 0)
  return inOrder(releases).at(-1) ?? inOrder(known).at(-1) ?? versions.at(-1)!
}

function inOrder(versions: readonly string[]): string[] {
  return [...versions].sort((a, b) => compareVersions(parseVersion(a)!, parseVersion(b)!))
}

function fits(version: Version, comparators: Comparators): boolean {
  if (!comparators.every(comparator => holds(version, comparator))) return false
  if (version.prerelease.length === 0) return true
  return comparators.some(
    other =>
      other.version.prerelease.length > 0 && version.numbers.join('.') === other.version.numbers.join('.'),
  )
}

function holds(version: Version, { operator, version: bound }: Comparator): boolean {
  const order = compareVersions(version, bound)
  switch (operator) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    case '=':
      return order === 0
  }
}

function readAlternative(text: string): Comparators | undefined {
  const hyphen = /^(\S+)\s+-\s+(\S+)$/.exec(text)
  if (hyphen) {
    const [low, high] = [expand('>=', hyphen[1]!), expand('<=', hyphen[2]!)]
    return low && high && [...low, ...high]
  }
  const words = text.replace(/([<>]=?|[=^~])\s+/g, '$1').split(/\s+/)
  const read = words.map(word => {
    const [, operator, version] = /^([<>]=?|[=^~])?(.*)$/.exec(word)!
    return expand(operator ?? '=', version === '' && operator === undefined ? '*' : version!)
  })
  return read.every(found => found !== undefined) ? read.flat() : undefined
}

/** One word of a range. A version without its last numbers stands for all that begin with the others. */
function expand(operator: string, text: string): Comparators | undefined {
  const match = PARTIAL.exec(text)
  if (match === null) return undefined
  const parts = [match[1], match[2], match[3]]
  const wild = parts.findIndex(part => part === undefined || /^[xX*]$/.test(part))
  const known = parts.slice(0, wild === -1 ? 3 : wild) as string[]
  const prerelease = wild === -1 ? (match[4]?.split('.') ?? []) : []
  const from: Version = { numbers: fill(known), prerelease }
  if (known.length === 0)
    return operator === '<' || operator === '>' ? [{ operator: '<', version: LOWEST }] : []
  const after = (index: number): Comparator => ({ operator: '<', version: next(known, index) })
  switch (operator) {
    case '^': {
      const first = known.findIndex(part => !/^0+$/.test(part))
      return [{ operator: '>=', version: from }, after(first === -1 ? known.length - 1 : first)]
    }
    case '~':
      return [{ operator: '>=', version: from }, after(Math.min(1, known.length - 1))]
    case '=':
      if (wild === -1) return [{ operator: '=', version: from }]
      return [{ operator: '>=', version: from }, after(known.length - 1)]
    case '>':
      if (wild === -1) return [{ operator: '>', version: from }]
      return [{ operator: '>=', version: next(known, known.length - 1) }]
    case '<=':
      return wild === -1 ? [{ operator: '<=', version: from }] : [after(known.length - 1)]
    default:
      // `<` and `>=`.
      return [{ operator: operator as Operator, version: from }]
  }
}

const LOWEST: Version = { numbers: ['0', '0', '0'], prerelease: ['0'] }

/** The first version that is greater in the number at `index`, including its pre-releases. */
function next(known: readonly string[], index: number): Version {
  const numbers = known.slice(0, index + 1).map(Number)
  numbers[index] = numbers[index]! + 1
  return { numbers: fill(numbers.map(String)), prerelease: ['0'] }
}

function fill(numbers: readonly string[]): string[] {
  return [0, 1, 2].map(index => numbers[index] ?? '0')
}
