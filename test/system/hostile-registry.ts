// A registry that answers as a test tells it to, and a library whose project is configured to use it.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Answer, type LibrarySession, openSession } from '../fixtures/library-session.ts'
import type { Entry } from './hostile-archive.ts'
import { registrySettings } from './npm-registry.ts'

export const TOKEN = 'token-of-the-user'
export const GREET = '.ai/tools/team/greet.py'

export type Reply = (response: ServerResponse, request: IncomingMessage) => unknown

export interface HostileRegistry {
  readonly session: LibrarySession
  readonly url: string
  readonly server: Server
  /** Replies by path; everything else is 404. */
  readonly replies: Map<string, Reply>
  /** A tool signed by somebody whom the user does not know. It is not in the project. */
  readonly signed: Buffer
  /** The same tool, signed by the user. */
  readonly own: Buffer
  /** The stranger's tool under another name, as an archive entry. */
  tool(name: string): Entry
  /** Makes the registry serve a package `bad` whose one version has this archive. */
  offer(archive: Uint8Array, dist?: object): void
  /** Pulls the package `bad`. */
  pull(more?: object): Promise<Answer>
  /** What is in the project apart from settings and state. */
  written(): string[]
  close(): Promise<void>
}

export async function openHostileRegistry(): Promise<HostileRegistry> {
  const replies = new Map<string, Reply>()
  const server = createServer((request, response) => {
    const reply = replies.get(request.url!)
    if (reply) reply(response, request)
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}')
  })
  const url = await listen(server)
  const session = await openSession({ signing: true, environment: { NPM_TOKEN: TOKEN } })
  session.write('.ai/config/rye/registry.yaml', registrySettings(url))
  await session.call('sign', { item_type: 'config', item_id: 'rye/registry' })
  const stranger = await openSession({ signing: true })
  const [own, signed] = [await signedTool(session), await signedTool(stranger)]
  await stranger.close()
  return {
    session,
    url,
    server,
    replies,
    signed,
    own,
    tool: name => ({ name: `package/.ai/tools/${name}`, data: signed }),
    offer(archive, dist = {}) {
      const tarball = { tarball: `${url}bad/-/bad-1.0.0.tgz`, integrity: integrityOf(archive), ...dist }
      const version = { name: 'bad', version: '1.0.0', dist: tarball }
      const manifest = { name: 'bad', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }
      replies.set('/bad', sendJson(manifest))
      replies.set('/bad/-/bad-1.0.0.tgz', response => response.end(archive))
    },
    pull: (more = {}) => session.execute('rye/registry', { action: 'pull', package: 'bad', ...more }),
    written() {
      const found = readdirSync(join(session.project, '.ai'), { recursive: true, encoding: 'utf8' })
      return found.filter(path => !/^(config|state)\b/.test(path)).sort()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await session.close()
    },
  }
}

/** A tool signed with the session's key; it is removed from the project again. */
async function signedTool(session: LibrarySession): Promise<Buffer> {
  session.write(
    GREET,
    '__version__ = "1.0.0"\n__tool_type__ = "python"\n__executor_id__ = "python_function_runtime"\n__category__ = "team"\n__tool_description__ = "Greets"\n\ndef execute(params, project_path):\n    return {"success": True}\n',
  )
  expect(await session.call('sign', { item_type: 'tool', item_id: 'team/greet' })).toMatchObject({
    status: 'signed',
  })
  const signed = readFileSync(join(session.project, GREET))
  rmSync(join(session.project, '.ai/tools'), { recursive: true })
  return signed
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

export function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}

export function sendJson(value: unknown): Reply {
  return response =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
