// The result of a tool as MCP wants it: the object, and one text block with the same JSON. Only this file
// makes such results, so it may print one from the other.
import type { CallToolResult, JSONRPCMessage } from '@modelcontextprotocol/server'

export function toolResult(answer: object, failed: boolean): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    // An answer is an object of JSON values on every surface.
    structuredContent: answer as Record<string, unknown>,
    ...(failed && { isError: true }),
  }
}

/** A message as JSON. The answer is by far its longest part and appears twice, so it is serialised once. */
export function printMessage(message: JSONRPCMessage): string {
  if (!('result' in message) || message.result.structuredContent === undefined) return JSON.stringify(message)
  // Only tool results have this member.
  const { structuredContent: _, ...rest } = message.result as CallToolResult
  const [block] = rest.content
  if (rest.content.length !== 1 || block?.type !== 'text') return JSON.stringify(message)
  const id = JSON.stringify(message.id)
  return `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(rest).slice(0, -1)},"structuredContent":${block.text}}}`
}
