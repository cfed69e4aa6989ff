// Versions `X.Y.Z[-pre][+build]` and their order, as semver.org says. A text that is no version is no version: it is never
// treated as equal to everything.

export interface Version {
  readonly numbers: readonly [number, number, number]
  readonly prerelease: readonly string[]
}

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,64}))?(?:\+[0-9A-Za-z.-]{1,64})?$/

export function parseVersion(text: unknown): Version | undefined {
  const match = typeof text === 'string' ? VERSION.exec(text) : null
  if (match === null) return undefined
  return {
    numbers: [Number(match[1]), Number(match[2]), Number(match[3])],
    prerelease: match[4] === undefined ? [] : match[4].split('.'),
  }
}

/** Negative when `left` is older, 0 when equal, positive when newer. */
export function compareVersions(left: Version, right: Version): number {
  for (const index of [0, 1, 2] as const) {
    const difference = left.numbers[index] - right.numbers[index]
    if (difference !== 0) return difference
  }
  // A release is newer than any of its prereleases.
  if (left.prerelease.length === 0 || right.prerelease.length === 0) {
    return right.prerelease.length - left.prerelease.length
  }
  for (let index = 0; index < Math.max(left.prerelease.length, right.prerelease.length); index++) {
    const difference = comparePart(left.prerelease[index], right.prerelease[index])
    if (difference !== 0) return difference
  }
  return 0
}

function comparePart(left: string | undefined, right: string | undefined): number {
  if (left === right) return 0
  if (left === undefined) return -1
  if (right === undefined) return 1
  const numeric = [/^\d+$/.test(left), /^\d+$/.test(right)]
  if (numeric[0] && numeric[1]) return Number(left) - Number(right)
  if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1
  return left < right ? -1 : 1
}
