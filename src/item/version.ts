// Versions and their order: dotted numbers of any length, with the pre-release rule of semantic versioning.
// `1.2` equals `1.2.0`, `2.0.0-beta` comes before `2.0.0`, build metadata is ignored. Numbers stay text, so
// long ones are not rounded. Text that is not a version gives undefined, and never equals everything.

export interface Version {
  readonly numbers: readonly string[]
  readonly prerelease: readonly string[]
}

const VERSION = /^v?(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/
const THREE_NUMBERS = /^\d+\.\d+\.\d+(?:[-+]\S*)?$/
const DIGITS = /^\d+$/
const MAX_LENGTH = 256

/** A version as people write it: `2`, `v1.2`, `1.0.0-rc.1`; surrounding space is ignored. */
export function parseVersion(text: string): Version | undefined {
  const match = text.length > MAX_LENGTH ? null : VERSION.exec(text.trim())
  if (match === null) return undefined
  return { numbers: match[1]!.split('.'), prerelease: match[2]?.split('.') ?? [] }
}

/** A version written in full, `X.Y.Z[-pre][+build]`, for places where a shorter one would be a mistake. */
export function parseFullVersion(value: unknown): Version | undefined {
  return typeof value === 'string' && THREE_NUMBERS.test(value) ? parseVersion(value) : undefined
}

/** The version that an item states, as text, since `version: 1.5` in YAML or JSON is a number. */
export function readVersion(stated: unknown): string | undefined {
  if (typeof stated === 'number') return String(stated)
  return typeof stated === 'string' ? stated : undefined
}

/** Negative when `left` is older, positive when it is newer, 0 when they are equal. */
export function compareVersions(left: Version, right: Version): number {
  const length = Math.max(left.numbers.length, right.numbers.length)
  for (let i = 0; i < length; i++) {
    const order = compareNumbers(left.numbers[i] ?? '0', right.numbers[i] ?? '0')
    if (order !== 0) return order
  }
  return comparePrereleases(left.prerelease, right.prerelease)
}

/** A release is newer than any of its pre-releases. */
function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = compareIdentifiers(left[i]!, right[i]!)
    if (order !== 0) return order
  }
  return left.length - right.length
}

function compareIdentifiers(left: string, right: string): number {
  const numeric = Number(DIGITS.test(right)) - Number(DIGITS.test(left))
  if (numeric !== 0) return numeric
  return DIGITS.test(left) ? compareNumbers(left, right) : compareText(left, right)
}

function compareNumbers(left: string, right: string): number {
  const [a, b] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')]
  return a.length - b.length || compareText(a, b)
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
