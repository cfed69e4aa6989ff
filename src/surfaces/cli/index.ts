export { commandWords } from './command-words.ts'
export type { OtherCommand } from './other-command.ts'
export { runCli } from './run-cli.ts'
