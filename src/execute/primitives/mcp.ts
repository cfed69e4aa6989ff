// The `mcp` primitive: calls a tool of another MCP server, over a connection that is kept.
import type { CallToolResult } from '@modelcontextprotocol/client'
import { AppError, isDeeperThan, isRecord, type JsonValue, quoteText } from '../../base/index.ts'
import type { McpInvocation } from '../../plan/index.ts'
import { PROTOCOL_SLACK_MS } from './mcp/mcp-connections.ts'
import type { Primitive, PrimitiveCall } from './primitive.ts'
import { failure, type Outcome, parseJson } from './result.ts'

/** As deep as any tool's answer may be. */
const MOST_LEVELS = 200

export const callMcpTool: Primitive<McpInvocation> = async call => {
  const { invocation, parts } = call
  const outcome = await callTool(call).catch(readFailure)
  return { ...outcome, isolation: await parts.mcp.isolationOf(invocation.server) }
}

function callTool({
  plan,
  invocation,
  parts,
  signal,
  onProgress,
}: PrimitiveCall<McpInvocation>): Promise<Outcome> {
  const bounds = { timeoutMs: plan.timeoutMs, signal }
  const { projectPath, permissions } = plan
  const onStarting = onProgress && ((message: string, progress: number) => onProgress({ progress, message }))
  const context = { projectPath, permissions, onStarting }
  return parts.mcp.use(invocation.server, context, bounds, async (client, ended) => {
    const result = await client.callTool(
      { name: invocation.toolName, arguments: plan.parameters },
      {
        signal: ended,
        timeout: plan.timeoutMs + PROTOCOL_SLACK_MS,
        // Anything else that a server adds may be of any size.
        ...(onProgress && {
          onprogress: ({ progress, total, message }) =>
            onProgress({
              progress,
              ...(total !== undefined && { total }),
              ...(message !== undefined && { message }),
            }),
        }),
      },
    )
    // Checked before anything walks it, because printing, shortening and scrubbing a value recurse.
    if (isDeeperThan(result, MOST_LEVELS))
      throw new AppError(
        'REMOTE_FAILED',
        `server \`${invocation.server.id}\` returned a result of its tool ${quoteText(invocation.toolName, 120)} that is nested too deeply: expected at most ${MOST_LEVELS} levels, got more`,
      )
    return readToolResult(result)
  })
}

function readToolResult(result: CallToolResult): Outcome {
  // Checked by the protocol layer against its schema of results.
  const content = result.content as unknown as JsonValue[]
  const data = (result.structuredContent as JsonValue | undefined) ?? readContent(content)
  if (result.isError !== true) return { status: 'success', data }
  const text = content.flatMap(block =>
    isRecord(block) && typeof block.text === 'string' ? [block.text] : [],
  )
  return failure('EXECUTION_FAILED', `the server's tool failed: ${text.join(' ') || 'no reason given'}`, data)
}

/** A single text block that is JSON becomes that JSON. Anything else stays the list of blocks. */
function readContent(content: JsonValue[]): JsonValue {
  const [only, more] = content
  if (more === undefined && isRecord(only) && only.type === 'text' && typeof only.text === 'string') {
    return parseJson(only.text) ?? { content }
  }
  return { content }
}

/** What a server wrote outside of the protocol is the evidence of its failure. */
function readFailure(thrown: unknown): Outcome {
  const stderr = thrown instanceof AppError ? thrown.details.stderr : undefined
  if (!(thrown instanceof AppError) || typeof stderr !== 'string') throw thrown
  return { status: 'error', error: thrown, data: { stderr } }
}
