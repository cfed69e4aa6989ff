// The real npm registry as a local server, which a sandbox can name. Answers are fetched once and kept in
// .cache/.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const REGISTRY = 'https://registry.npmjs.org/'
const KEPT = fileURLToPath(new URL('../../.cache/npm-mirror/', import.meta.url))

export interface NpmMirror {
  readonly port: number
  /** The requested paths, in order. */
  readonly asked: string[]
  stop(): void
}

export async function startMirror(): Promise<NpmMirror> {
  mkdirSync(KEPT, { recursive: true })
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const path = request.url!.slice(1)
    asked.push(path)
    const found = await find(path, request.headers.accept ?? '*/*').catch(() => undefined)
    if (found === undefined) return response.writeHead(404).end('{}')
    const isPackage = path.endsWith('.tgz')
    const own = `http://localhost:${port}/`
    return response
      .writeHead(200, { 'content-type': isPackage ? 'application/octet-stream' : 'application/json' })
      .end(isPackage ? found : found.toString('utf8').replaceAll(REGISTRY, own))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    asked,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function find(path: string, accept: string): Promise<Buffer | undefined> {
  const file = join(KEPT, createHash('sha256').update(`${path}\n${accept}`).digest('hex'))
  try {
    return readFileSync(file)
  } catch {
    const answer = await fetch(new URL(path, REGISTRY), { headers: { accept } })
    if (!answer.ok) return undefined
    const bytes = Buffer.from(await answer.arrayBuffer())
    // Several test files may request it at once.
    const temporary = `${file}.${process.pid}`
    writeFileSync(temporary, bytes)
    renameSync(temporary, file)
    return bytes
  }
}
