export type { OtherCommand } from './other-command.ts'
export { runCli } from './run-cli.ts'
