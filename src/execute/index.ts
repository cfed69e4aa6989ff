export { type RunOutcome, runPlan } from './run-plan.ts'
export { createRunner, type Runner } from './runner.ts'
