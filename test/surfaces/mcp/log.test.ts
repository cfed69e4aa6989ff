import { expect, it } from 'vitest'
import { createLog } from '../../../src/surfaces/mcp/telemetry/log.ts'
import { makeToken } from '../../../src/user/access/token-file.ts'

function open(format: 'text' | 'json') {
  const lines: string[] = []
  const log = createLog({ write: text => lines.push(text) > 0 }, format, () => new Date(0))
  return { log, lines }
}

it('is a JSON object a line for programs', () => {
  const { log, lines } = open('json')
  log.say('listening', 'http://127.0.0.1:4477/mcp')
  log.call({ tool: 'search', user: 'ada', outcome: 'success', duration_ms: 1.5, trace_id: undefined })
  log.error('two\nlines')
  expect(lines).toEqual([
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"listening","text":"http://127.0.0.1:4477/mcp"}\n',
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"call","tool":"search","user":"ada","outcome":"success","duration_ms":1.5}\n',
    '{"time":"1970-01-01T00:00:00.000Z","level":"error","event":"error","text":"two\\nlines"}\n',
  ])
})

it('is lines for people, without calls and control characters', () => {
  const { log, lines } = open('text')
  log.say('listening', 'http://127.0.0.1:4477/mcp')
  log.call({ tool: 'search' })
  log.error('a\u001b[31m fault')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toBe('listening: http://127.0.0.1:4477/mcp\n')
  expect(lines[1]).toMatch(/^mcp: a.* fault\n$/)
  expect(lines[1]).not.toContain('\u001b')
})

it.each(['text', 'json'] as const)('as %s takes tokens out of whatever goes wrong', format => {
  const { log, lines } = open(format)
  const token = makeToken()
  log.error(new Error(`cannot parse "authorization: Bearer ${token}"`))
  log.error(`bearer another-secret-token, and ${token}`)
  expect(lines.join('')).not.toContain(token.slice(4))
  expect(lines.join('')).not.toContain('another-secret-token')
  expect(lines).toHaveLength(2)
})
