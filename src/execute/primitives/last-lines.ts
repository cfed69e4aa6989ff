// Finds the cause of a failure in what the program wrote before it, as far as it can be found. Pure.

const SAID_LINES = 4
const SAID_LENGTH = 400

/**
 * The last lines that say something, joined into one, as many as fit into a message. The evidence has the
 * whole text.
 */
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

/**
 * Whether Node.js wrote this line after the cause of a crash: any stack frame but the first, braces, its
 * version.
 */
function isAfterCause(line: string, before: string): boolean {
  if (FRAME.test(line)) return FRAME.test(before)
  return /^[\s{}^~]*$/.test(line) || /^Node\.js v\d/.test(line)
}

const NPM_LINE = /^npm (?:error|ERR!) ?(.*)$/gm
/** Facts about the cause, which npm lists before it. */
const NPM_FACT = /^(?:code|errno|syscall|path|dest|file|cwd|hostname|host|port)\b|^\d{3}$|^$/

/** npm ends by saying where its log is. The cause comes right after its code and the facts. */
function npmCause(text: string): string | undefined {
  const lines = Array.from(text.matchAll(NPM_LINE), ([, line]) => line!.trim())
  const code = lines.findIndex(line => line.startsWith('code '))
  if (code === -1) return undefined
  const cause = lines.slice(code + 1).find(line => !NPM_FACT.test(line))
  if (cause === undefined || /^(?:A complete log|Log files)/.test(cause)) return `npm: ${lines[code]}`
  // `rofs EROFS: read-only file system`: the first word says the same as the second.
  return `npm: ${cause.replace(/^[a-z]+ (?=E[A-Z]+: )/, '')}`.slice(0, SAID_LENGTH)
}
