// The first paragraph of a Markdown text: what says most about a document that says nothing about itself.

const MAX_CHARACTERS = 1024

/** On one line; headings, code, tables, quotes marks and images are passed over. Null when there is none. */
export function firstParagraph(body: string): string | null {
  const words: string[] = []
  let isCode = false
  for (const line of body.slice(0, 20_000).split('\n')) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode
    else if (!isCode && isProse(line)) {
      words.push(line.trim().replace(/^>[ \t]*/, ''))
      continue
    }
    if (words.length > 0) break
  }
  const text = words.join(' ').replace(/\s+/g, ' ').trim()
  return text === '' ? null : [...text].slice(0, MAX_CHARACTERS).join('')
}

function isProse(line: string): boolean {
  return line.trim() !== '' && !/^ {0,3}(?:#|\||!\[|<|(?:[-*_] ?){3,}$)/.test(line)
}
