// Somebody without a token for `rye mcp --http` piles up connections, or sends requests that the server has
// no answer to.
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { until } from '../../fixtures/patience.ts'
import { type HttpServer, makeWorld, startHttp } from '../mcp-world.ts'

interface Exchange {
  readonly socket: Socket
  readonly closed: Promise<void>
  answer(): string
}

function send(server: HttpServer, text: string): Exchange {
  const socket = connect(Number(server.url.port), '127.0.0.1')
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk
  })
  socket.on('error', () => {})
  socket.write(text)
  return {
    socket,
    answer: () => answer,
    closed: new Promise(resolve => socket.once('close', () => resolve())),
  }
}

async function refusal(exchange: Exchange): Promise<string> {
  await until(() => exchange.answer().includes('\r\n\r\n'))
  return exchange.answer()
}

it.each([
  ['without a token', 'POST /mcp', '', '', 401],
  ['by a wrong token', 'POST /mcp', 'authorization: Bearer x\r\n', '', 401],
  ['with a whole body', 'POST /mcp', 'content-length: 2\r\n', '{}', 401],
  ['with a body that never ends', 'POST /mcp', 'content-length: 900000\r\n', '{', 401],
  ['for another path', 'GET /', '', '', 404],
  ['of a page', 'POST /mcp', 'origin: http://evil.example\r\n', '', 403],
])('a connection that is refused %s is closed', async (_title, line, headers, body, status) => {
  const server = await startHttp(makeWorld())
  const held = Array.from({ length: 5 }, () =>
    send(server, `${line} HTTP/1.1\r\nhost: ${server.url.host}\r\n${headers}\r\n${body}`),
  )
  for (const exchange of held) {
    const answer = await refusal(exchange)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(answer).not.toMatch(/^keep-alive:/im)
    await exchange.closed
  }
})

it.each(['TRACE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND'])('%s is answered with 405', async method => {
  const server = await startHttp(makeWorld())
  const authorization = `authorization: Bearer ${server.token}`
  const exchange = send(
    server,
    `${method} /mcp HTTP/1.1\r\nhost: ${server.url.host}\r\n${authorization}\r\n\r\n`,
  )
  const answer = await refusal(exchange)
  expect(answer).toMatch(/^HTTP\/1.1 405 /)
  expect(answer).toMatch(/^allow: POST\r$/im)
  expect(answer).not.toContain(server.token)
  await exchange.closed
  expect(server.log()).not.toMatch(/Error/)
})
