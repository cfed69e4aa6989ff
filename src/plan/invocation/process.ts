// Plans a process or a function in a worker: which interpreter, which files, which arguments, where. Only
// signed configuration chooses the program, its directory and its environment; the caller's parameters are
// just text, placed where configuration says.
import { delimiter, dirname, join } from 'node:path'
import { AppError, isRecord, type JsonObject, type JsonValue, quoteText } from '../../base/index.ts'
import { configOf, declaredIn } from '../configuration/configuration.ts'
import { expandText, type TemplateScope } from '../configuration/template.ts'
import type { Environment } from '../environment/environment.ts'
import { parameterVariables } from '../environment/parameter-variables.ts'
import { isVariableName } from '../environment/variable-policy.ts'
import type { FunctionHost } from '../private-arguments.ts'
import type {
  CopyOrigin,
  FunctionInvocation,
  LeftOut,
  PlanContext,
  PrivateCopy,
  ProcessInvocation,
  ProjectPackages,
  VerifiedTool,
} from '../types.ts'
import { collectFiles, LIB_FOLDER, type ToolFiles } from './anchor.ts'
import { expandArguments, expandFixed, MAX_ARGUMENT_BYTES } from './argument-vector.ts'
import { describePrivateCopy } from './private-copy.ts'

export interface ProcessPlanInput {
  readonly elements: readonly VerifiedTool[]
  readonly config: JsonObject
  /** Modified here: parameters and an active anchor's search paths are added. */
  readonly environment: Environment
  /** Names and parameters; the places in the private copy are added here. */
  readonly scope: TemplateScope
  readonly packages: ProjectPackages
  readonly context: PlanContext
}

export interface ProcessPlan {
  readonly invocation: ProcessInvocation | FunctionInvocation
  readonly leftOut: readonly LeftOut[]
}

/** Names of places in the private copy. Configuration that uses none of them needs no copy. */
const PLACES = ['tool_path', 'tool_dir', 'tool_parent', 'anchor_path', 'runtime_lib']

export async function planProcess(input: ProcessPlanInput): Promise<ProcessPlan> {
  const { elements, config, packages, context, environment } = input
  const tool = elements[0]!
  const spec = readFunction(config.function)
  const isFunction = spec !== undefined && isCalled(spec, tool)
  if (!isFunction) addParameters(input)
  if (!isFunction && !usesPlaces(config)) {
    return {
      invocation: planCommand(input, { copy: null, anchor: null, origin: undefined, scope: input.scope }),
      leftOut: [],
    }
  }
  const collected = await collectFiles(elements, context.siblings)
  const copy = describePrivateCopy(collected.files, context.copiesRoot)
  const scope = withPlaces(input.scope, copy, collected, context)
  if (collected.anchor !== null) addSearchPaths(collected.anchor, elements, environment, scope)
  const { leftOut } = collected
  const origin = { copy: copy.directory, original: collected.root }
  if (!isFunction) {
    return {
      invocation: planCommand(input, { copy, anchor: collected.anchor, origin, scope }),
      leftOut,
    }
  }
  const invocation: FunctionInvocation = {
    kind: 'function',
    host: spec.host,
    command: expandFixed(requireText(config.command, 'command'), 'command', scope),
    functionName: spec.name,
    call: spec.call,
    source: tool.bytes,
    digest: tool.digest,
    filename: join(copy.directory, collected.toolPath),
    privateCopy: collected.files.length === 1 ? null : copy,
    cwd: directoryOf(config, collected.anchor, scope),
    packages,
    // A script gets a process of its own, even when its function is called.
    ...(spec.when === 'without_main' && { once: true }),
    origin,
  }
  return { invocation, leftOut }
}

interface CommandPlace {
  readonly copy: PrivateCopy | null
  readonly anchor: JsonObject | null
  readonly origin: CopyOrigin | undefined
  readonly scope: TemplateScope
}

function planCommand({ config, packages }: ProcessPlanInput, place: CommandPlace): ProcessInvocation {
  const { copy, anchor, origin, scope } = place
  const isLarge = Buffer.byteLength(String(scope.names.get('params_json'))) > MAX_ARGUMENT_BYTES
  const declared = isLarge && config.large_args !== undefined ? config.large_args : config.args
  return {
    kind: 'process',
    command: expandFixed(requireText(config.command, 'command'), 'command', scope),
    args: expandArguments(requireList(declared ?? [], 'args'), scope),
    privateArgs: readPrivateArguments(config.private_args, scope),
    stdin: config.stdin === undefined ? '' : expandText(requireText(config.stdin, 'stdin'), scope),
    cwd: directoryOf(config, anchor, scope),
    privateCopy: copy,
    host: readFunction(config.function)?.host ?? null,
    packages,
    ...(origin !== undefined && { origin }),
  }
}

/** These are not passed as arguments of a process, so the system does not limit their length. */
function readPrivateArguments(
  declared: JsonValue | undefined,
  scope: TemplateScope,
): ProcessInvocation['privateArgs'] {
  if (declared === undefined || declared === null) return null
  if (!isRecord(declared)) throw invalid('`config.private_args` must be an object')
  const { host, args = [] } = declared
  if (host !== 'python' && host !== 'node')
    throw invalid(`expected private_args.host python or node, got ${quoteText(host)}`)
  const list = requireList(args as JsonValue, 'private_args.args')
  return { host, args: expandArguments(list, scope, Number.POSITIVE_INFINITY) }
}

