// What a program said before it failed: its cause, as far as that can be told. Pure.

const SAID_LINES = 4
const SAID_LENGTH = 400

/** The last lines that say something, joined into one, as many as fit into a message; the whole text is in the evidence. */
export function lastLines(text: string): string {
  const cause = npmCause(text)
  if (cause !== undefined) return cause
  let said = ''
  const lines = text.split('\n').filter((line, at, all) => !isAfterCause(line, all[at - 1] ?? ''))
  for (const line of lines.slice(-SAID_LINES).reverse()) {
    const piece = line.trim().slice(0, SAID_LENGTH)
    if (said !== '' && piece.length + said.length > SAID_LENGTH) break
    said = [piece, said].filter(Boolean).join(' / ')
  }
  return said
}

const FRAME = /^\s+at /

/** What Node.js writes behind the cause of an end: all frames of a stack but the first, braces, its version. */
function isAfterCause(line: string, before: string): boolean {
  if (FRAME.test(line)) return FRAME.test(before)
  return /^[\s{}^~]*$/.test(line) || /^Node\.js v\d/.test(line)
}

const NPM_LINE = /^npm (?:error|ERR!) ?(.*)$/gm
/** Facts about the cause, which npm lists before it. */
const NPM_FACT = /^(?:code|errno|syscall|path|dest|file|cwd|hostname|host|port)\b|^\d{3}$|^$/

/** npm ends with where its log is; the cause stands right after its code and the facts. */
function npmCause(text: string): string | undefined {
  const lines = Array.from(text.matchAll(NPM_LINE), ([, line]) => line!.trim())
  const code = lines.findIndex(line => line.startsWith('code '))
  if (code === -1) return undefined
  const cause = lines.slice(code + 1).find(line => !NPM_FACT.test(line))
  if (cause === undefined || /^(?:A complete log|Log files)/.test(cause)) return `npm: ${lines[code]}`
  // `rofs EROFS: read-only file system`: the word before says the same.
  return `npm: ${cause.replace(/^[a-z]+ (?=E[A-Z]+: )/, '')}`.slice(0, SAID_LENGTH)
}
