// One finding of the doctor, and the command that fixes it.

export interface Check {
  readonly name: string
  readonly status: 'ok' | 'note' | 'problem'
  readonly message: string
  /** A command for the shell; scripts read it by this name. */
  readonly fix?: string
}
