// The network of one sandbox, as we serve it. The sandbox has a loopback of its own and nothing else. Before the tool starts, a
// program of ours (`network-ports.cjs`) opens the ports there, passes the listening sockets to us, and ends: so we accept what the
// tool connects to, and nothing of ours stays inside. Behind one port is the proxy; behind the others the ports of this machine's
// own loopback that the tool names.
import type { Server, Socket } from 'node:net'
import { type HostRule, parseHostRule } from '../../plan/network/index.ts'
import type { PortReceiver } from '../process/spawn.ts'
import { dial, findAddresses } from './destination.ts'
import { joinSockets } from './join-sockets.ts'
import { createProxy } from './proxy.ts'
import { type ResolveHost, resolveBySystem } from './resolve-host.ts'

/** Of one sandbox, to it and from it; a connection that would be one more is closed. */
const MOST_SOCKETS = 256
const FIRST_PROXY_PORT = 3128
const FIRST_OPEN_PORT = 1024

export class SandboxNetwork implements PortReceiver {
  /** The proxy's port in the sandbox. */
  readonly proxyPort: number
  /** Ports in the sandbox that lead to the same ports of this machine. */
  readonly localPorts: readonly number[]
  readonly #rules: readonly HostRule[]
  readonly #resolveHost: ResolveHost
  readonly #serve: (socket: Socket) => void
  readonly #servers = new Set<Server>()
  readonly #sockets = new Set<Socket>()
  #closed = false

  constructor(hosts: readonly string[], resolveHost: ResolveHost = resolveBySystem) {
    this.#rules = hosts.flatMap(host => parseHostRule(host) ?? [])
    this.#resolveHost = resolveHost
    const local = this.#rules.flatMap(({ kind, ports }) => (kind === 'loopback' ? (ports ?? []) : []))
    this.localPorts = [...new Set(local)].filter(port => port >= FIRST_OPEN_PORT)
    let port = FIRST_PROXY_PORT
    while (this.localPorts.includes(port)) port += 1
    this.proxyPort = port
    this.#serve = createProxy((host, port) => this.#dial(host, port))
  }

  /** Takes over a listening socket of the sandbox. */
  receive(port: number, server: Server): void {
    if (this.#closed) {
      server.close()
      return
    }
    this.#servers.add(server)
    // Whoever says that it has sent everything may still wait for the answer.
    Object.assign(server, { allowHalfOpen: true })
    server.on('error', () => {})
    server.on('connection', socket => {
      if (this.#sockets.size >= MOST_SOCKETS) {
        socket.destroy()
        return
      }
      this.#keep(socket)
      if (port === this.proxyPort) this.#serve(socket)
      else void this.#forward(socket, port)
    })
  }

  /** Ends everything: nothing is reached any more. */
  close(): void {
    this.#closed = true
    for (const server of this.#servers) server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async #dial(host: string, port: number): Promise<Socket> {
    const socket = await dial(await findAddresses(this.#rules, host, port, this.#resolveHost), port)
    this.#keep(socket)
    if (this.#closed) socket.destroy()
    return socket
  }

  async #forward(socket: Socket, port: number): Promise<void> {
    try {
      joinSockets(socket, await this.#dial('localhost', port))
    } catch {
      socket.destroy()
    }
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
  }
}
