// The addresses of skills and their files: `skill://ID/FILE`. An address is only ever compared with ids and
// names found on disk, never turned into a path; one with an odd segment is refused before anything is looked
// up.

const SCHEME = 'skill://'
/**
 * Enough for the longest path that a signed list can hold, with each of its characters as four escaped bytes,
 * plus its id.
 */
const MOST_CHARACTERS = 16_384

/** The decoded segments of an address, or undefined when it cannot be one of ours. */
export function parseSkillUri(uri: string): string[] | undefined {
  if (!uri.startsWith(SCHEME) || uri.length > MOST_CHARACTERS) return undefined
  const rest = uri.slice(SCHEME.length)
  if (rest.includes('?') || rest.includes('#')) return undefined
  const segments: string[] = []
  for (const written of rest.split('/')) {
    const segment = decode(written)
    if (segment === undefined || segment === '' || segment === '.' || segment === '..') return undefined
    // An escaped separator would be one segment here and two on disk.
    if (segment.includes('/') || segment.includes('\\') || segment.includes('\0')) return undefined
    segments.push(segment)
  }
  return segments
}

function decode(written: string): string | undefined {
  try {
    return decodeURIComponent(written)
  } catch {
    // The escapes are not UTF-8: no file of a skill has such a name.
    return undefined
  }
}
