export { type CliSettings, type ForeignCommand, runCli } from './run-cli.ts'
