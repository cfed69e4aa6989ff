// Two servers behind HAProxy itself, with the settings of deploy/: a read-only call survives a server killed
// while it answers, and no other call is made twice.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../fixtures/patience.ts'
import { callAs, makeTeam, type Team } from './mcp-users.ts'
import { ERAS } from './mcp-world.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise(done => server.close(done))
  return port
}

/** The settings unchanged, except for the addresses to listen on. */
function settingsFor(team: Team, port: number, servers: readonly number[]): string {
  let text = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8')
  const places = [
    ['bind :8080', `bind 127.0.0.1:${port}`],
    ...servers.map((one, index) => [`rye-${index + 1}:4477`, `127.0.0.1:${one}`]),
  ] as const
  for (const [from, to] of places) {
    expect(text).toContain(from)
    text = text.replace(from, to)
  }
  const path = join(team.root, 'haproxy.cfg')
  writeFileSync(path, text)
  return path
}

async function startBehindHaproxy(team: Team) {
  const [port, ...ports] = await Promise.all([freePort(), freePort(), freePort()])
  const start = (own: number) =>
    team.start([
      ...['--host', '127.0.0.1', '--port', String(own)],
      ...['--allow-host', `127.0.0.1:${port}`, '--log', 'json'],
    ])
  const servers = await Promise.all(ports.map(start))
  const haproxy = spawn('haproxy', ['-f', settingsFor(team, port, ports)], { stdio: 'ignore' })
  onTestFinished(() => {
    haproxy.kill('SIGKILL')
  })
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  const status = () =>
    fetch(url, { method: 'POST' }).then(
      ({ status }) => status,
      () => 0,
    )
  await until(async () => (await status()) === 401)
  return { url, servers, restart: (index: number) => start(ports[index]!) }
}

describe.each(ERAS)('a client of %s', (_name, era) => {
  const connect = async (url: URL, token: string) => {
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: era })
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
    onTestFinished(() => client.close())
    return client
  }

  it('does not notice that servers are killed', async () => {
    const team = makeTeam()
    const token = await team.grant('ada', ['--rate', '100000', '--concurrency', '64'])
    const project_path = join(team.project, 'ada')
    const { url, servers, restart } = await startBehindHaproxy(team)
    let over = false
    let served = 0
    const clients = Array.from({ length: 4 }, async () => {
      const client = await connect(url, token)
      while (!over) {
        const answer = await callAs(client, 'load', { item_id: 'secret', project_path })
        expect(String(answer.content)).toContain('the plan of ada')
        served++
      }
    })
    const serveSome = async () => {
      const before = served
      await Promise.race([until(() => served > before + 40), Promise.all(clients)])
    }
    for (const [index, server] of servers.entries()) {
      await serveSome()
      server.child.kill('SIGKILL')
      await serveSome()
      const restarted = await restart(index)
      // HAProxy checks its health once a second, and sends it nothing before.
      await until(() => restarted.log().includes('"tool":"load"'))
    }
    over = true
    await Promise.all(clients)
  })

  it('is told that a tool may have run, which does not run again', async () => {
    const team = makeTeam()
    const token = await team.grant('ada', ['--permission', 'execute'])
    const project_path = join(team.project, 'ada')
    const { url, servers } = await startBehindHaproxy(team)
    const client = await connect(url, token)
    const ran = join(project_path, 'ran.txt')
    const parameters = { command: 'echo once >> ran.txt; sleep 60' }
    const call = callAs(client, 'execute', { item_id: 'rye/bash', parameters, project_path })
    call.catch(() => {})
    await until(() => existsSync(ran))
    // Only one of them runs it; if that one dies, the other must not start it.
    for (const { child } of servers) {
      child.kill('SIGKILL')
      await Promise.race([call.catch(() => {}), new Promise(done => setTimeout(done, 1500))])
      if (readFileSync(ran, 'utf8') !== 'once\n') break
    }
    await expect(call).rejects.toThrow()
    expect(readFileSync(ran, 'utf8')).toBe('once\n')
  })
})
