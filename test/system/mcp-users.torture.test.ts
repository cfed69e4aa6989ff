// Several users of one server, each with a token: nobody reaches what is not theirs, and their actions are
// recorded under their name.
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../fixtures/patience.ts'
import { parsePrometheus } from '../surfaces/mcp/prometheus-text.ts'
import { ask, askTools, callAs, connectAs, makeTeam } from './mcp-users.ts'

const EVERYTHING = ['search', 'load', 'execute', 'sign', 'write', 'network', 'secrets']
const may = (words: readonly string[]) => words.flatMap(word => ['--permission', word])

describe('the token of one user', () => {
  it('reaches no project of another: by no tool, no link, no way around', async () => {
    const team = makeTeam()
    const [ada] = [await team.grant('ada', may(EVERYTHING)), await team.grant('bob')]
    const [own, other] = [join(team.project, 'ada'), join(team.project, 'bob')]
    symlinkSync(other, join(own, 'link'))
    const client = await connectAs(await team.start(), ada)
    expect(await callAs(client, 'load', { item_id: 'secret', project_path: own })).toMatchObject({
      status: 'success',
    })
    const ways = [
      other,
      `${own}/../bob`,
      join(own, 'link'),
      team.project,
      '/',
      `${other}/none`,
      'bob',
      `${own}\0`,
    ]
    for (const project_path of ways) {
      for (const [name, input] of [
        ['search', { query: 'plan' }],
        ['load', { item_id: 'secret' }],
        ['execute', { item_id: 'secret' }],
        ['sign', { item_type: 'knowledge', item_id: 'secret' }],
      ] as const) {
        const answer = await callAs(client, name, { ...input, project_path })
        expect(answer, `${name} in ${project_path}`).toMatchObject({ status: 'error', code: 'POLICY_DENIED' })
        expect(JSON.stringify(answer)).not.toContain('the plan of bob')
      }
    }
  })

  it('runs no tool that sees the project of another, or the tokens', async () => {
    const team = makeTeam()
    const [ada] = [await team.grant('ada'), await team.grant('bob')]
    const client = await connectAs(await team.start(), ada)
    const command = `cat notes.txt; cat ${team.project}/bob/notes.txt ${team.tokens}; ls -a ${team.project}/bob; true`
    const answer = await callAs(client, 'execute', {
      item_id: 'rye/bash',
      parameters: { command },
      project_path: join(team.project, 'ada'),
    })
    expect(answer).toMatchObject({ status: 'success' })
    expect(JSON.stringify(answer)).toContain('notes of ada')
    expect(JSON.stringify(answer)).not.toContain('notes of bob')
    expect(JSON.stringify(answer)).not.toContain('sha256')
  })

  it('runs no tool where nothing would hold it, unless whoever runs the server says so', async () => {
    const team = makeTeam()
    const ada = await team.grant('ada')
    await team.grant('bob')
    const config = join(team.env.USER_SPACE!, '.ai/config')
    mkdirSync(config, { recursive: true })
    writeFileSync(join(config, 'rye.toml'), '[execute]\nisolation = "process-group"\n')
    await expect(team.start()).rejects.toThrow('--without-sandbox')
    const server = await team.start(['--without-sandbox'])
    await until(() => server.log().includes('no sandbox'))
    const client = await connectAs(server, ada)
    const project_path = join(team.project, 'ada')
    const run = () =>
      callAs(client, 'execute', { item_id: 'rye/bash', parameters: { command: 'true' }, project_path })
    // It declares hosts, which nothing would keep it from: what cannot be cut down is refused.
    expect(await run()).toMatchObject({ code: 'POLICY_DENIED' })
    server.child.kill('SIGTERM')
    await server.ended

    // A server that was started with a sandbox in mind does not obey the setting later.
    writeFileSync(join(config, 'rye.toml'), '')
    const fenced = await team.start()
    writeFileSync(join(config, 'rye.toml'), '[execute]\nisolation = "process-group"\n')
    const other = await connectAs(fenced, ada)
    const command = `cat ${team.project}/bob/notes.txt; true`
    const answer = await callAs(other, 'execute', {
      ...{ item_id: 'rye/bash', parameters: { command }, project_path },
    })
    expect(answer).toMatchObject({ status: 'success' })
    expect(JSON.stringify(answer)).not.toContain('notes of bob')
  })

  it('cuts the network of a tool, and refuses what cannot be cut', async () => {
    const team = makeTeam()
    const ada = await team.grant('ada')
    const project_path = join(team.project, 'ada')
    const head = (executor: string) =>
      `version: 1.0.0\ntool_type: http\nexecutor_id: ${executor}\ncategory: ""\n`
    const http = `${head('rye/core/primitives/http_client')}description: asks\nconfig:\n  method: GET\n  url: https://example.org/\n`
    team.write('ada/.ai/tools/asks.yaml', http)
    const client = await connectAs(await team.start(), ada)
    const refused = await callAs(client, 'execute', { item_id: 'asks', project_path })
    expect(refused).toMatchObject({ status: 'error', code: 'POLICY_DENIED' })
    const parameters = { command: 'env | grep -ci proxy; true' }
    const ran = await callAs(client, 'execute', { item_id: 'rye/bash', parameters, project_path })
    expect(ran).toMatchObject({ status: 'success', warning: expect.stringContaining('without `network`') })
  })

  it('permits what it says, and nothing else', async () => {
    const team = makeTeam()
    const token = await team.grant('ada', [...may(['search', 'load']), '--space', 'project'])
    const project_path = join(team.project, 'ada')
    mkdirSync(join(team.env.HOME!, '.ai/knowledge'), { recursive: true })
    const entry = '---\nid: mine\ntitle: Mine\nversion: 1.0.0\n---\n\nsomething of the operator\n'
    writeFileSync(join(team.env.HOME!, '.ai/knowledge/mine.md'), entry)
    const server = await team.start(['--profile', 'all'])
    const client = await connectAs(server, token)
    const found = await callAs(client, 'search', { query: 'plan operator', match: 'any', project_path })
    expect(JSON.stringify(found)).toContain('secret')
    expect(JSON.stringify(found)).not.toContain('mine')
    const refused: [string, object, string][] = [
      ['execute', { item_id: 'secret' }, 'POLICY_DENIED'],
      ['execute', { item_id: 'rye/bash', parameters: { command: 'id' }, dry_run: true }, 'POLICY_DENIED'],
      ['sign', { item_type: 'knowledge', item_id: 'secret' }, 'POLICY_DENIED'],
      ['load', { item_id: 'secret', destination: 'user' }, 'POLICY_DENIED'],
      ['load', { item_id: 'rye/bash', destination: 'project' }, 'POLICY_DENIED'],
      ['load', { item_id: 'x', source: 'registry' }, 'POLICY_DENIED'],
      ['search', { query: 'x', source: 'registry' }, 'POLICY_DENIED'],
      ['fetch', { item_id: 'secret', destination: 'user' }, 'POLICY_DENIED'],
      ['load', { item_id: 'mine' }, 'ITEM_NOT_FOUND'],
      ['load', { item_id: 'mine@user' }, 'ITEM_NOT_FOUND'],
    ]
    for (const [name, input, code] of refused) {
      expect(
        await callAs(client, name, { ...input, project_path }),
        `${name} ${JSON.stringify(input)}`,
      ).toMatchObject({
        ...{ status: 'error', code },
      })
    }
    expect((await ask(server, '/metrics', token)).status).toBe(403)
    // Another user still finds what is hidden from this one.
    const operator = await connectAs(server, await team.grant('eve', may(['search'])))
    const all = await callAs(operator, 'search', {
      query: 'operator',
      project_path: join(team.project, 'eve'),
    })
    expect(JSON.stringify(all)).toContain('mine')
  })

  it('counts from its grant to its end, and a file with a fault lets nobody in', async () => {
    const team = makeTeam()
    const ada = await team.grant('ada')
    const server = await team.start()
    expect((await askTools(server, ada)).status).toBe(200)
    const bob = await team.grant('bob')
    expect((await askTools(server, bob)).status).toBe(200)
    await team.rye(['mcp', 'revoke', 'ada', '--tokens', team.tokens])
    expect((await askTools(server, ada)).status).toBe(401)
    const old = await team.grant('old', ['--until', '2020-01-01'])
    expect((await askTools(server, old)).status).toBe(401)
    const good = readFileSync(team.tokens)
    writeFileSync(team.tokens, `${good}surprise = true\n`)
    expect((await askTools(server, bob)).status).toBe(503)
    expect((await ask(server, '/readyz')).status).toBe(503)
    expect((await ask(server, '/healthz')).status).toBe(200)
    writeFileSync(team.tokens, good)
    expect((await askTools(server, bob)).status).toBe(200)
    expect((await ask(server, '/readyz')).status).toBe(200)
    chmodSync(team.tokens, 0o644)
    expect((await askTools(server, bob)).status).toBe(503)
    expect(server.log()).toMatch(/line \d+: unknown key `surprise`/)
    await expect(team.start()).rejects.toThrow('others can read the tokens file')
    await expect(team.start(['--token-file', team.tokens])).rejects.toThrow('got both')
  })

  it('cannot be guessed, and says nothing to whoever tries', async () => {
    const team = makeTeam()
    const ada = await team.grant('ada')
    const server = await team.start()
    const tries = [
      '',
      'ada',
      ada.slice(0, -1),
      `${ada}x`,
      ada.toUpperCase(),
      ada.slice(4),
      'rye_',
      'x'.repeat(8000),
    ]
    const answers = await Promise.all(
      tries.map(async token => {
        const response = await askTools(server, token)
        return `${response.status} ${await response.text()}`
      }),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/^401 /)
    expect((await askTools(server, 'x'.repeat(40_000))).status).toBe(431)
    expect((await askTools(server, ada)).status).toBe(200)
  })
})

