// A tolerant scanner of tags in prose or XML. Anything but a complete tag is text, so nothing here fails. A
// `<` inside a tag, which XML forbids, ends the attempt: no character is read more than twice. Scanning is
// linear.

export interface Tag {
  /** `declaration` is `<!DOCTYPE`, `<!ENTITY` and the like. */
  readonly kind: 'open' | 'close' | 'empty' | 'declaration'
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly start: number
  readonly end: number
}

const SKIPPED: readonly { readonly opener: string; readonly closer: string }[] = [
  { opener: '<!--', closer: '-->' },
  { opener: '<![CDATA[', closer: ']]>' },
  { opener: '<?', closer: '?>' },
]

/** The tags of a text in order, without those in comments, CDATA and processing instructions. */
export function* scanTags(text: string): Generator<Tag> {
  const unclosed = new Set<string>()
  let offset = text.indexOf('<')
  while (offset !== -1) {
    const skipped = SKIPPED.find(({ opener }) => text.startsWith(opener, offset))
    let next = offset + 1
    if (skipped !== undefined) {
      const { opener, closer } = skipped
      // A closer that was once not found is not searched for again.
      const end = unclosed.has(closer) ? -1 : text.indexOf(closer, offset + opener.length)
      if (end === -1) unclosed.add(closer)
      else next = end + closer.length
    } else {
      const tag = readTag(text, offset)
      if (tag !== undefined) {
        yield tag
        next = tag.end
      }
    }
    offset = text.indexOf('<', next)
  }
}

const NAME = /[\p{L}_:][\p{L}\p{N}_:.-]*/uy
const SPACE = /[ \t\n]*/y
const VALUE = /"[^"<]*"|'[^'<]*'/y

function readTag(text: string, start: number): Tag | undefined {
  const prefix = text[start + 1]
  let offset = start + (prefix === '/' || prefix === '!' ? 2 : 1)
  const name = take(NAME, text, offset)
  if (name === '') return undefined
  offset += name.length
  const attributes = new Map<string, string>()
  if (prefix === '!') return { kind: 'declaration', name, attributes, start, end: offset }
  for (;;) {
    const space = take(SPACE, text, offset).length
    offset += space
    if (text[offset] === '>')
      return { kind: prefix === '/' ? 'close' : 'open', name, attributes, start, end: offset + 1 }
    if (text.startsWith('/>', offset)) return { kind: 'empty', name, attributes, start, end: offset + 2 }
    const attribute = space > 0 ? take(NAME, text, offset) : ''
    if (attribute === '') return undefined
    offset += attribute.length
    offset += take(SPACE, text, offset).length
    if (text[offset] !== '=') return undefined
    offset += 1 + take(SPACE, text, offset + 1).length
    const value = take(VALUE, text, offset)
    if (value === '') return undefined
    offset += value.length
    attributes.set(attribute, decodeReferences(value.slice(1, -1)))
  }
}

function take(pattern: RegExp, text: string, offset: number): string {
  pattern.lastIndex = offset
  return pattern.exec(text)?.[0] ?? ''
}

const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&amp;', '&'],
])

/** Decodes numeric character references and the five entities that XML predefines. Others stay as written. */
export function decodeReferences(text: string): string {
  return text.replace(/&(?:lt|gt|quot|apos|amp|#\d{1,7}|#x[0-9a-fA-F]{1,6});/g, reference => {
    const named = PREDEFINED.get(reference)
    if (named !== undefined) return named
    const isHex = reference[2] === 'x'
    const codePoint = Number.parseInt(reference.slice(isHex ? 3 : 2), isHex ? 16 : 10)
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : reference
  })
}
