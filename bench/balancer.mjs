// A minimal balancer for tests and measurements. It asks each server whether it is ready, sends requests
// round robin to those that are, and resends what a server did not take. A call that may have changed
// something is never sent twice.
import { Agent, createServer, request as send } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const CHECK_MS = 200
/** How long a request waits for any server to be ready. */
const LONGEST_WAIT_MS = 10_000
const READING = ['search', 'load', 'fetch']

/** Starts serving at once; health checks decide which of `ports` get requests. */
export async function startBalancer(ports) {
  const servers = new Map()
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  let turn = 0
  const add = port => servers.set(port, { port, ready: false, answered: 0 })
  for (const port of ports) add(port)
  const check = async () => {
    await Promise.all(
      [...servers.values()].map(async server => {
        server.ready = await isReady(server.port)
      }),
    )
  }
  await check()
  const timer = setInterval(check, CHECK_MS)
  const next = last => {
    const ready = [...servers.values()].filter(server => server.ready)
    const others = ready.filter(server => server !== last)
    turn += 1
    return others[turn % others.length] ?? ready[0]
  }
  const listener = createServer(async (incoming, outgoing) => {
    const chunks = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const deadline = performance.now() + LONGEST_WAIT_MS
    let server
    for (;;) {
      server = next(server)
      if (!server) {
        if (performance.now() > deadline || outgoing.destroyed) return outgoing.writeHead(503).end()
        await pause(CHECK_MS / 4)
        continue
      }
      const answer = await forward(server, incoming, body, agent)
      const refused = answer === 'refused' || (answer !== 'lost' && answer.statusCode === 503)
      if (refused || (answer === 'lost' && mayRepeat(body))) {
        // A lost request may have been sent on a connection that the server had just closed, so only the
        // health check marks it unready.
        if (typeof answer !== 'string') answer.resume()
        if (refused) server.ready = false
        continue
      }
      if (answer === 'lost') return outgoing.writeHead(502).end()
      server.answered += 1
      const { connection: _, 'keep-alive': __, ...headers } = answer.headers
      outgoing.writeHead(answer.statusCode, headers)
      answer.on('error', () => outgoing.destroy())
      return answer.pipe(outgoing)
    }
  })
  await new Promise(resolve => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: listener.address().port,
    /** How many requests each server has answered, by port. */
    answered: () => [...servers.values()].map(({ port, answered }) => [port, answered]),
    replace(old, port) {
      servers.delete(old)
      add(port)
    },
    async close() {
      clearInterval(timer)
      listener.closeAllConnections()
      agent.destroy()
      await new Promise(resolve => listener.close(resolve))
    },
  }
}

async function isReady(port) {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}

/**
 * The response; `refused` if the server did not take the request, `lost` if it took it and did not answer.
 */
function forward({ port }, { method, url, headers }, body, agent) {
  return new Promise(resolve => {
    const outgoing = send({ host: '127.0.0.1', port, method, path: url, headers, agent })
    outgoing.on('response', resolve)
    outgoing.on('error', error => resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'lost'))
    outgoing.end(body)
  })
}

function mayRepeat(body) {
  try {
    const { method, params } = JSON.parse(body.toString('utf8'))
    return method !== 'tools/call' || READING.includes(params?.name)
  } catch {
    return false
  }
}
