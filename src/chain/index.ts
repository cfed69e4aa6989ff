export { convertParameter } from './convert-parameter.ts'
export { type Directions, fillDirections, inputSchema } from './directions.ts'
export { explainPlan, printPlan } from './explain-plan.ts'
export { ParameterSchemas } from './parameters.ts'
export { planTool } from './plan-tool.ts'
export { createScrubber, type Scrubber } from './scrub.ts'
export type {
  ChainLink,
  ConfigLayer,
  FunctionHost,
  FunctionInvocation,
  HttpInvocation,
  InterpreterRequest,
  InterpreterResolver,
  LeftOut,
  McpInvocation,
  McpServer,
  PatternMatcher,
  Permissions,
  Plan,
  PlanContext,
  ProcessInvocation,
  SiblingSource,
  Snapshot,
  SnapshotFile,
  VerifiedTool,
} from './types.ts'
