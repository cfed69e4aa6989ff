// The server of the page: on loopback only, for whoever has the printed address.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { cannotListen } from '../../base/index.ts'
import { createApp } from './app.ts'
import { readPageFiles } from './page-files.ts'
import type { PageLibrary } from './page-library.ts'
import { isOtherUser } from './peer-user.ts'

export interface UiServerSettings {
  readonly port: number
  readonly library: PageLibrary
  readonly version: string
  readonly readOnly: boolean
  readonly onError: (error: unknown) => void
}

export interface UiServer {
  /** Includes the token: `http://127.0.0.1:4478/?token=...`. */
  readonly address: string
  close(): Promise<void>
}

const HOST = '127.0.0.1'
/** A client that sends more slowly than this only holds a connection, so its request is dropped. */
const SLOW_CLIENTS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2000 }

export async function serveUi(settings: UiServerSettings): Promise<UiServer> {
  const { library, onError } = settings
  const files = readPageFiles()
  const server = createServer({ ...SLOW_CLIENTS, maxHeaderSize: 16_384 })
  await new Promise<void>((resolve, reject) => {
    server.once('error', cause =>
      reject(
        cannotListen(
          `${HOST}:${settings.port}`,
          cause,
          'choose another port with --port N, or leave it out for a free one',
        ),
      ),
    )
    server.listen(settings.port, HOST, resolve)
  })
  const { port } = server.address() as AddressInfo
  const token = secret()
  const app = createApp({
    guard: {
      hosts: [`${HOST}:${port}`, `localhost:${port}`],
      cookieName: `rye-ui-${port}`,
      session: { cookie: secret(), key: secret() },
    },
    token,
    files,
    library,
    isOtherUser: peerPort => isOtherUser({ port, peerPort }),
    about: { version: settings.version, read_only: settings.readOnly },
    onError,
  })
  // Keep Node's own globals while this server runs.
  server.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false }))
  return {
    address: `http://${HOST}:${port}/?token=${token}`,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      // Pages follow changes over connections that never end by themselves.
      server.closeAllConnections()
      await closed
    },
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}