describe('what is told', () => {
  it('is who called what, in the log and in receipts, and never a token or a parameter', async () => {
    const team = makeTeam()
    const [ada, meter] = [await team.grant('ada'), await team.grant('meter', may(['metrics']))]
    const server = await team.start(['--log', 'json'])
    const client = await connectAs(server, ada)
    const project_path = join(team.project, 'ada')
    const parameters = { command: 'echo canary-parameter' }
    const ran = await callAs(client, 'execute', {
      item_id: 'rye/bash',
      parameters,
      project_path,
      trace: true,
    })
    await callAs(client, 'load', { item_id: 'none', project_path })
    await ask(server, '/mcp', ada, { method: 'POST', body: `{"token":"${ada}"` })
    await until(() => server.log().includes('ITEM_NOT_FOUND'))
    const lines = server
      .log()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.filter(({ event }) => event === 'call')).toMatchObject([
      { tool: 'execute', user: 'ada', project: project_path, outcome: 'success' },
      { tool: 'load', user: 'ada', outcome: 'ITEM_NOT_FOUND' },
    ])
    for (const secret of [ada, ada.slice(4), 'canary-parameter']) expect(server.log()).not.toContain(secret)
    const runs = JSON.parse(await team.rye(['runs', '--project', project_path, '--json']))
    expect(runs.runs[0]).toMatchObject({
      item_id: 'rye/bash',
      user: 'ada',
      caller: 'agent',
      receipt: ran.receipt,
    })

    const response = await ask(server, '/metrics', meter)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const samples = parsePrometheus(await response.text())
    const count = (name: string, labels: object) =>
      samples.find(sample => sample.name === name && JSON.stringify(sample.labels) === JSON.stringify(labels))
        ?.value
    expect(count('rye_calls_total', { tool: 'execute', outcome: 'success' })).toBe(1)
    expect(count('rye_call_seconds_count', { tool: 'load' })).toBe(1)
    expect(count('rye_verdicts_total', { verdict: 'verified' })).toBeGreaterThan(0)
    expect((await ask(server, '/metrics')).status).toBe(401)
    expect((await ask(server, '/metrics', meter, { method: 'DELETE' })).status).toBe(405)
  })

  it('is a span of each call, for the collector that the environment names', async () => {
    const bodies: string[] = []
    const collector = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      bodies.push(text)
      response.end('{}')
    })
    await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void collector.close())
    const team = makeTeam()
    const ada = await team.grant('ada')
    const { port } = collector.address() as AddressInfo
    const server = await team.start([], { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
    const client = await connectAs(server, ada)
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    await client.callTool({
      name: 'search',
      arguments: { query: 'canary-query', project_path: join(team.project, 'ada') },
      _meta: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    })
    server.child.kill('SIGTERM')
    await server.ended
    const [{ spans }] = JSON.parse(bodies[0]!).resourceSpans[0].scopeSpans
    expect(spans).toMatchObject([
      { traceId: trace, parentSpanId: '00f067aa0ba902b7', name: 'tools/call search' },
    ])
    expect(bodies.join('')).not.toContain('canary-query')
    expect(bodies.join('')).not.toContain(ada)
  })

  it('is never a token that was made at the start, where a program reads the log', async () => {
    const { root, env, project, write } = makeTeam()
    const { startHttp } = await import('./mcp-world.ts')
    await expect(startHttp({ root, env, project, write }, ['--log', 'json'])).rejects.toThrow('--tokens')
  })
})

it('a user who calls too often is told when to come back, and delays nobody else', async () => {
  const team = makeTeam()
  const [ada, bob] = [await team.grant('ada', ['--rate', '6']), await team.grant('bob')]
  const server = await team.start()
  expect((await askTools(server, ada)).status).toBe(200)
  const refused = await askTools(server, ada)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect((await askTools(server, bob)).status).toBe(200)
  // A hundred calls in one request would be counted as one.
  const list = JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'tools/list' }])
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  for (const body of [list, ` \n${list}`, `\uFEFF${list}`])
    expect((await ask(server, '/mcp', bob, { method: 'POST', headers, body })).status).toBe(400)
})
