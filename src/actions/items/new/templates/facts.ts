import type { CommandLine } from '../command-line.ts'
import type { NewParameter } from '../parameters.ts'

/** What a template is filled with. */
export interface TemplateFacts {
  readonly name: string
  readonly category: string
  readonly description: string
  /** Of a tool; without them it greets somebody. */
  readonly parameters?: readonly NewParameter[] | undefined
  readonly command?: CommandLine | undefined
}
