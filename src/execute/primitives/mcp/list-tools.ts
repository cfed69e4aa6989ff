// Asks an MCP server which tools it has. What a server lists is read with patience: a tool without a schema, or with one that is no
// object, takes anything. Pages and tools are bounded.
import type { Client } from '@modelcontextprotocol/client'
import { AppError, isRecord, type JsonObject } from '../../../base/index.ts'

export interface ServerTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

export interface ServerTools {
  /** What the server says about itself. */
  readonly server: JsonObject | null
  readonly tools: readonly ServerTool[]
}

const MOST_TOOLS = 2_000
const MOST_PAGES = 200

/** The protocol layer would refuse the whole list for one tool of it. */
const ANY_RESULT = {
  '~standard': { version: 1, vendor: 'rye', validate: (value: unknown) => ({ value }) },
} as const

export async function listTools(
  client: Client,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<ServerTools> {
  const tools: ServerTool[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const params = cursor === undefined ? {} : { cursor }
    const page = await client.request({ method: 'tools/list', params }, ANY_RESULT, options)
    const { tools: listed, nextCursor } = isRecord(page) ? page : {}
    for (const tool of Array.isArray(listed) ? listed : []) tools.push(readTool(tool))
    if (tools.length > MOST_TOOLS) throw failed(`the server has more than ${MOST_TOOLS} tools`)
    if (typeof nextCursor !== 'string' || nextCursor === '') {
      // Checked by the protocol layer: texts and lists of them.
      return { server: (client.getServerVersion() as JsonObject | undefined) ?? null, tools }
    }
    cursor = nextCursor
  }
  throw failed(`the list of tools has more than ${MOST_PAGES} pages`)
}

function readTool(tool: unknown): ServerTool {
  if (!isRecord(tool) || typeof tool.name !== 'string' || tool.name === '')
    throw failed('the server listed a tool without a name')
  const { name, title, description, inputSchema } = tool
  return {
    name,
    description: textOf(description) ?? textOf(title) ?? name,
    // From a message of the protocol, which is JSON.
    inputSchema: isRecord(inputSchema) ? (inputSchema as JsonObject) : { type: 'object' },
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function failed(message: string): AppError {
  return new AppError('REMOTE_FAILED', message)
}
