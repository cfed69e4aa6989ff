export { uiCommand } from './command.ts'
