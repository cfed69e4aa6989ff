// Finds keys by the names that people use: the fingerprint, its beginning, or the owner. Strangers wrote the
// owners into their documents, so a name never selects one key: the caller gets every key that it could mean.
import { isFingerprint } from './signature-line.ts'

interface Named {
  readonly fingerprint: string
  readonly owner: string
}

/** Fewer digits are not accepted: they would soon match other keys too. */
const PREFIX = /^[0-9a-f]{4,15}$/
const WITH_ADDRESS = /^(.*?)\s*<([^<>]+)>$/

/** Every key that a name could mean. A whole fingerprint means only its own key, whatever the owners are. */
export function keysNamed<K extends Named>(name: string, keys: Iterable<K>): K[] {
  const all = [...keys]
  if (isFingerprint(name)) return all.filter(key => key.fingerprint === name)
  return all.filter(
    key => (PREFIX.test(name) && key.fingerprint.startsWith(name)) || namesOf(key.owner).includes(name),
  )
}

/** `Ann <ann@example.org>` is also `Ann`, and `ann@example.org`. */
function namesOf(owner: string): string[] {
  const [, name, address] = WITH_ADDRESS.exec(owner) ?? []
  return [owner, name, address].filter(text => text !== undefined && text !== '') as string[]
}

// For reading out on the telephone: each group of four hex digits becomes a word of alternating consonants
// and vowels. It is another spelling of the same 64 bits.
const CONSONANTS = 'bdfghjklmnprstvz'
const VOWELS = 'aiou'

/** `87c9fa367709cdcf` → `mizan-zomuk-lisan-sulaz`. */
export function fingerprintWords(fingerprint: string): string {
  return (fingerprint.match(/.{4}/g) ?? []).map(group => wordOf(Number.parseInt(group, 16))).join('-')
}

/** Four, two, four, two and four bits per letter. */
function wordOf(bits: number): string {
  const consonant = (shift: number) => CONSONANTS[(bits >> shift) & 15]
  const vowel = (shift: number) => VOWELS[(bits >> shift) & 3]
  return [consonant(12), vowel(10), consonant(6), vowel(4), consonant(0)].join('')
}
