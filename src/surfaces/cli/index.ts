export { commandWords } from './command-words.ts'
export { untilInterrupted } from './interruption.ts'
export type { OtherCommand } from './other-command.ts'
export { runCli } from './run-cli.ts'
