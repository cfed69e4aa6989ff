// Plans a call to a tool of another MCP server. The server is an item of its own, found and verified like an
// element of the chain, so its address or command cannot change without changing signed bytes. Many calls
// share a server, so no parameter is part of its definition.
import { isAbsolute, join } from 'node:path'
import { AppError, callOf, hintWith, type JsonObject, type JsonValue, quoteText } from '../../base/index.ts'
import { idProblem } from '../../item/index.ts'
import { configOf } from '../configuration/configuration.ts'
import { readPermissions } from '../configuration/limits.ts'
import { expandText, type TemplateScope } from '../configuration/template.ts'
import { Environment, secretNames } from '../environment/environment.ts'
import type { McpInvocation, McpServer, Permissions, PlanContext, VerifiedTool } from '../types.ts'
import { expandArguments, expandFixed } from './argument-vector.ts'
import { checkUrl, planHeaders } from './http.ts'
import { judgeProjectCode } from './project-code.ts'

export interface McpPlan {
  readonly invocation: McpInvocation
  readonly server: VerifiedTool
  readonly environment: Environment
}

export async function planMcp(
  tool: VerifiedTool,
  config: JsonObject,
  context: PlanContext,
): Promise<McpPlan> {
  const { tool_name: toolName } = config
  if (typeof toolName !== 'string' || toolName === '')
    throw invalid(tool, '`config.tool_name` must name a tool of the server')
  const item = await findServer(tool, config.server, context)
  const { server, environment } = planConnection(item, context)
  checkTransport(tool, config.transport, server)
  return { invocation: { kind: 'mcp', toolName, server }, server: item, environment }
}

/** The description of a server: from its item, or before it has one. */
export type ServerDescription = Pick<VerifiedTool, 'id' | 'digest' | 'extension' | 'metadata'> &
  Partial<Pick<VerifiedTool, 'space' | 'verdict'>>

export interface ServerPlan {
  readonly server: McpServer
  readonly permissions: Permissions
  /** Values that must not appear in answers. */
  readonly secrets: readonly string[]
}

/** How to reach a server without calling one of its tools, to ask which tools it has. */
export function planServer(item: ServerDescription, context: Omit<PlanContext, 'lookup'>): ServerPlan {
  requireServer(item)
  const { server, environment } = planConnection(item, context)
  const permissions = readPermissions(item, context.projectPath)
  return { server, permissions, secrets: [...environment.secrets] }
}

function planConnection(
  item: ServerDescription,
  context: Omit<PlanContext, 'lookup'>,
): { server: McpServer; environment: Environment } {
  const environment = new Environment(context)
  environment.addElement(item)
  return { server: readServer(item, environment, context), environment }
}

async function findServer(
  tool: VerifiedTool,
  id: JsonValue | undefined,
  context: PlanContext,
): Promise<VerifiedTool> {
  const problem = idProblem(id)
  if (problem !== undefined) throw invalid(tool, `\`config.server\`: ${problem}`)
  const server = await context.lookup(id as string, tool.space) // a string: `idProblem` found nothing wrong
  if (server === undefined) {
    throw new AppError(
      'CHAIN_BROKEN',
      `server \`${id}\` of \`${tool.id}\` is not in ${tool.space} space or below`,
      { hint: hintWith('add it with ', callOf('execute', { item_id: 'rye/mcp/manager' })) },
    )
  }
  requireServer(server)
  return server
}

function requireServer({ id, metadata }: ServerDescription): void {
  if (metadata.tool_type === 'mcp_server') return
  throw new AppError(
    'CHAIN_INVALID',
    `expected \`${id}\` to have tool_type \`mcp_server\`, got ${quoteText(metadata.tool_type)}`,
  )
}

/** Throws if the tool's runtime is made for another transport than the server's. */
function checkTransport(tool: VerifiedTool, wanted: JsonValue | undefined, server: McpServer): void {
  if (typeof wanted !== 'string' || wanted === server.transport) return
  throw new AppError(
    'CHAIN_INVALID',
    `\`${tool.id}\` runs over ${wanted}, but server \`${server.id}\` speaks ${server.transport}`,
    { hint: `use the runtime \`rye/core/runtimes/mcp/${server.transport}\`` },
  )
}

function readServer(
  server: ServerDescription,
  environment: Environment,
  context: Omit<PlanContext, 'lookup'>,
): McpServer {
  const config = configOf(server)
  const scope: TemplateScope = {
    variables: environment.templateVariables,
    names: new Map([
      ['project_path', context.projectPath],
      ['user_space', context.userSpace],
      ['system_space', context.systemSpace],
    ]),
    parameters: new Map(),
    absent: new Set(),
  }
  const { id, digest } = server
  if (config.transport === 'stdio') {
    environment.addFixed(server, 'config.env', config.env)
    if (typeof config.command !== 'string') throw invalid(server, '`config.command` must be a string')
    return {
      id,
      digest,
      transport: 'stdio',
      command: expandFixed(config.command, 'command', scope),
      args: expandArguments(readArguments(server, config.args), scope),
      env: Object.fromEntries(environment.values),
      cwd: directoryOf(config.cwd, scope, context.projectPath),
      mayUseProject: mayUseProject(server, context),
    }
  }
  if (!HTTP_TRANSPORTS.has(config.transport)) {
    throw invalid(server, `expected transport http or stdio, got ${quoteText(config.transport)}`)
  }
  const allowPrivate = config.allow_private === true
  if (typeof config.url !== 'string') throw invalid(server, '`config.url` must be a string')
  const url = checkUrl(expandText(config.url, scope), allowPrivate)
  return { id, digest, transport: 'http', url, ...planHeaders(config, scope, environment), allowPrivate }
}

function mayUseProject(server: ServerDescription, context: Omit<PlanContext, 'lookup'>): boolean {
  const { space, verdict } = server
  if (space === undefined || verdict === undefined) return false
  const hasSecrets = secretNames(server).length > 0
  return judgeProjectCode({ tool: { space, verdict }, hasSecrets }, context).isAllowed
}

/**
 * Programs take packages, modules and settings from the folder they start in. Only the administrator can put
 * any into this one.
 */
const START_FOLDER = '/'

function readArguments(server: ServerDescription, declared: JsonValue = []): string[] {
  const list = Array.isArray(declared) ? declared : undefined
  if (list?.every(word => typeof word !== 'object')) return list.map(String)
  throw invalid(server, '`config.args` must be a list of strings')
}

function directoryOf(declared: unknown, scope: TemplateScope, projectPath: string): string {
  if (typeof declared !== 'string') return START_FOLDER
  const folder = expandFixed(declared, 'cwd', scope)
  return isAbsolute(folder) ? folder : join(projectPath, folder)
}

/** Older definitions say `sse`; their servers are reached the same way. */
const HTTP_TRANSPORTS: ReadonlySet<unknown> = new Set(['http', 'streamable_http', 'sse'])

function invalid(item: ServerDescription, problem: string): AppError {
  return new AppError('CONFIG_INVALID', `\`${item.id}\`: ${problem}`)
}
