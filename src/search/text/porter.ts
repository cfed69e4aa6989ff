// The Porter stemmer (M. F. Porter, 1980), over lower-case ASCII words; every other word is its own stem.
// A word has the form C?(VC)^m V?; a rule applies by its suffix and by the measure m of what comes before it.

const ASCII_WORD = /^[a-z]+$/

/** The stem of a case-folded word: `running` → `run`, `relational` → `relat`. */
export function stem(word: string): string {
  if (word.length < 3 || !ASCII_WORD.test(word)) return word
  let stemmed = stripPlural(word)
  stemmed = stripPast(stemmed)
  if (stemmed.endsWith('y') && hasVowel(stemmed.slice(0, -1))) stemmed = `${stemmed.slice(0, -1)}i`
  stemmed = replaceSuffix(stemmed, STEP_2, 0)
  stemmed = replaceSuffix(stemmed, STEP_3, 0)
  stemmed = stripLongSuffix(stemmed)
  return tidyEnd(stemmed)
}

function stripPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  if (word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1)
  return word
}

function stripPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const suffix = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  const rest = word.slice(0, word.length - suffix)
  if (suffix === 0 || !hasVowel(rest)) return word
  if (rest.endsWith('at') || rest.endsWith('bl') || rest.endsWith('iz')) return `${rest}e`
  if (endsDoubleConsonant(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1)
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest
}

// In each list a suffix comes before any shorter one that it ends with.
const STEP_2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
]

const STEP_3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]

const STEP_4 = [
  ...[
    'ement',
    'ment',
    'ent',
    'ance',
    'ence',
    'able',
    'ible',
    'ant',
    'ism',
    'ate',
    'iti',
    'ous',
    'ive',
    'ize',
  ],
  ...['ion', 'al', 'er', 'ic', 'ou'],
]

function replaceSuffix(word: string, rules: readonly (readonly [string, string])[], above: number): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (!rule) return word
  const rest = word.slice(0, -rule[0].length)
  return measure(rest) > above ? rest + rule[1] : word
}

function stripLongSuffix(word: string): string {
  const suffix = STEP_4.find(candidate => word.endsWith(candidate))
  if (!suffix) return word
  const rest = word.slice(0, -suffix.length)
  if (measure(rest) <= 1 || (suffix === 'ion' && !/[st]$/.test(rest))) return word
  return rest
}

function tidyEnd(word: string): string {
  let tidy = word
  if (tidy.endsWith('e')) {
    const rest = tidy.slice(0, -1)
    const length = measure(rest)
    if (length > 1 || (length === 1 && !endsShort(rest))) tidy = rest
  }
  return tidy.endsWith('ll') && measure(tidy) > 1 ? tidy.slice(0, -1) : tidy
}

function isConsonant(word: string, index: number): boolean {
  const letter = word[index]!
  if ('aeiou'.includes(letter)) return false
  return letter !== 'y' || index === 0 || !isConsonant(word, index - 1)
}

/** How many times a vowel is followed by a consonant. */
function measure(word: string): number {
  let count = 0
  let afterVowel = false
  for (let index = 0; index < word.length; index++) {
    const consonant = isConsonant(word, index)
    if (consonant && afterVowel) count++
    afterVowel = !consonant
  }
  return count
}

function hasVowel(word: string): boolean {
  for (let index = 0; index < word.length; index++) if (!isConsonant(word, index)) return true
  return false
}

function endsDoubleConsonant(word: string): boolean {
  const last = word.length - 1
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last)
}

/** Ends with consonant, vowel, consonant, and the last is not w, x or y: `hop`, not `snow`. */
function endsShort(word: string): boolean {
  const last = word.length - 1
  if (last < 2 || 'wxy'.includes(word[last]!)) return false
  return isConsonant(word, last) && !isConsonant(word, last - 1) && isConsonant(word, last - 2)
}
