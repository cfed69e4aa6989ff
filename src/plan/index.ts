export { mergeLayers, settingsPaths } from './configuration/config-resolve.ts'
export { type DeclaredNeeds, declaredNeeds } from './declared-needs.ts'
export { fillDirections, inputSchema } from './directions.ts'
export { parseDotenv } from './environment/dotenv.ts'
export { namedVariables } from './environment/variable-policy.ts'
export { explainPlan, printPlan } from './explain-plan.ts'
export { planServer, type ServerDescription, type ServerPlan } from './invocation/mcp.ts'
export { isOtherPython } from './invocation/python-version.ts'
export { importsIn, type NamesSibling, PACKAGE_MARKERS, siblingNames } from './invocation/sibling-names.ts'
export { readPublicHosts } from './network/hosts.ts'
export { convertParameter, readParameter } from './parameters/convert-parameter.ts'
export { ParameterSchemas } from './parameters/parameters.ts'
export { defaultFaults } from './parameters/schema-defaults.ts'
export { planSkillCall } from './plan-skill-call.ts'
export { isScript, planSkillScript, SCRIPT_SCHEMA } from './plan-skill-script.ts'
export { findChain, findFiles, planTool } from './plan-tool.ts'
export { executorOf, unusedCopy } from './resolve/executor-id.ts'
export { programFaults } from './resolve/program-faults.ts'
export { createScrubber, type Scrubber } from './scrub.ts'
export type {
  ActionInvocation,
  ActionReader,
  ConfigLayer,
  CopiedFile,
  CopyOrigin,
  FunctionInvocation,
  HttpInvocation,
  InterpreterRequest,
  McpInvocation,
  McpServer,
  Plan,
  PlanContext,
  PrivateCopy,
  ProcessInvocation,
  SiblingSource,
  VerifiedTool,
} from './types.ts'
