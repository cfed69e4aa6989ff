import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printMessage, toolResult } from '../../../src/surfaces/mcp/tool-result.ts'

describe('the result of a tool', () => {
  it('has the answer as an object, and one text block with the same JSON', () => {
    const answer = { results: [{ id: 'a' }], total: 1 }
    expect(toolResult(answer, false)).toEqual({
      content: [{ type: 'text', text: '{"results":[{"id":"a"}],"total":1}' }],
      structuredContent: answer,
    })
    expect(toolResult({ status: 'error' }, true)).toMatchObject({ isError: true })
  })

  it('is printed as any message is, on one line, whatever the answer holds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })),
        fc.oneof(fc.integer(), fc.string({ unit: 'binary' })),
        fc.boolean(),
        (answer, id, failed) => {
          const result = { ...toolResult(answer, failed), _meta: { more: '"}]' } }
          const printed = printMessage({ jsonrpc: '2.0', id, result })
          expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify({ jsonrpc: '2.0', id, result })))
          expect(printed).not.toMatch(/[\r\n]/)
        },
      ),
    )
  })
})

describe('any other message', () => {
  const messages: JSONRPCMessage[] = [
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 'a', result: { content: [{ type: 'text', text: '{}' }] } },
    { jsonrpc: '2.0', id: 2, result: { content: [], structuredContent: { a: 1 } } },
    { jsonrpc: '2.0', id: 3, result: { content: [{ type: 'image' }], structuredContent: { a: 1 } } },
    { jsonrpc: '2.0', id: 4, error: { code: -32600, message: 'no' } },
    { jsonrpc: '2.0', method: 'notifications/progress', params: { structuredContent: {} } },
  ]
  it.each(messages)('is printed as it is: %j', message => {
    expect(printMessage(message)).toBe(JSON.stringify(message))
  })
})
