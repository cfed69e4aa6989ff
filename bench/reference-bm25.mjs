// The reference that search must not fall below: textbook BM25 over one text per item, with identifier
// splitting, a stop list for questions and Porter stemming. It shares no code with `src/`, so that both
// cannot have the same mistake.

const K1 = 1.2
const B = 0.75

const STOP_WORDS = new Set(
  `a about an and any are as at be been but by can could did do does for from had has have he help her him his how i if in
  into is it its like me my need no not of on or our please shall she should so some tell than that the their them then
  there these they this those to us want was we were what when where which who whom whose why will with would you your`.split(
    /\s+/,
  ),
)

/**
 * Ranks items {id, title, description, text} for a question: `rank(question, limit)` returns ids, best first.
 */
export function createReference(items) {
  const stems = new Map()
  const readTerms = (text, stopWords = new Set()) =>
    splitWords(text)
      .filter(word => !stopWords.has(word))
      .map(word => {
        if (!stems.has(word)) stems.set(word, stem(word))
        return stems.get(word)
      })

  const postings = new Map()
  const lengths = items.map((item, index) => {
    const terms = readTerms(`${item.title} ${item.description} ${item.text}`)
    const counts = new Map()
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, count] of counts) {
      if (!postings.has(term)) postings.set(term, [])
      postings.get(term).push([index, count])
    }
    return terms.length
  })
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, items.length)

  return function rank(question, limit = 10) {
    const scores = new Map()
    for (const term of readTerms(question, STOP_WORDS)) {
      const list = postings.get(term) ?? []
      const idf = Math.log(1 + (items.length - list.length + 0.5) / (list.length + 0.5))
      for (const [index, count] of list) {
        const norm = K1 * (1 - B + (B * lengths[index]) / meanLength)
        scores.set(index, (scores.get(index) ?? 0) + (idf * count * (K1 + 1)) / (count + norm))
      }
    }
    return [...scores]
      .sort(([left, a], [right, b]) => b - a || left - right)
      .slice(0, limit)
      .map(([index]) => items[index].id)
  }
}

/** Runs of letters and digits in lower case, split where case changes (`getUserName`, `HTTPServer`). */
function splitWords(text) {
  const parts = text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  return parts ?? []
}

// Porter's algorithm, rule by rule after the paper of 1980. Of a rule list, the rule with the longest
// matching suffix applies. Its condition is checked on what precedes the suffix; if it fails, the step ends.
const STEP_2 = [
  ...[
    'ational ate',
    'tional tion',
    'enci ence',
    'anci ance',
    'izer ize',
    'abli able',
    'alli al',
    'entli ent',
    'eli e',
  ],
  ...[
    'ousli ous',
    'ization ize',
    'ation ate',
    'ator ate',
    'alism al',
    'iveness ive',
    'fulness ful',
    'ousness ous',
  ],
  ...['aliti al', 'iviti ive', 'biliti ble'],
]
const STEP_3 = ['icate ic', 'ative ', 'alize al', 'iciti ic', 'ical ic', 'ful ', 'ness ']
const STEP_4 = 'al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize'.split(' ')

/** The stem of a lower-case word. A word with anything but ASCII letters is its own stem. */
export function stem(word) {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  const steps = [stemPlural, stemPast, stemY, stemDouble, stemThird, stemLong, stemFinal]
  return steps.reduce((text, step) => step(text), word)
}

const stemPlural = word => applyRule(word, ['sses ss', 'ies i', 'ss ss', 's '], () => true)
const stemY = word => applyRule(word, ['y i'], rest => shapeOf(rest).includes('v'))
const stemDouble = word => applyRule(word, STEP_2, rest => measure(rest) > 0)
const stemThird = word => applyRule(word, STEP_3, rest => measure(rest) > 0)

function stemPast(word) {
  if (word.endsWith('eed')) return applyRule(word, ['eed ee'], rest => measure(rest) > 0)
  const rest = applyRule(word, ['ed ', 'ing '], before => shapeOf(before).includes('v'))
  if (rest === word) return word
  if (/(at|bl|iz)$/.test(rest)) return `${rest}e`
  const last = rest.at(-1)
  if (last === rest.at(-2) && shapeOf(rest).endsWith('c') && !'lsz'.includes(last)) return rest.slice(0, -1)
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest
}

const stemLong = word =>
  applyRule(
    word,
    STEP_4.map(suffix => `${suffix} `),
    (rest, suffix) => measure(rest) > 1 && (suffix !== 'ion' || /[st]$/.test(rest)),
  )

function stemFinal(word) {
  const rest = applyRule(
    word,
    ['e '],
    before => measure(before) > 1 || (measure(before) === 1 && !endsShort(before)),
  )
  return rest.endsWith('ll') && measure(rest) > 1 ? rest.slice(0, -1) : rest
}

function applyRule(word, rules, condition) {
  const [suffix, replacement] = rules
    .map(rule => rule.split(' '))
    .filter(([candidate]) => word.endsWith(candidate))
    .reduce((longest, rule) => (rule[0].length > longest[0].length ? rule : longest), ['', ''])
  const rest = word.slice(0, word.length - suffix.length)
  return suffix !== '' && condition(rest, suffix) ? rest + replacement : word
}

/** `c` or `v` for each letter; y is a vowel after a consonant. */
function shapeOf(word) {
  let shape = ''
  for (const letter of word) {
    shape += 'aeiou'.includes(letter) || (letter === 'y' && shape.endsWith('c')) ? 'v' : 'c'
  }
  return shape
}

const measure = word => shapeOf(word).match(/v+c+/g)?.length ?? 0
const endsShort = word => shapeOf(word).endsWith('cvc') && !'wxy'.includes(word.at(-1))
