// A server that several users share: each has a project and a token. Helpers to send requests as one of them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { answerOf, type HttpServer, makeWorld, startHttp, type World } from './mcp-world.ts'
import { runInside } from './run-rye.ts'

export interface Team extends World {
  readonly tokens: string
  /** The user's project folder, with a knowledge entry `secret` and a file `notes.txt` in it. */
  home(user: string): string
  /** Grants a token with the command, and returns it. */
  grant(user: string, flags?: readonly string[]): Promise<string>
  rye(words: readonly string[]): Promise<string>
  start(flags?: readonly string[], env?: Record<string, string>): Promise<HttpServer>
}

export function makeTeam(): Team {
  const world = makeWorld()
  const tokens = join(world.root, 'tokens.toml')
  const rye = async (words: readonly string[]) => {
    const ran = await runInside(words, { directory: world.root, environment: world.env })
    if (ran.status !== 0) throw new Error(`rye ${words.join(' ')}: ${ran.stdout}${ran.stderr}`)
    return ran.stdout
  }
  const home = (user: string) => {
    const folder = join(world.project, user)
    mkdirSync(join(folder, '.ai/knowledge'), { recursive: true })
    const text = `---\nid: secret\ntitle: Secret of ${user}\nversion: 1.0.0\n---\n\nthe plan of ${user}\n`
    writeFileSync(join(folder, '.ai/knowledge/secret.md'), text)
    writeFileSync(join(folder, 'notes.txt'), `notes of ${user}\n`)
    return folder
  }
  return {
    ...world,
    tokens,
    home,
    rye,
    grant: async (user, flags = []) => {
      const words = ['mcp', 'grant', user, '--tokens', tokens, '--in', home(user), ...flags, '--json']
      return JSON.parse(await rye(words)).token
    },
    start: (flags = [], env = {}) =>
      startHttp({ ...world, env: { ...world.env, ...env } }, ['--tokens', tokens, ...flags]),
  }
}

/** The official MCP client, connected as one user. */
export async function connectAs(server: Pick<HttpServer, 'url'>, token: string): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(server.url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

export async function callAs(client: Client, name: string, input: object): Promise<Record<string, unknown>> {
  return answerOf(await client.callTool({ name, arguments: { ...input } }))
}

/** Requests a path of the server. */
export function ask(server: Pick<HttpServer, 'url'>, path: string, token?: string, init: RequestInit = {}) {
  const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...init.headers }
  return fetch(new URL(path, server.url), { ...init, headers })
}

/** Requests the list of tools without an MCP client. */
export function askTools(server: Pick<HttpServer, 'url'>, token: string): Promise<Response> {
  return ask(server, '/mcp', token, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
}
