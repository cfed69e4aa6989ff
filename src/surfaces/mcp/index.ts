export { mcpCommand } from './command.ts'
