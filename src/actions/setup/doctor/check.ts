// One finding of the doctor, and the command that fixes it.

export interface Check {
  readonly name: string
  readonly status: 'ok' | 'note' | 'problem'
  readonly message: string
  /** A shell command. The name of this field is public: scripts read it. */
  readonly fix?: string
}
