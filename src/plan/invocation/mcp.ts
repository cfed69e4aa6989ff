// A call of another MCP server's tool. The server is an item of its own, found and verified like an element of the chain: whoever
// changes the address or the command of a server changes signed bytes. A server is shared by many calls, so no parameter reaches its definition.
import { AppError, isRecord, type JsonObject } from '../../base/index.ts'
import { idProblem } from '../../item/index.ts'
import { configOf } from '../configuration/configuration.ts'
import { expandText, type TemplateScope } from '../configuration/template.ts'
import { Environment } from '../environment/environment.ts'
import type { McpInvocation, McpServer, PlanContext, VerifiedTool } from '../types.ts'
import { expandArguments, expandFixed } from './argument-vector.ts'
import { checkUrl, planHeaders } from './http.ts'

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
  const { server: serverId, tool_name: toolName } = config
  if (typeof toolName !== 'string' || toolName === '')
    throw wrong(tool, '`config.tool_name` must name a tool of the server')
  const problem = idProblem(serverId)
  if (problem !== undefined) throw wrong(tool, `\`config.server\`: ${problem}`)
  const id = serverId as string // a string: `idProblem` found nothing wrong
  const server = await context.lookup(id, tool.space)
  if (server === undefined) {
    throw new AppError(
      'CHAIN_BROKEN',
      `server \`${id}\` of \`${tool.id}\` is not in ${tool.space} space or below`,
      {
        hint: 'add it with the tool `rye/mcp/manager`',
      },
    )
  }
  if (server.metadata.tool_type !== 'mcp_server') {
    throw new AppError(
      'CHAIN_INVALID',
      `expected \`${id}\` to have tool_type \`mcp_server\`, got \`${String(server.metadata.tool_type)}\``,
    )
  }
  const environment = new Environment(context)
  environment.addElement(server)
  const invocation: McpInvocation = {
    kind: 'mcp',
    toolName,
    server: readServer(server, environment, context),
  }
  const wanted = config.transport
  if (typeof wanted === 'string' && wanted !== invocation.server.transport) {
    throw new AppError(
      'CHAIN_INVALID',
      `\`${tool.id}\` runs over ${wanted}, but server \`${id}\` speaks ${invocation.server.transport}`,
      {
        hint: `use the runtime \`rye/core/runtimes/mcp/${invocation.server.transport}\``,
      },
    )
  }
  return { invocation, server, environment }
}

function readServer(server: VerifiedTool, environment: Environment, context: PlanContext): McpServer {
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
    addDeclared(server, config.env, environment)
    if (typeof config.command !== 'string') throw wrong(server, '`config.command` must be a text')
    const args = Array.isArray(config.args) ? config.args : []
    return {
      id,
      digest,
      transport: 'stdio',
      command: expandFixed(config.command, 'command', scope),
      args: expandArguments(args.map(String), scope),
      env: Object.fromEntries(environment.values),
      cwd: typeof config.cwd === 'string' ? expandFixed(config.cwd, 'cwd', scope) : context.projectPath,
    }
  }
  if (!HTTP_TRANSPORTS.has(String(config.transport))) {
    throw wrong(server, `expected transport http or stdio, got \`${String(config.transport)}\``)
  }
  const allowPrivate = config.allow_private === true
  if (typeof config.url !== 'string') throw wrong(server, '`config.url` must be a text')
  const url = checkUrl(expandText(config.url, scope), allowPrivate)
  return { id, digest, transport: 'http', url, ...planHeaders(config, scope, environment), allowPrivate }
}

/** Older definitions say `sse`; their servers are reached the same way. */
const HTTP_TRANSPORTS: ReadonlySet<string> = new Set(['http', 'streamable_http', 'sse'])

function addDeclared(server: VerifiedTool, env: unknown, environment: Environment): void {
  if (env === undefined || env === null) return
  if (!isRecord(env)) throw wrong(server, '`config.env` must be an object')
  for (const [name, value] of Object.entries(env)) {
    environment.declare(server.id, name, environment.expand(String(value)))
  }
}

function wrong(item: VerifiedTool, problem: string): AppError {
  return new AppError('CONFIG_INVALID', `\`${item.id}\`: ${problem}`)
}
