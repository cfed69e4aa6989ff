// Two servers as deploy/compose.yaml starts them, behind a balancer: either answers any request, and one that
// goes away is not missed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { load } from 'js-yaml'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startBalancer } from '../../bench/balancer.mjs'
import { until } from '../fixtures/patience.ts'
import { callAs, makeTeam, type Team } from './mcp-users.ts'
import { addWaiter, ERAS, type HttpServer, PROGRAM } from './mcp-world.ts'

/** The arguments with which compose starts a server, except what belongs to its container. */
function composeFlags(more: Record<string, string> = {}): string[] {
  const text = readFileSync(new URL('../../deploy/compose.yaml', import.meta.url), 'utf8')
  const { services } = load(text) as { services: Record<string, { command: string[] }> }
  const [words, other] = ['rye-1', 'rye-2'].map(name => services[name]!.command) as [string[], string[]]
  expect(words).toEqual(other)
  expect(words.slice(0, 2)).toEqual(['mcp', '--http'])
  const flags = words.slice(2)
  const own: Record<string, string> = {
    '--host': '127.0.0.1',
    '--port': '0',
    '--drain-notice': '0.5',
    ...more,
  }
  return flags
    .map((word, at) => own[flags[at - 1]!] ?? word)
    .filter((word, at, all) => {
      return word !== '--tokens' && all[at - 1] !== '--tokens'
    })
}

async function startPair(team: Team) {
  const balancer = await startBalancer([])
  onTestFinished(() => balancer.close())
  const flags = composeFlags({ '--allow-host': `127.0.0.1:${balancer.port}` })
  const start = async () => team.start(flags)
  const servers = await Promise.all([start(), start()])
  for (const { url } of servers) balancer.replace(undefined, Number(url.port))
  const url = new URL(`http://127.0.0.1:${balancer.port}/mcp`)
  await until(async () => (await fetch(url, { method: 'POST' })).status === 401)
  return { balancer, url, servers, start }
}

/** The entry bears the signature of a key that is not the server's own. */
function signByAnother(team: Team, project: string): void {
  const home = join(team.root, 'another')
  mkdirSync(home)
  const file = join(project, '.ai/knowledge/secret.md')
  writeFileSync(file, readFileSync(file, 'utf8').replace('version:', 'entry_type: reference\nversion:'))
  const options = { cwd: project, env: { ...team.env, HOME: home, USER_SPACE: home } }
  for (const words of [
    ['keys', 'generate'],
    ['sign', 'knowledge:secret'],
  ]) {
    execFileSync(process.execPath, [PROGRAM, ...words], options)
  }
}

async function connect(url: URL, token: string, options: ConstructorParameters<typeof Client>[1] = {}) {
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  const client = new Client({ name: 'test', version: '1' }, options)
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

const MAY = ['search', 'load', 'execute', 'sign'].flatMap(word => ['--permission', word])

describe.each(ERAS)('a client of %s', (_name, era) => {
  it('is answered by two processes in turn: outputs, pages and questions of one are known to the other', async () => {
    const team = makeTeam()
    const token = await team.grant('ada', MAY)
    const project_path = join(team.project, 'ada')
    await team.rye(['keys', 'generate'])
    signByAnother(team, project_path)
    const { balancer, url } = await startPair(team)
    const capabilities = { elicitation: { form: {} } }
    const client = await connect(url, token, { versionNegotiation: era, capabilities })
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', request => {
      asked.push(request.params.message)
      return { action: 'accept', content: { confirm: true } }
    })
    for (let turn = 0; turn < 3; turn++) {
      expect((await client.listTools()).tools).toHaveLength(4)
      const found = await callAs(client, 'search', { query: 'secret plan', project_path })
      expect(JSON.stringify(found)).toContain('secret')
    }
    const parameters = { command: 'seq 1 20000' }
    const ran = await callAs(client, 'execute', { item_id: 'rye/bash', parameters, project_path })
    const id = /output:[\w-]+/.exec(JSON.stringify(ran))![0]
    for (let turn = 0; turn < 2; turn++) {
      const page = await callAs(client, 'load', { item_id: id, offset: 20_000, limit: 100, project_path })
      expect(page).toMatchObject({ status: 'success', offset: 20_000 })
    }
    // The question comes from one process, and its answer goes to the other. Before 2026-07-28 nobody can be asked without a session.
    const signed = await callAs(client, 'sign', { item_type: 'knowledge', item_id: 'secret', project_path })
    if (era.mode === 'legacy') expect(signed).toMatchObject({ status: 'error' })
    else expect([signed.status, asked.length]).toEqual(['signed', 1])
    expect(balancer.answered().every(([, count]) => count > 2)).toBe(true)
  })
})

