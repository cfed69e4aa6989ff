// A server as a caller describes it, before there is a signed item: what to start or call, with which
// variables and hosts. A description cannot use what only a signature can allow: secrets, plain http, private
// addresses, hosts of this machine.
import { AppError, isRecord, type JsonObject, type JsonValue, sha256Hex } from '../../base/index.ts'
import { namedVariables, readPublicHosts, type ServerDescription } from '../../plan/index.ts'

export interface ServerInput {
  readonly url?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly allow_private?: boolean
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, unknown>>
  readonly cwd?: string
  readonly network?: readonly string[]
}

export interface DescribedServer {
  /** In the form of a server item. */
  readonly config: JsonObject
  readonly network: readonly string[]
  /**
   * Variables that it names without a default, and that a child process does not get anyway: secrets, as far
   * as we know.
   */
  readonly variables: readonly string[]
  /** Why only a signed item may connect like this; undefined when a description is enough. */
  readonly needsSignature: string | undefined
}

const PUBLIC_WEB = ['*']

export function describeServer(input: ServerInput): DescribedServer {
  const { url, command } = input
  if ((url === undefined) === (command === undefined)) {
    throw new AppError('INVALID_INPUT', 'expected either `url` or `command`', {
      hint: {
        agent: 'give the program that starts it as `command` and `args`, or its address as `url`',
        person: 'name the program that starts it, as in `rye mcp add NAME -- npx -y PACKAGE`, or its address',
      },
    })
  }
  const config = url === undefined ? stdioConfig(input) : httpConfig(input)
  const variables = namedVariables(textsIn(config))
  const network = [...(input.network ?? PUBLIC_WEB)]
  const { fault, others } = readPublicHosts(network)
  if (fault !== undefined) throw new AppError('INVALID_INPUT', fault)
  return { config, network, variables, needsSignature: whySigned(config, variables, others) }
}

/** The description in the form of an item, for planning. */
export function asDescription(
  id: string,
  { config, network }: DescribedServer,
): { item: ServerDescription; isSigned: false } {
  const metadata = { tool_type: 'mcp_server', config, permissions: { network: [...network] } }
  const digest = sha256Hex(JSON.stringify(metadata))
  return { item: { id, digest, extension: '.yaml', metadata }, isSigned: false }
}

function httpConfig({ url, headers, allow_private }: ServerInput): JsonObject {
  return {
    transport: 'http',
    url: url!,
    headers: texts(headers, 'headers'),
    ...(allow_private === true && { allow_private: true }),
  }
}

function stdioConfig({ command, args, env, cwd }: ServerInput): JsonObject {
  const place = cwd === undefined ? {} : { cwd }
  return { transport: 'stdio', command: command!, args: [...(args ?? [])], env: texts(env, 'env'), ...place }
}

function texts(values: ServerInput['env'], field: string): JsonObject {
  const wrong = Object.entries(values ?? {}).find(([, value]) => typeof value !== 'string')
  if (wrong) throw new AppError('INVALID_INPUT', `\`${field}\`: expected a string for \`${wrong[0]}\``)
  return { ...(values as JsonObject | undefined) } // all values are strings, as checked above
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  return isRecord(value) || Array.isArray(value)
    ? Object.values(value).flatMap(entry => textsIn(entry as JsonValue))
    : []
}

function whySigned(
  { allow_private }: JsonObject,
  [variable]: readonly string[],
  [host]: readonly string[],
): string | undefined {
  if (allow_private === true) return 'only a signed server item may reach plain http and private addresses'
  if (variable !== undefined) return `\`${variable}\` is not known here, but a signed server item may use it`
  if (host !== undefined) return `only a signed server item may reach \`${host}\``
  return undefined
}