/** `config.parameter_variables` is the prefix of the variables that also carry the parameters. */
function addParameters({ elements, config, environment, scope }: ProcessPlanInput): void {
  const { parameter_variables: prefix } = config
  if (prefix === undefined || prefix === null) return
  if (prefix !== 'PARAM_') throw invalid('expected `config.parameter_variables` to be `PARAM_`')
  const parameters = Object.fromEntries(scope.parameters)
  for (const [name, value] of parameterVariables(prefix, parameters, elements[0]!))
    environment.addParameter(name, value)
}

const WHEN = ['always', 'exported', 'without_main'] as const

interface FunctionSpec {
  readonly host: FunctionHost
  readonly name: string
  readonly call: FunctionInvocation['call']
  readonly when: (typeof WHEN)[number]
}

/**
 * Whether to call the function rather than run the file as a program. `entry` says what the parser found in
 * it.
 */
function isCalled({ when, name }: FunctionSpec, { metadata }: VerifiedTool): boolean {
  const entry = isRecord(metadata.entry) ? metadata.entry : {}
  const isExported = Object.hasOwn(entry, name) && typeof entry[name] === 'string'
  return when === 'always' || (isExported && (when === 'exported' || entry.main !== true))
}

function readFunction(declared: JsonValue | undefined): FunctionSpec | undefined {
  if (declared === undefined || declared === null) return undefined
  if (!isRecord(declared)) throw invalid('`config.function` must be an object')
  const { host, name = 'execute', call = 'params', when = 'always' } = declared
  if (host !== 'python' && host !== 'node')
    throw invalid(`expected function.host python or node, got ${quoteText(host)}`)
  if (typeof name !== 'string' || !/^[A-Za-z_$][\w$]{0,127}$/.test(name))
    throw invalid('`function.name` must be an identifier')
  if (call !== 'params' && call !== 'keywords')
    throw invalid(`expected function.call params or keywords, got ${quoteText(call)}`)
  const known = WHEN.find(word => word === when)
  if (known === undefined)
    throw invalid(`expected function.when to be one of ${WHEN.join(', ')}, got ${quoteText(when)}`)
  return { host, name, call, when: known }
}

function usesPlaces(config: JsonObject): boolean {
  const { command, args, large_args, private_args, stdin, cwd } = config
  const text = JSON.stringify([command, args, large_args, private_args, stdin, cwd])
  return PLACES.some(place => text.includes(`{${place}}`))
}

function withPlaces(
  scope: TemplateScope,
  copy: PrivateCopy,
  collected: ToolFiles,
  context: PlanContext,
): TemplateScope {
  const toolPath = join(copy.directory, collected.toolPath)
  const atProject = collected.anchor?.root === 'project_path'
  const names = new Map(scope.names)
    .set('tool_path', toolPath)
    .set('tool_dir', dirname(toolPath))
    .set('tool_parent', dirname(dirname(toolPath)))
    .set('anchor_path', atProject ? context.projectPath : copy.directory)
  if (collected.hasLib) names.set('runtime_lib', join(copy.directory, LIB_FOLDER))
  return { ...scope, names }
}

/** `env_paths: {PYTHONPATH: {prepend: [...], append: [...]}}`, each directory once. */
function addSearchPaths(
  anchor: JsonObject,
  elements: readonly VerifiedTool[],
  environment: Environment,
  scope: TemplateScope,
): void {
  const owner = elements.find(element => isRecord(declaredIn(element, 'anchor')))!
  for (const [variable, edit] of Object.entries(isRecord(anchor.env_paths) ? anchor.env_paths : {})) {
    if (!isVariableName(variable)) throw invalid(`${quoteText(variable)} is not a variable name`)
    if (!isRecord(edit)) throw invalid(`\`env_paths.${variable}\` must be an object`)
    const expand = (key: string) =>
      requireList((edit[key] ?? []) as JsonValue, key).map(path => expandFixed(path, variable, scope))
    const present = environment.templateVariables.get(variable)?.split(delimiter) ?? []
    const paths = [...expand('prepend'), ...present, ...expand('append')].filter(path => path !== '')
    environment.declare(owner.id, variable, [...new Set(paths)].join(delimiter))
  }
}

function directoryOf(config: JsonObject, anchor: JsonObject | null, scope: TemplateScope): string {
  const declared = config.cwd ?? anchor?.cwd ?? '{project_path}'
  return expandFixed(requireText(declared, 'cwd'), 'cwd', scope)
}

/** `{config.NAME}`: the tool's own settings, for runtimes of tools that are data. */
export function configNames(tool: VerifiedTool): [string, JsonValue][] {
  return Object.entries(configOf(tool)).map(([key, value]) => [`config.${key}`, value])
}

function requireText(value: JsonValue | undefined, key: string): string {
  if (typeof value === 'string') return value
  throw invalid(`\`config.${key}\` must be a string`)
}

function requireList(value: JsonValue, key: string): string[] {
  if (!Array.isArray(value)) throw invalid(`\`config.${key}\` must be a list`)
  return value.map(entry => {
    if (typeof entry === 'string' || typeof entry === 'number') return String(entry)
    throw invalid(`\`config.${key}\` must be a list of strings`)
  })
}

function invalid(message: string): AppError {
  return new AppError('CONFIG_INVALID', message)
}
