import type { CommandLine } from '../command-line.ts'
import type { NewParameter } from '../parameters.ts'

/** The values that fill a template. */
export interface TemplateFacts {
  readonly name: string
  readonly category: string
  readonly description: string
  /** For a tool. By default it greets somebody. */
  readonly parameters?: readonly NewParameter[] | undefined
  readonly command?: CommandLine | undefined
}
