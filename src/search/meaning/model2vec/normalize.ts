// What a tokenizer does to a text before cutting it: the `normalizer` of a `tokenizer.json`.
import { isRecord } from '../../../base/index.ts'

export type TextStep = (text: string) => string

const FORMS = { NFC: 'NFC', NFD: 'NFD', NFKC: 'NFKC', NFKD: 'NFKD' } as const
const CHINESE = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2ebef}]/gu
const BREAKS = /[\t\n\f\r\u2028\u2029]/g
const CONTROLS = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu

/** Throws a plain error for an unknown normalizer. */
export function readNormalizer(value: unknown): TextStep {
  if (value === null || value === undefined) return text => text
  if (!isRecord(value)) throw new Error('expected `normalizer` to be an object')
  const { type } = value
  if (type === 'Sequence') {
    const steps = (Array.isArray(value.normalizers) ? value.normalizers : []).map(readNormalizer)
    return text => steps.reduce((changed, step) => step(changed), text)
  }
  if (typeof type === 'string' && Object.hasOwn(FORMS, type)) {
    const form = FORMS[type as keyof typeof FORMS]
    return text => text.normalize(form)
  }
  switch (type) {
    case 'BertNormalizer':
      return bert(value)
    case 'Lowercase':
      return text => text.toLowerCase()
    case 'StripAccents':
      return stripAccents
    case 'Strip':
      return text => text.trim()
    case 'Nmt':
      return cleanText
    // From SentencePiece: tabs and line breaks are blanks, then compatibility forms, and some rules that hardly
    // ever matter and are left out here.
    case 'Precompiled':
      return text => text.replace(BREAKS, ' ').normalize('NFKC')
    case 'Prepend':
      return text => (text === '' ? text : `${value.prepend}${text}`)
    case 'Replace':
      return replace(value)
    default:
      throw new Error(`expected a known normalizer, got \`${type}\``)
  }
}

function bert({
  clean_text,
  handle_chinese_chars,
  strip_accents,
  lowercase,
}: Record<string, unknown>): TextStep {
  const strips = strip_accents ?? lowercase
  return text => {
    let changed = clean_text === false ? text : cleanText(text)
    if (handle_chinese_chars !== false) changed = changed.replace(CHINESE, ' $& ')
    if (strips) changed = stripAccents(changed)
    return lowercase === false ? changed : changed.toLowerCase()
  }
}

function cleanText(text: string): string {
  return text
    .replace(/[\t\n\r]/g, ' ')
    .replace(CONTROLS, '')
    .replace(/\p{Zs}/gu, ' ')
}

function stripAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{Mn}/gu, '')
}

/** The patterns that many models have. */
const KNOWN_PATTERNS: ReadonlyMap<unknown, RegExp> = new Map([
  [' {2,}', / {2,}/g],
  ['\\s+', /\p{White_Space}+/gu],
])

/** Replaces texts and known patterns alone: matching someone else's pattern may never end. */
function replace({ pattern, content }: Record<string, unknown>): TextStep {
  const to = typeof content === 'string' ? content : ''
  if (isRecord(pattern) && typeof pattern.String === 'string') {
    const from = pattern.String
    return from === '' ? text => text : text => text.replaceAll(from, () => to)
  }
  const known = isRecord(pattern) && KNOWN_PATTERNS.get(pattern.Regex)
  if (!known) throw new Error('expected `Replace` to match plain text, got a pattern')
  return text => text.replace(known, () => to)
}
