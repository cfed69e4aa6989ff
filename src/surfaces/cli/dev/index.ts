export { devCommand } from './command.ts'
