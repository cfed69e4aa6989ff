// Programs of the protocol's own project, which need a newer Node than ours. They are fetched once from the
// npm registry into .cache/, at pinned versions. If they cannot be fetched, the tests that need them fail.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { fetchEnvironment } from '../fixtures/run-variables.ts'
import type { HttpServer } from './mcp-world.ts'

const NODE = {
  folder: 'node-24',
  name: `node-${process.platform}-${process.arch}`,
  version: '24',
  program: 'bin/node',
}
const PEERS = {
  conformance: {
    folder: 'mcp-conformance',
    name: '@modelcontextprotocol/conformance',
    version: '0.2.0-alpha.12',
    program: 'dist/index.js',
  },
  inspector: {
    folder: 'mcp-inspector',
    name: '@modelcontextprotocol/inspector',
    version: '2.12.0',
    program: 'clients/launcher/build/index.js',
  },
}

interface Package {
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly program: string
}

export interface Outcome {
  readonly status: number | null
  readonly output: string
  readonly log: string
}

/** Runs a peer on its own Node version, and fetches both if they are missing. */
export async function runPeer(
  peer: keyof typeof PEERS,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
): Promise<Outcome> {
  const [node, program] = [await fetchProgram(NODE), await fetchProgram(PEERS[peer])]
  return run(node, [program, ...args], options)
}

async function fetchProgram({ folder, name, version, program }: Package): Promise<string> {
  const place = fileURLToPath(new URL(`../../.cache/${folder}`, import.meta.url))
  const file = join(place, 'node_modules', name, program)
  if (existsSync(file)) return file
  mkdirSync(place, { recursive: true })
  const args = ['install', '--prefix', place, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status, log } = await run('npm', [...args, `${name}@${version}`], {
    cwd: place,
    env: fetchEnvironment(),
  })
  if (status !== 0 || !existsSync(file)) throw new Error(`cannot fetch ${name}@${version}: ${log}`)
  return file
}

function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Outcome> {
  return new Promise(resolve => {
    const child = execFile(command, args, { maxBuffer: 1e8, ...options }, (_error, output, log) =>
      resolve({ status: child.exitCode, output, log }),
    )
  })
}

/**
 * A proxy that adds the token, since the suite has no way to present one. It changes nothing else but its
 * port.
 */
export async function startTokenProxy(server: HttpServer): Promise<string> {
  const proxy = createServer((incoming, answer) => {
    const rename = (value: string) => value.replace(`:${portOf(proxy)}`, `:${server.url.port}`)
    const headers: Record<string, string | string[] | undefined> = {
      ...incoming.headers,
      authorization: `Bearer ${server.token}`,
    }
    for (const name of ['host', 'origin']) {
      const value = headers[name]
      if (typeof value === 'string') headers[name] = rename(value)
    }
    const { method, url: path } = incoming
    const onward = request({ host: '127.0.0.1', port: server.url.port, method, path, headers }, reply => {
      answer.writeHead(reply.statusCode!, reply.headers)
      reply.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return `http://127.0.0.1:${portOf(proxy)}/mcp`
}

function portOf(server: ReturnType<typeof createServer>): number {
  return (server.address() as AddressInfo).port
}
