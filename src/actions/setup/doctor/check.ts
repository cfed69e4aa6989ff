// One finding of the doctor, and the command that fixes it.

export interface Check {
  readonly name: string
  readonly status: 'ok' | 'note' | 'problem'
  readonly message: string
  /** The command that fixes it; scripts read it by this name. */
  readonly mend?: string
}

/** A path as a shell takes it for one word. */
export function quote(path: string): string {
  return /^[\w./:@=+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
