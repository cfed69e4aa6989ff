// What a launcher of ours gives to a program, and for which languages there is one.

export type FunctionHost = 'python' | 'node'

/** More arguments: the program finds them after the others, but no list of processes shows them. */
export interface PrivateArguments {
  readonly host: FunctionHost
  readonly args: readonly string[]
  /** A folder in which Python looks for the modules that it finds nowhere else. */
  readonly moduleRoot?: string
}
