// Commands that we show are there to be copied into a shell.

/** A text as a shell takes it for one word. */
export function quoteShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
