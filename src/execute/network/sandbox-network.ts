// Serves the network of one sandbox, which has a loopback of its own and nothing else. Before the tool
// starts, a program of ours (`network-ports.cjs`) opens the ports there, passes the listening sockets to us,
// and ends. So we accept the tool's connections, and nothing of ours stays inside. One port leads to the
// proxy, the others to those ports of this machine's loopback that the tool names.
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Server, Socket } from 'node:net'
import { type HostRule, parseHostRule } from '../../plan/network/index.ts'
import { FairQueue } from '../process/queue.ts'
import type { PortReceiver } from '../process/spawn.ts'
import { dial, findAddresses, Refusal, type Surroundings } from './destination.ts'
import { joinSockets } from './join-sockets.ts'
import { isOwnAddress } from './own-address.ts'
import { createProxy } from './proxy.ts'
import { resolveBySystem } from './resolve-host.ts'

/**
 * Sockets of one sandbox, from it and to hosts; hosts that have not answered yet count. Any more are closed.
 */
const MOST_SOCKETS = 256
/**
 * The system looks up few names at a time, and a name server may be slow. The queue keeps one tool from
 * making the others wait.
 */
const lookups = new FairQueue(2)
const MOST_REFUSED = 20
const FIRST_PROXY_PORT = 3128
const FIRST_OPEN_PORT = 1024

/** A host and port that a tool was not allowed to reach. */
export interface RefusedHost {
  readonly host: string
  readonly reason: string
}

/** Anything absent is taken from the system. */
type GivenSurroundings = { readonly [Name in keyof Surroundings]?: Surroundings[Name] | undefined }

export class SandboxNetwork implements PortReceiver {
  /** The proxy's port in the sandbox. */
  readonly proxyPort: number
  /** Ports in the sandbox that lead to the same ports of this machine. */
  readonly localPorts: readonly number[]
  readonly #rules: readonly HostRule[]
  readonly #surroundings: Surroundings
  readonly #serve: (socket: Socket) => void
  readonly #servers = new Set<Server>()
  readonly #sockets = new Set<Socket>()
  readonly #closing = new AbortController()
  readonly #refused = new Map<string, string>()
  #dials = 0

  constructor(hosts: readonly string[], given: GivenSurroundings = {}) {
    this.#rules = hosts.flatMap(host => parseHostRule(host) ?? [])
    const { resolveHost = resolveBySystem } = given
    const { signal } = this.#closing
    setMaxListeners(0, signal)
    const name = randomUUID()
    this.#surroundings = {
      resolveHost: host => lookups.run(name, () => resolveHost(host), signal),
      isOwnAddress: given.isOwnAddress ?? isOwnAddress,
    }
    const local = this.#rules.flatMap(({ kind, ports }) => (kind === 'loopback' ? (ports ?? []) : []))
    this.localPorts = [...new Set(local)].filter(port => port >= FIRST_OPEN_PORT)
    let port = FIRST_PROXY_PORT
    while (this.localPorts.includes(port)) port += 1
    this.proxyPort = port
    this.#serve = createProxy((host, port) => this.#dial(host, port))
  }

  /** Takes over a listening socket of the sandbox. */
  receive(port: number, server: Server): void {
    if (this.#closing.signal.aborted) {
      server.close()
      return
    }
    this.#servers.add(server)
    // A client that has sent everything may still wait for the answer.
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

  /**
   * The destinations that were refused since the last call, each with the reason. Only the first few are
   * kept.
   */
  takeRefused(): RefusedHost[] {
    const refused = [...this.#refused].map(([host, reason]) => ({ host, reason }))
    this.#refused.clear()
    return refused
  }

  /** Closes everything. Nothing can be reached any more. */
  close(): void {
    this.#closing.abort()
    for (const server of this.#servers) server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async #dial(host: string, port: number): Promise<Socket> {
    if (this.#dials >= MOST_SOCKETS)
      throw new Refusal(503, `expected at most ${MOST_SOCKETS} connections at once`)
    this.#dials += 1
    try {
      const addresses = await findAddresses(this.#rules, host, port, this.#surroundings)
      const socket = await dial(addresses, port, this.#closing.signal)
      this.#keep(socket)
      socket.once('close', () => {
        this.#dials -= 1
      })
      return socket
    } catch (thrown) {
      this.#dials -= 1
      if (thrown instanceof Refusal) this.#remember(thrown)
      throw thrown
    }
  }

  #remember({ place, message }: Refusal): void {
    if (place !== undefined && this.#refused.size < MOST_REFUSED) this.#refused.set(place, message)
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
