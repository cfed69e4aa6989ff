export type { RunOutcome } from './run-outcome.ts'
export { runPlan } from './run-plan.ts'
export { createRunner, type Runner } from './runner.ts'
