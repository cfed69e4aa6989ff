// A caller of a bundled tool has it talk to a service on the user's own machine, and itself claims that this
// is allowed.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeSignedProject, type SignedProject } from './signed-project.ts'

let project: SignedProject
let server: Server
let url: string
let asked = 0
beforeAll(async () => {
  project = await makeSignedProject()
  server = createServer((_, response) => {
    asked++
    response.writeHead(404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
beforeEach(() => {
  asked = 0
})
afterAll(() => {
  server.close()
  project.remove()
})

it('the caller of rye/mcp/discover cannot allow private addresses', async () => {
  const answer = await project.execute('rye/mcp/discover', { url, allow_private: true })
  expect(answer).toMatchObject({ status: 'error', code: 'PARAMETERS_INVALID' })
  expect(asked).toBe(0)
})

it('rye/mcp/manager asks a private address only when its signed item allows that', async () => {
  const add = { action: 'add', name: 'local', url, allow_private: true }
  expect((await project.execute('rye/mcp/manager', add)).data).toMatchObject({ tools: [] })
  const refresh = { action: 'refresh', name: 'local' }
  expect((await project.execute('rye/mcp/manager', refresh)).status).toBe('error')
  expect(asked).toBe(0)
  await project.sign('mcp/servers/local')
  await project.execute('rye/mcp/manager', refresh)
  expect(asked).toBeGreaterThan(0)
})
