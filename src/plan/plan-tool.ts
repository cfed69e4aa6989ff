// Turns a verified tool and the caller's parameters into a plan: chain, checks, parameters, environment,
// invocation and limits, in this order. It starts nothing and writes nothing. A dry run ends here and prints
// the plan.
import { dirname } from 'node:path'
import { AppError, isRecord, type JsonObject, type JsonValue } from '../base/index.ts'
import { resolveConfig, runtimeTimeout } from './configuration/config-resolve.ts'
import { configOf, declaredIn, mergeConfiguration } from './configuration/configuration.ts'
import { RESOLVED_ITEMS, type ResolvedItems, resolveItems } from './configuration/item-resolve.ts'
import { joinPermissions, readConcurrency, readPermissions, readTimeout } from './configuration/limits.ts'
import { printValue, type TemplateScope } from './configuration/template.ts'
import { Environment, envConfigOf, secretNames } from './environment/environment.ts'
import { refuseUnasked, watchSigners } from './given-by-persons.ts'
import { planAction, requirePackage } from './invocation/action.ts'
import { collectFiles, LIB_FOLDER, type ToolFiles } from './invocation/anchor.ts'
import { planHttp } from './invocation/http.ts'
import {
  readInterpreterRequest,
  requireInterpreter,
  type WantedInterpreter,
} from './invocation/interpreter-request.ts'
import { planMcp } from './invocation/mcp.ts'
import { configNames, planProcess } from './invocation/process.ts'
import { type ProjectCodeUser, projectPackages } from './invocation/project-code.ts'
import { entryFault } from './resolve/program-faults.ts'
import { resolveChain } from './resolve/resolve-chain.ts'
import { validateChain } from './resolve/validate-chain.ts'
import type { ChainLink, Invocation, LeftOut, Plan, PlanContext, VerifiedTool } from './types.ts'

/** The parameter in which a tool that declares `config_resolve` gets its settings. */
const RESOLVED_CONFIG = 'resolved_config'

/** Decides everything about one run, or throws an `AppError` that says why it cannot run. */
export async function planTool(tool: VerifiedTool, given: JsonObject, source: PlanContext): Promise<Plan> {
  const watched = watchSigners(tool, source)
  const { context } = watched
  const { elements, primitive } = await resolveChain(tool, context)
  const validatedPairs = validateChain(elements)
  if (primitive === 'action') requirePackage(elements)
  checkExtension(elements)
  const settings = await resolveConfig(tool, context.readConfig)
  const checked = await checkParameters(tool, given, settings, context)
  const resolved = await resolveItems(tool, checked, context.lookup)
  // Only what signed files decide: a caller's parameter with one of these names is not included.
  const decided = {
    ...(settings && { [RESOLVED_CONFIG]: settings }),
    ...(resolved && { [RESOLVED_ITEMS]: resolved.values }),
  }
  const parameters = { ...checked, ...decided }
  const config = mergeConfiguration(elements)
  const planned = await planInvocation(primitive, { elements, config, parameters, resolved, context })
  checkEntry(elements, planned.invocation)
  refuseUnasked(watched, { elements, items: resolved?.items ?? [] })
  const timeouts = [configOf(tool).timeout, await settingsTimeout(elements, source), config.timeout]
  const serverTimeouts = planned.references.map(server => configOf(server).timeout)
  return {
    itemId: tool.id,
    projectPath: context.projectPath,
    elements,
    references: planned.references,
    chain: elements.map(linkOf),
    validatedPairs,
    parameters,
    invocation: planned.invocation,
    environment: planned.environmentOf === 'child' ? Object.fromEntries(planned.environment.values) : {},
    environmentOrigins: planned.environmentOf === 'nobody' ? new Map() : planned.environment.origins(),
    secrets: [...planned.environment.secrets],
    timeoutMs: readTimeout(context.timeoutMs, [...timeouts, ...serverTimeouts]),
    concurrency: readConcurrency(tool),
    permissions: [tool, ...planned.references]
      .map(item => readPermissions(item, context.projectPath, decided))
      .reduceRight(joinPermissions),
    leftOut: planned.leftOut,
    notes: planned.notes,
  }
}

/** The chain that would run a tool, tool first. Throws like `planTool` if there is none. */
export async function findChain(tool: VerifiedTool, context: PlanContext): Promise<Plan['chain']> {
  return (await resolveChain(tool, context)).elements.map(linkOf)
}

/** The files that a tool runs with, including its own. Throws like `planTool` if nothing can run it. */
export async function findFiles(
  tool: VerifiedTool,
  context: PlanContext,
): Promise<Pick<ToolFiles, 'root' | 'files' | 'leftOut'>> {
  const { elements, primitive } = await resolveChain(tool, context)
  if (primitive !== 'subprocess') return { root: dirname(tool.path), files: [], leftOut: [] }
  const { root, files, leftOut } = await collectFiles(elements, context.siblings)
  return { root, files: files.filter(({ path }) => !path.startsWith(`${LIB_FOLDER}/`)), leftOut }
}

interface PlannedInvocation {
  readonly invocation: Invocation
  readonly environment: Environment
  readonly references: readonly VerifiedTool[]
  readonly leftOut: readonly LeftOut[]
  readonly notes: readonly string[]
  /**
   * Whose process gets the environment: the tool's own, an MCP server's, or nobody's, because nothing is
   * started.
   */
  readonly environmentOf: 'child' | 'server' | 'nobody'
}

interface InvocationInput {
  readonly elements: readonly VerifiedTool[]
  readonly config: JsonObject
  readonly parameters: JsonObject
  readonly resolved: ResolvedItems | undefined
  readonly context: PlanContext
}

