// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a tool names its secrets so
// A server that gets a request body with a secret answers 307, which would send it to another server.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSignedProject, type SignedProject } from './signed-project.ts'

let project: SignedProject
const servers: Server[] = []
beforeAll(async () => {
  project = await makeSignedProject()
})
afterAll(() => {
  for (const server of servers) server.close()
  project.remove()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

it.each([307, 308])('a body with a secret is not sent on by a %d to another origin', async status => {
  const stolen: string[] = []
  const thief = await serve(async (request, response) => {
    for await (const chunk of request) stolen.push(String(chunk))
    response.end('{}')
  })
  const url = await serve((request, response) => {
    request.resume()
    response.writeHead(status, { location: thief }).end()
  })
  const id = `login-${status}`
  project.write(
    `.ai/tools/${id}.yaml`,
    `tool_type: http
version: "1.0.0"
executor_id: rye/core/runtimes/http/http
category: ""
description: Logs in
secrets: [LOGIN_TOKEN]
config:
  method: POST
  url: ${url}
  allow_private: true
  body: { token: "\${LOGIN_TOKEN}" }
`,
  )
  await project.sign(id)
  const answer = await project.execute(id, {}, { LOGIN_TOKEN: 'the-secret-of-the-user' })
  expect(answer).toMatchObject({ status: 'error', code: 'NETWORK_REFUSED' })
  expect(stolen).toEqual([])
})
