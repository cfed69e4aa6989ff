export type { IsolationName, IsolationPolicy } from './isolation.ts'
export type { McpContext, McpToolDefinition } from './mcp-client.ts'
export { type RunOptions, type RunOutcome, runPlan } from './run-plan.ts'
export { createRunner, type Runner, type RunnerOptions } from './runner.ts'