async function planInvocation(primitive: string, input: InvocationInput): Promise<PlannedInvocation> {
  const { elements, config, parameters, resolved, context } = input
  const tool = elements[0]!
  if (primitive === 'mcp') {
    const { invocation, server, environment } = await planMcp(tool, config, context)
    const environmentOf = invocation.server.transport === 'stdio' ? 'server' : 'nobody'
    return { invocation, environment, references: [server], leftOut: [], notes: [], environmentOf }
  }
  const environment = new Environment(context)
  if (primitive === 'action') {
    const invocation = await planAction(tool, config, parameters, context)
    return { invocation, environment, references: [], leftOut: [], notes: [], environmentOf: 'nobody' }
  }
  // A tool that acts on an item also gets what the item declares for itself, such as the token of a server.
  const items = resolved?.items ?? []
  const hasSecrets = [...elements, ...items].some(element => secretNames(element).length > 0)
  const user = { tool, hasSecrets }
  const notes = await addInterpreters(elements, user, environment, context)
  for (const element of [...elements].reverse()) environment.addElement(element)
  for (const item of items) environment.addElement(item)
  const scope = scopeOf(tool, parameters, environment, context)
  if (primitive === 'http_client') {
    const invocation = planHttp(config, scope, environment)
    return { invocation, environment, references: [], leftOut: [], notes, environmentOf: 'nobody' }
  }
  const packages = projectPackages(user, context)
  const { invocation, leftOut } = await planProcess({
    elements,
    config,
    environment,
    scope,
    packages,
    context,
  })
  return { invocation, environment, references: [], leftOut, notes, environmentOf: 'child' }
}

/**
 * When two elements declare the same variable, the one nearer to the tool wins, and only its interpreter is
 * looked for. Returns notes for the user about interpreters of the project that were not used.
 */
async function addInterpreters(
  elements: readonly VerifiedTool[],
  user: ProjectCodeUser,
  environment: Environment,
  context: PlanContext,
): Promise<string[]> {
  const wanted = new Map<string, { interpreter: WantedInterpreter; id: string }>()
  for (const element of [...elements].reverse()) {
    const interpreter = readInterpreterRequest(envConfigOf(element).interpreter, user, context)
    if (interpreter !== undefined) wanted.set(interpreter.variable, { interpreter, id: element.id })
  }
  const notes: string[] = []
  for (const [variable, { interpreter, id }] of wanted) {
    const { path, note } = await requireInterpreter(interpreter, id, context.findInterpreter)
    environment.declare(id, variable, path)
    if (note !== undefined) notes.push(note)
  }
  return notes
}

function scopeOf(
  tool: VerifiedTool,
  parameters: JsonObject,
  environment: Environment,
  context: PlanContext,
): TemplateScope {
  const schema = tool.metadata.config_schema
  const declared = isRecord(schema) && isRecord(schema.properties) ? Object.keys(schema.properties) : []
  const names: [string, JsonValue][] = [
    ...configNames(tool),
    ['tool_id', tool.id],
    ['project_path', context.projectPath],
    ['user_space', context.userSpace],
    ['system_space', context.systemSpace],
    ['params_json', JSON.stringify(parameters)],
  ]
  return {
    variables: environment.templateVariables,
    names: new Map(names),
    parameters: new Map(Object.entries(parameters)),
    absent: new Set(declared.filter(name => !Object.hasOwn(parameters, name))),
  }
}

async function checkParameters(
  tool: VerifiedTool,
  given: JsonObject,
  settings: JsonObject | undefined,
  context: PlanContext,
): Promise<JsonObject> {
  if (settings !== undefined && Object.hasOwn(given, RESOLVED_CONFIG)) {
    throw new AppError(
      'PARAMETERS_INVALID',
      `/${RESOLVED_CONFIG}: filled in from \`.ai/config\`, not by the caller`,
    )
  }
  return context.schemas.validate(tool.id, tool.metadata.config_schema, given, context.matchesPattern)
}

async function settingsTimeout(
  elements: readonly VerifiedTool[],
  context: PlanContext,
): Promise<JsonValue | undefined> {
  for (const runtime of elements.slice(1)) {
    const timeout = runtimeTimeout(await resolveConfig(runtime, context.readConfig), elements[0]!.id)
    if (timeout !== undefined) return timeout
  }
  return undefined
}

/** A runtime may say which files it runs. Our message is clearer than an interpreter's syntax error. */
function checkExtension(elements: readonly VerifiedTool[]): void {
  const tool = elements[0]!
  const runtime = elements[1]
  const accepted = runtime === undefined ? undefined : declaredIn(runtime, 'extensions')
  if (!Array.isArray(accepted) || accepted.includes(tool.extension)) return
  const message = `\`${runtime?.id}\` runs ${accepted.map(printValue).join(', ')} files, got \`${tool.id}\` with \`${tool.extension}\``
  throw new AppError('CHAIN_INVALID', message, { hint: 'name another runtime in `executor_id`' })
}

/** Without this check, a tool with nothing to run would succeed without having done anything. */
function checkEntry(elements: readonly VerifiedTool[], { kind }: Invocation): void {
  if (kind !== 'function' && kind !== 'process') return
  const [tool, ...runtimes] = elements
  const ids = runtimes.map(runtime => runtime.id)
  const fault = entryFault(tool!, ids, kind)
  if (fault !== undefined) throw new AppError('CHAIN_INVALID', `\`${tool!.id}\`: ${fault}`)
}

function linkOf(element: VerifiedTool): ChainLink {
  const { tool_type } = element.metadata
  return {
    item_id: element.id,
    space: element.space,
    tool_type: typeof tool_type === 'string' ? tool_type : null,
  }
}
