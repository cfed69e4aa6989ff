// Commands that we show are meant to be copied into a shell.

/** A text quoted as one shell word. */
export function quoteShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** The command that moves an unreadable file out of the way. */
export function putAside(path: string): string {
  return `mv ${quoteShellWord(path)} ${quoteShellWord(`${path}.broken`)}`
}
