// Commands that we show are there to be copied into a shell.

/** A text as a shell takes it for one word. */
export function quoteShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** The command after which a file that cannot be read is in nobody's way. */
export function putAside(path: string): string {
  return `mv ${quoteShellWord(path)} ${quoteShellWord(`${path}.broken`)}`
}
