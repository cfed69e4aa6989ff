// The items that represent an MCP server: one for the server and one for each of its tools. Pure. The item of
// a tool depends only on what the server says, so that a refresh can tell what has changed.
import { AppError, type JsonObject, quoteText } from '../../base/index.ts'
import type { ServerTools } from '../../execute/index.ts'
import type { DescribedServer } from './describe-server.ts'
import { fetchesPackages } from './fetching-programs.ts'
import { printYaml } from './print-yaml.ts'

/** Bytes of an item. The parser rejects larger tools. */
const MOST_BYTES = 1_000_000
const SECONDS = 30
/** Timeout when the server may have to be fetched first. */
const FETCHING_SECONDS = 120

export const serverId = (name: string): string => `mcp/servers/${name}`

/** Variables without a default are declared as secrets. Only a local process needs a list of hosts. */
export function printServer(name: string, { config, network, variables }: DescribedServer): string {
  const kept = Object.entries(config).filter(([, value]) => !['{}', '[]'].includes(JSON.stringify(value)))
  const isFetched = fetchesPackages(String(config.command))
  return printYaml({
    tool_type: 'mcp_server',
    executor_id: null,
    category: 'mcp/servers',
    version: '1.0.0',
    description: `MCP server: ${name}`,
    ...(variables.length > 0 && { secrets: [...variables] }),
    ...(config.transport === 'stdio' && { permissions: { network: [...network] } }),
    config: { ...Object.fromEntries(kept), timeout: isFetched ? FETCHING_SECONDS : SECONDS },
  })
}

/**
 * The item of each tool, by id. Names that cannot be file names are changed; `config` keeps the server's own
 * name.
 */
export function printTools(
  name: string,
  transport: 'stdio' | 'http',
  tools: ServerTools['tools'],
): Map<string, string> {
  const items = new Map<string, string>()
  for (const tool of tools) {
    const base =
      tool.name
        .replaceAll(/[^\w.-]/g, '_')
        .slice(0, 100)
        .replace(/^[._-]+/, '') || 'tool'
    let id = `mcp/${name}/${base}`
    for (let count = 2; items.has(id); count++) id = `mcp/${name}/${base}-${count}`
    const text = printYaml({
      tool_type: 'mcp',
      executor_id: `rye/core/runtimes/mcp/${transport}`,
      category: `mcp/${name}`,
      version: '1.0.0',
      description: tool.description,
      config: { server: serverId(name), tool_name: tool.name },
      input_schema: tool.inputSchema,
    } satisfies JsonObject)
    const size = Buffer.byteLength(text)
    if (size > MOST_BYTES)
      throw new AppError(
        'REMOTE_FAILED',
        `server \`${serverId(name)}\` described its tool ${quoteText(tool.name, 120)} at length: expected an item of at most ${MOST_BYTES} bytes, got ${size}`,
      )
    items.set(id, text)
  }
  return items
}

const FIRST_VERSION = 'version: "1.0.0"'

export interface ChangedItem {
  readonly before: string
  readonly text: string
}

/**
 * Returns undefined if only the version and the signature differ; otherwise the new text, with the next
 * version.
 */
export function compareItem(present: string, wanted: string): ChangedItem | undefined {
  const before = present.replace(/^# rye:signed:.*\n/, '')
  const [line, major, minor] = /^version: "?(\d+)\.(\d+)\.\d+"?$/m.exec(before) ?? []
  if (line === undefined) return { before, text: wanted }
  if (wanted.replace(FIRST_VERSION, () => line) === before) return undefined
  return { before, text: wanted.replace(FIRST_VERSION, `version: "${major}.${Number(minor) + 1}.0"`) }
}
