// Which versions of Python a script is made for, as PEP 440 writes it: `>=3.10,<3.14`.

/** The first two numbers. */
type Series = readonly [major: number, minor: number]

interface Clause {
  readonly operator: string
  /** `3.10.2` as its numbers. */
  readonly release: readonly number[]
  /** It ends with `.*`. */
  readonly isPrefix: boolean
  /** What follows the numbers: `rc1`, `.post1`. */
  readonly suffix: string
}

const CLAUSE = /^\s*(===?|!=|~=|>=?|<=?)\s*v?(\d{1,6}(?:\.\d{1,6}){0,9})(\.\*)?([-_.+]?[a-z][^\s*]*)?\s*$/i
/** It comes before the version of the same numbers. */
const BEFORE = /^[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview|dev)(?![a-z])/i

/** Whether every version of a series is none of the wanted ones. What is written in another way is not judged. */
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

/** Below zero where the whole series comes before the version. */
function orderOf([major, minor]: Series, [first = 0, second = 0]: readonly number[]): number {
  return major - first || minor - second
}

/** Whether no version of the series comes before this one of it. */
function beginsWith(release: readonly number[], suffix: string): boolean {
  return release.slice(2).every(number => number === 0) && (suffix === '' || BEFORE.test(suffix))
}

/** As far as two numbers say. */
function isBelow([major, minor]: Series, [first, second]: readonly number[]): boolean {
  return major === first && (second === undefined || minor === second)
}
