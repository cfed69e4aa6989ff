// Reads which versions of Python a script is made for, in the notation of PEP 440: `>=3.10,<3.14`.

/** The first two numbers of a version. */
type Series = readonly [major: number, minor: number]

interface Clause {
  readonly operator: string
  /** `3.10.2` as numbers. */
  readonly release: readonly number[]
  /** Whether it ends with `.*`. */
  readonly isPrefix: boolean
  /** What follows the numbers: `rc1`, `.post1`. */
  readonly suffix: string
}

const CLAUSE = /^\s*(===?|!=|~=|>=?|<=?)\s*v?(\d{1,6}(?:\.\d{1,6}){0,9})(\.\*)?([-_.+]?[a-z][^\s*]*)?\s*$/i
/** The suffix of a pre-release, which comes before the version with the same numbers. */
const BEFORE = /^[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview|dev)(?![a-z])/i

/** Whether no version of a series is wanted. A clause in any other notation is not judged. */
export function isOtherPython(wanted: string, series: Series): boolean {
  return wanted.split(',').some(text => {
    const clause = readClause(text)
    return clause !== undefined && refusesAll(clause, series)
  })
}

function readClause(text: string): Clause | undefined {
  const [, operator, numbers = '', star, suffix = ''] = CLAUSE.exec(text) ?? []
  if (operator === undefined) return undefined
  return { operator, release: numbers.split('.').map(Number), isPrefix: star !== undefined, suffix }
}

function refusesAll({ operator, release, isPrefix, suffix }: Clause, series: Series): boolean {
  const order = orderOf(series, release)
  switch (operator) {
    case '<':
      return order > 0 || (order === 0 && beginsWith(release, suffix))
    case '<=':
      return order > 0 || (order === 0 && BEFORE.test(suffix) && beginsWith(release, suffix))
    case '!=':
      return isPrefix && release.length <= 2 && isBelow(series, release)
    case '~=':
      return release.length > 1 && (order < 0 || !isBelow(series, release.slice(0, -1)))
    case '==':
    case '===':
      return isPrefix ? !isBelow(series, release) : order !== 0
    default:
      return order < 0
  }
}

/** Negative when the whole series comes before the version, 0 when the version belongs to it. */
function orderOf([major, minor]: Series, [first = 0, second = 0]: readonly number[]): number {
  return major - first || minor - second
}

/** Whether no other version of the series comes before this one. */
function beginsWith(release: readonly number[], suffix: string): boolean {
  return release.slice(2).every(number => number === 0) && (suffix === '' || BEFORE.test(suffix))
}

/** Whether the series matches a version of one or two numbers. */
function isBelow([major, minor]: Series, [first, second]: readonly number[]): boolean {
  return major === first && (second === undefined || minor === second)
}
