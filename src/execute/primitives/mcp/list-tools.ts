// Asks an MCP server which tools it has. The list is read leniently: a tool without a schema, or with one
// that is not an object, takes anything. Pages, tools and the text about each are bounded, because code that
// recurses walks, prints and writes all of it.
import type { Client } from '@modelcontextprotocol/client'
import { AppError, isDeeperThan, isRecord, type JsonObject, quoteText } from '../../../base/index.ts'

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
/**
 * Levels of nesting. No more than the parser of items reads, because what is listed is written as an item.
 */
const MOST_LEVELS = 64
/** Characters of one tool as JSON, and of all tools of a server: many times what the largest servers list. */
const MOST_OF_TOOL = 250_000
const MOST_OF_LIST = 8_000_000

/** Accepts any result: the protocol layer would refuse the whole list because of one tool. */
const ANY_RESULT = {
  '~standard': { version: 1, vendor: 'rye', validate: (value: unknown) => ({ value }) },
} as const

export async function listTools(
  client: Client,
  options: { readonly signal: AbortSignal; readonly timeout: number; readonly serverId: string },
): Promise<ServerTools> {
  const { serverId, ...bounds } = options
  const failed = (what: string) => new AppError('REMOTE_FAILED', `server \`${serverId}\` ${what}`)
  const tools: ServerTool[] = []
  let size = 0
  let cursor: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const params = cursor === undefined ? {} : { cursor }
    const page = await client.request({ method: 'tools/list', params }, ANY_RESULT, bounds)
    const { tools: listed, nextCursor } = isRecord(page) ? page : {}
    if (!Array.isArray(listed)) throw failed('answered with no list when it was asked for its tools')
    for (const entry of listed) {
      const tool = readTool(entry)
      if (!tool) throw failed('listed a tool without a name')
      size += measure(tool, what => failed(`described its tool ${quoteText(tool.name, 120)} ${what}`))
      if (size > MOST_OF_LIST)
        throw failed(
          `sent too long a list of tools: expected at most ${MOST_OF_LIST} characters of JSON, got more`,
        )
      tools.push(tool)
    }
    if (tools.length > MOST_TOOLS)
      throw failed(`has too many tools: expected at most ${MOST_TOOLS}, got ${tools.length} or more`)
    if (typeof nextCursor !== 'string' || nextCursor === '') {
      // The protocol layer has checked it: texts and lists of texts.
      const server = (client.getServerVersion() as JsonObject | undefined) ?? null
      measure(server, what => failed(`described itself ${what}`))
      return { server, tools }
    }
    cursor = nextCursor
  }
  throw failed(`lists its tools on too many pages: expected at most ${MOST_PAGES}, got more`)
}

/** The number of characters as JSON. Throws if it is too deep or too long. */
function measure(said: ServerTool | JsonObject | null, refused: (what: string) => AppError): number {
  if (isDeeperThan(said, MOST_LEVELS))
    throw refused(`too deeply: expected at most ${MOST_LEVELS} levels of nesting, got more`)
  const { length } = JSON.stringify(said)
  if (length <= MOST_OF_TOOL) return length
  throw refused(`in too many words: expected at most ${MOST_OF_TOOL} characters of JSON, got ${length}`)
}

function readTool(tool: unknown): ServerTool | undefined {
  if (!isRecord(tool) || typeof tool.name !== 'string' || tool.name === '') return undefined
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