it('nobody notices when a server is killed, or ends in good order, under load', async () => {
  const team = makeTeam()
  const token = await team.grant('ada', ['--rate', '100000', '--concurrency', '64'])
  const project_path = join(team.project, 'ada')
  for (let n = 0; n < 8; n++) {
    const text = `---\nid: k${n}\ntitle: k${n}\nversion: 1.0.0\n---\n\nthe word of number ${n}\n`
    writeFileSync(join(project_path, `.ai/knowledge/k${n}.md`), text)
  }
  const { balancer, url, servers, start } = await startPair(team)
  let over = false
  let served = 0
  const clients = Array.from({ length: 8 }, async (_, n) => {
    const client = await connect(url, token)
    while (!over) {
      const load = () => callAs(client, 'load', { item_id: `k${n}`, project_path })
      // An answer that was cut in the middle is asked for again, as clients do.
      const answer = await load().catch(load)
      expect(String(answer.content)).toContain(`the word of number ${n}`)
      served += 1
    }
  })
  const serveSome = async () => {
    const before = served
    await until(() => served > before + 20)
  }
  const replace = async (server: HttpServer, signal: NodeJS.Signals) => {
    await serveSome()
    server.child.kill(signal)
    await serveSome()
    const fresh = await start()
    balancer.replace(Number(server.url.port), Number(fresh.url.port))
    const answers = (port: number) => balancer.answered().find(([other]) => other === port)![1]
    await until(() => answers(Number(fresh.url.port)) > 0)
    return fresh
  }
  const third = await replace(servers[0]!, 'SIGKILL')
  await replace(servers[1]!, 'SIGTERM')
  expect(await servers[1]!.ended).toBe(143)
  await replace(third, 'SIGKILL')
  await serveSome()
  over = true
  await Promise.all(clients)
})

it('a server that dies before it has an answer has sent nothing, so that a balancer can ask another', async () => {
  const team = makeTeam()
  const token = await team.grant('ada')
  const project_path = join(team.project, 'ada')
  addWaiter({ write: (path, text) => team.write(join('ada', path), text) })
  const server = await team.start([])
  const params = { name: 'execute', arguments: { item_id: 'waiter', project_path } }
  const answer = fetch(server.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  // A status would be a head.
  const status = answer.then(
    ({ status }) => status,
    () => 'none',
  )
  await until(() => existsSync(join(project_path, 'waiting')))
  server.child.kill('SIGKILL')
  expect(await status).toBe('none')
})

describe('a server that is told to end', () => {
  it('says so to balancers first, goes on serving, and finishes what it has begun', async () => {
    const team = makeTeam()
    const token = await team.grant('ada')
    const project = join(team.project, 'ada')
    addWaiter({ write: (path, text) => team.write(join('ada', path), text) })
    const [waiting, go] = ['waiting', 'go'].map(name => join(project, name)) as [string, string]
    // The notice may be over before a busy machine has looked: then it is longer.
    for (let notice = 2; ; notice *= 4) {
      for (const path of [waiting, go]) rmSync(path, { force: true })
      const server = await team.start(['--drain-notice', String(notice), '--drain', '600', '--log', 'json'])
      const client = await connect(server.url, token)
      const running = callAs(client, 'execute', { item_id: 'waiter', project_path: project })
      await until(() => existsSync(waiting))
      server.child.kill('SIGTERM')
      const ask = (path: string) => fetch(new URL(path, server.url)).catch(() => undefined)
      await until(async () => (await ask('/readyz'))?.status !== 200)
      const [ready, alive] = [await ask('/readyz'), await ask('/healthz')]
      await until(async () => (await ask('/readyz')) === undefined)
      writeFileSync(go, '')
      expect(await running).toMatchObject({ status: 'success', data: 'waited' })
      expect(await server.ended).toBe(143)
      expect(server.log()).not.toContain('"event":"cut"')
      if (!ready || !alive) continue
      expect([ready.status, alive.status, alive.headers.get('connection')]).toEqual([503, 200, 'close'])
      break
    }
  })

  it('cuts what takes longer than it has, and says so', async () => {
    const team = makeTeam()
    const token = await team.grant('ada')
    const project = join(team.project, 'ada')
    addWaiter({ write: (path, text) => team.write(join('ada', path), text) })
    const server = await team.start(['--drain', '0', '--log', 'json'])
    const client = await connect(server.url, token)
    const running = callAs(client, 'execute', { item_id: 'waiter', project_path: project })
    running.catch(() => {})
    await until(() => existsSync(join(project, 'waiting')))
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(143)
    expect(server.log()).toContain('"event":"cut"')
  })
})
