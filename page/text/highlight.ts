// Source text in coloured pieces, by rules general enough for every language of a tool. A visual aid only.

export interface Piece {
  readonly kind: 'plain' | 'comment' | 'string' | 'number' | 'keyword' | 'name'
  readonly text: string
}

const KEYWORDS = new Set(
  [
    'and as assert async await break case catch class const continue def default del do elif else except export extends',
    'false finally fn for from function global if import in interface is lambda let new nonlocal not null of or pass',
    'raise return self static switch then this throw true try type undefined var void while with yield None True False',
    'done esac fi echo local set',
  ]
    .join(' ')
    .split(' '),
)

/**
 * A rule either matches or fails within a bounded number of characters, so text that never closes what it
 * opens is read only once.
 */
type Rules = readonly (readonly [Piece['kind'] | 'word', RegExp])[]

const HASH: Rules = [['comment', /#[^\n]*/y]]
const SLASH: Rules = [
  ['comment', /\/\/[^\n]*/y],
  ['comment', /\/\*[\s\S]*?(?:\*\/|$)/y],
]
const STRINGS: Rules = [
  ['string', /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)/y],
  ['string', /"(?:[^"\\\n]|\\[\s\S]?)*(?:"|(?=\n)|$)|'(?:[^'\\\n]|\\[\s\S]?)*(?:'|(?=\n)|$)/y],
]
const WORDS: Rules = [
  ['number', /\b\d[\w.]*/y],
  ['word', /[A-Za-z_$][\w$]*/y],
]
const LANGUAGES: Readonly<Record<string, Rules>> = {
  py: [...HASH, ...STRINGS, ...WORDS],
  sh: [...HASH, ...STRINGS, ...WORDS],
  js: [...SLASH, ...STRINGS, ['string', /`(?:[^`\\]|\\[\s\S]?)*(?:`|$)/y], ...WORDS],
  // A word in a path or a sentence is not a keyword, and a part of a version is not a number.
  yaml: [
    ...HASH,
    ['name', /[\w.-]{1,100}(?=:(?:\s|$))/y],
    ...STRINGS,
    ['keyword', /(?:true|false|null)(?![\w./@-])/y],
    ['number', /-?\d{1,100}(?:\.\d{1,100})?(?![\w./@-])/y],
    ['plain', /[\w./@-][\w./@'-]{0,1000}/y],
  ],
  json: [['name', /"(?:[^"\\\n]|\\[\s\S])*"(?=\s*:)/y], ...STRINGS, ...WORDS],
  md: [
    ['comment', /<!--[\s\S]*?(?:-->|$)/y],
    ['keyword', /(?<=^|\n)#{1,6} [^\n]*/y],
    ['string', /`[^`\n]*`/y],
    ['name', /<\/?[A-Za-z][^>\n]{0,300}>/y],
  ],
}
const SAME: Readonly<Record<string, string>> = {
  ...{
    python: 'py',
    bash: 'sh',
    shell: 'sh',
    ts: 'js',
    mts: 'js',
    mjs: 'js',
    cjs: 'js',
    tsx: 'js',
    jsx: 'js',
  },
  ...{ javascript: 'js', typescript: 'js', yml: 'yaml', toml: 'yaml', markdown: 'md' },
}

/** Longer text is shown plain, and so is text with more pieces. */
const LONGEST = 200_000
const MOST_PIECES = 20_000

/** `language` is a file's extension, or the word after a fence. */
export function highlight(text: string, language: string): Piece[] {
  const name = language.toLowerCase().replace(/^\./, '')
  const rules = LANGUAGES[SAME[name] ?? name]
  if (!rules || text.length > LONGEST) return [{ kind: 'plain', text }]
  const pieces: Piece[] = []
  let plain = 0
  let at = 0
  while (at < text.length) {
    const found = firstRule(rules, text, at)
    if (!found) {
      at += 1
      continue
    }
    const word = text.slice(at, found.end)
    const kind = found.kind === 'word' ? (KEYWORDS.has(word) ? 'keyword' : 'plain') : found.kind
    if (kind !== 'plain') {
      if (plain < at) pieces.push({ kind: 'plain', text: text.slice(plain, at) })
      pieces.push({ kind, text: word })
      plain = found.end
    }
    at = found.end
  }
  if (plain < text.length) pieces.push({ kind: 'plain', text: text.slice(plain) })
  return pieces.length > MOST_PIECES ? [{ kind: 'plain', text }] : pieces
}

function firstRule(
  rules: Rules,
  text: string,
  at: number,
): { kind: Rules[number][0]; end: number } | undefined {
  for (const [kind, pattern] of rules) {
    pattern.lastIndex = at
    if (pattern.test(text) && pattern.lastIndex > at) return { kind, end: pattern.lastIndex }
  }
  return undefined
}

/** The same pieces, by line. */
export function splitPieces(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]]
  for (const { kind, text } of pieces) {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (part !== '') lines.at(-1)!.push({ kind, text: part })
    }
  }
  if (lines.length > 1 && lines.at(-1)!.length === 0) lines.pop()
  return lines
}
