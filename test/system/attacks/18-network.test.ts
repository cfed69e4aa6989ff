// A tool tries to talk to anybody: services of this machine, a host that it does not name, an address behind
// a permitted name.
import { createServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeSignedProject, nodeHead, pythonHead, type SignedProject, shellHead } from './signed-project.ts'

let place: SignedProject
/** On 127.0.0.2, which a tool may name like any other private address, and on 127.0.0.1. */
let named: HttpServer
let local: HttpServer
let other: Server
const sockets: Server[] = []
let reached: string[] = []
const portOf = (server: Server | HttpServer) => (server.address() as AddressInfo).port
const ABSTRACT = `\0rye-network-${process.pid}`

beforeAll(async () => {
  place = await makeSignedProject()
  named = createServer((request, response) => {
    reached.push(`named ${request.method} ${request.url}`)
    if (request.url === '/away')
      response.writeHead(302, { location: `http://127.0.0.3:${portOf(other)}/` }).end()
    else response.end('named')
  })
  local = createServer((request, response) => {
    reached.push(`local ${request.method} ${request.url}`)
    response.end('local')
  })
  const hear = (what: string) =>
    createTcpServer(socket => {
      reached.push(what)
      socket.destroy()
    })
  other = hear('other')
  await new Promise<void>(resolve => named.listen(0, '127.0.0.2', resolve))
  await new Promise<void>(resolve => local.listen(0, '127.0.0.1', resolve))
  await new Promise<void>(resolve => other.listen(0, '0.0.0.0', resolve))
  for (const path of [join(place.project, 'service.sock'), ABSTRACT]) {
    const server = hear(`socket ${path.slice(1)}`)
    await new Promise<void>(resolve => server.listen(path, resolve))
    sockets.push(server)
  }
})
beforeEach(() => {
  reached = []
})
afterAll(() => {
  for (const server of [named, local, other, ...sockets]) server.close()
  place.remove()
})

async function execute(file: string, text: string, parameters: object = {}) {
  place.write(`.ai/tools/${file}`, text)
  const id = file.replace(/\.\w+$/, '')
  await place.sign(id)
  const answer = await place.execute(id, parameters)
  expect(answer).toMatchObject({ status: 'success', isolation: 'bubblewrap' })
  return answer
}

const REACH = `
import os, socket, urllib.request

def attempt(work):
    try:
        return work() or "reached"
    except Exception as fault:
        return "refused: %s" % fault

def dial(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as client:
        client.settimeout(5)
        client.connect(address)

def ask(host, text):
    at, _, port = os.environ["RYE_PROXY"].rpartition(":")
    with socket.create_connection((at, int(port)), 10) as client:
        client.sendall(text.encode())
        return client.makefile("rb").readline().decode().strip()

def get(url):
    return urllib.request.urlopen(url, timeout=10).read().decode()
`

it('a tool that names no host reaches nothing', async () => {
  const tool = `${pythonHead()}${REACH}
def execute(params, project_path):
    os.chdir(project_path)
    return {
        "this machine": attempt(lambda: dial(socket.AF_INET, ("127.0.0.1", params["local"]))),
        "another address of it": attempt(lambda: dial(socket.AF_INET, ("127.0.0.2", params["named"]))),
        "all of its addresses": attempt(lambda: [dial(socket.AF_INET, (address, params["other"])) for address in params["addresses"]]),
        "a public address": attempt(lambda: dial(socket.AF_INET, ("1.1.1.1", 443))),
        "a name": attempt(lambda: socket.getaddrinfo("example.com", 443) and ""),
        "a socket of a file": attempt(lambda: dial(socket.AF_UNIX, "service.sock")),
        "an abstract socket": attempt(lambda: dial(socket.AF_UNIX, params["abstract"])),
        "a proxy": attempt(lambda: os.environ["HTTPS_PROXY"]),
    }
`
  const { networkInterfaces } = await import('node:os')
  const addresses = Object.values(networkInterfaces()).flatMap(list =>
    (list ?? []).flatMap(({ family, address }) => (family === 'IPv4' ? [address] : [])),
  )
  const parameters = {
    local: portOf(local),
    named: portOf(named),
    other: portOf(other),
    addresses,
    abstract: ABSTRACT,
  }
  const { data, trace } = await execute('closed.py', tool, parameters)
  for (const [what, outcome] of Object.entries(data)) expect(outcome, what).toMatch(/^refused/)
  expect(reached).toEqual([])
  expect(trace.permissions.network).toBe('closed')
})

it('a tool reaches the host that it names, and no other', async () => {
  const head = `${pythonHead()}CONFIG = {"permissions": {"network": ["127.0.0.2:${portOf(named)}", "${hostname()}:*"]}}\n`
  const tool = `${head}${REACH}
def execute(params, project_path):
    at = "127.0.0.2:%d" % params["named"]
    other = params["other"]
    return {
        "named": attempt(lambda: get("http://%s/a" % at)),
        "without the proxy": attempt(lambda: dial(socket.AF_INET, ("127.0.0.2", params["named"]))),
        "another address": attempt(lambda: get("http://127.0.0.3:%d/" % other)),
        "this machine": attempt(lambda: ask(at, "CONNECT 127.0.0.1:%d HTTP/1.1\\r\\n\\r\\n" % other)),
        "this machine, spelled otherwise": attempt(lambda: ask(at, "CONNECT 2130706433:%d HTTP/1.1\\r\\n\\r\\n" % other)),
        "another port": attempt(lambda: ask(at, "CONNECT 127.0.0.2:%d HTTP/1.1\\r\\n\\r\\n" % other)),
        "a redirect": attempt(lambda: get("http://%s/away" % at)),
        "a name of a private address": attempt(lambda: ask(at, "CONNECT %s:%d HTTP/1.1\\r\\n\\r\\n" % (params["hostname"], other))),
        "metadata": attempt(lambda: get("http://169.254.169.254/latest/meta-data/")),
        "two hosts": attempt(lambda: ask(at, "GET http://%s/ HTTP/1.1\\r\\nHost: a\\r\\nHost: b\\r\\n\\r\\n" % at)),
        "two lengths": attempt(lambda: ask(at, "POST http://%s/ HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 4\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n" % at)),
        "descriptors": sorted(int(name) for name in os.listdir("/proc/self/fd") if is_socket(name)),
        "channel": os.environ.get("NODE_CHANNEL_FD"),
    }

def is_socket(name):
    try:
        return os.readlink("/proc/self/fd/" + name).startswith("socket:")
    except OSError:
        return False
`
  const parameters = { named: portOf(named), other: portOf(other), hostname: hostname() }
  const { data } = await execute('named.py', tool, parameters)
  expect(data).toMatchObject({ named: 'named', descriptors: [0, 1, 2, 3, 4], channel: null })
  expect(data['without the proxy']).toMatch(/^refused/)
  const unnamed = /403.* the tool may not reach `.*`: its `permissions.network` does not name it/i
  for (const what of [
    'another address',
    'this machine',
    'this machine, spelled otherwise',
    'another port',
    'a redirect',
    'metadata',
  ])
    expect(data[what], what).toMatch(unnamed)
  // A few machines do not know their own name.
  expect(data['a name of a private address']).toMatch(
    /403 .*`[\d.a-f:]+` is a private address|502 .*was not found/,
  )
  for (const what of ['two hosts', 'two lengths']) expect(data[what], what).toMatch(/^HTTP\/1\.1 400 /)
  expect(reached).toEqual(['named GET /a', 'named GET /away'])
})

it('a port of this machine that is named is the same port of the sandbox, and `*` is no name for it', async () => {
  const head = `${shellHead()}# CONFIG = {"permissions": {"network": ["*:*", "localhost:${portOf(local)}"]}}\n`
  const text = `${head}
curl -sS "http://localhost:${portOf(local)}/a"; echo
curl -sS "http://127.0.0.2:${portOf(named)}/b"; echo
curl -sS --noproxy '' "http://127.0.0.1:${portOf(named)}/c" -o /dev/null -w '%{http_code}\\n'
`
  const { data } = await execute('local.sh', text)
  expect(data.stdout.split('\n').filter(Boolean)).toEqual([
    'local',
    `the tool may not reach \`127.0.0.2:${portOf(named)}\`: \`127.0.0.2\` is a private address, unless \`permissions.network\` names \`127.0.0.2\``,
    '403',
  ])
  expect(reached).toEqual(['local GET /a'])
})

it('a JavaScript tool is held to its hosts by fetch, node:http and node:net alike', async () => {
  const text = `${nodeHead()}
export const CONFIG = { permissions: { network: ['127.0.0.2:${portOf(named)}'] } }
import { get } from 'node:http'
import { connect } from 'node:net'
const ask = url => fetch(url).then(answer => answer.text(), fault => String(fault.cause))
const plain = url => new Promise(resolve => {
  get(url, answer => answer.on('data', data => resolve(String(data)))).on('error', fault => resolve(String(fault)))
})
const raw = (port, host) => new Promise(resolve => {
  connect(port, host, () => resolve('reached')).on('error', fault => resolve(fault.code))
})
export async function execute({ named, other }) {
  return {
    fetched: [await ask(\`http://127.0.0.2:\${named}/a\`), await ask(\`http://127.0.0.3:\${other}/\`)],
    got: [await plain(\`http://127.0.0.2:\${named}/b\`), await plain(\`http://127.0.0.3:\${other}/\`)],
    raw: [await raw(named, '127.0.0.2'), await raw(other, '127.0.0.3')],
  }
}
`
  const { data } = await execute('script.mjs', text, { named: portOf(named), other: portOf(other) })
  const refused = expect.stringContaining('does not name it')
  expect(data).toEqual({
    fetched: ['named', refused],
    got: ['named', refused],
    raw: ['ECONNREFUSED', 'ECONNREFUSED'],
  })
  expect(reached).toEqual(['named GET /a', 'named GET /b'])
})

it('no parameter of a caller names a host, whatever its name', async () => {
  const config = { permissions: { network: ['{resolved_config.url}', '{resolved_items.server.config.url}'] } }
  const tool = `${pythonHead()}CONFIG = ${JSON.stringify(config)}${REACH}
def execute(params, project_path):
    return {"got": attempt(lambda: get(params["resolved_config"]["url"])), "proxy": os.environ.get("RYE_PROXY")}
`
  const url = `http://127.0.0.2:${portOf(named)}/`
  const settings = { url, allow_private: true }
  const parameters = { resolved_config: settings, resolved_items: { server: { config: settings } } }
  const { data, trace } = await execute('chosen.py', tool, parameters)
  expect(data).toEqual({ got: expect.stringMatching(/^refused/), proxy: null })
  expect(trace.permissions.network).toBe('closed')
  expect(reached).toEqual([])
})

it('a tool that sends many requests at once, or one in another, opens no connection for each', async () => {
  const head = `${pythonHead()}CONFIG = {"permissions": {"network": ["127.0.0.2:${portOf(named)}"]}}\n`
  const tool = `${head}${REACH}
def execute(params, project_path):
    at = "127.0.0.2:%d" % params["named"]
    inner = "GET /hidden HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
    head = "GET http://%s/one HTTP/1.1\\r\\nHost: a\\r\\nConnection: close, Content-Length\\r\\nContent-Length: %d\\r\\n\\r\\n"
    return {
        "hidden": attempt(lambda: ask(at, head % (at, len(inner)) + inner)),
        "many": attempt(lambda: ask(at, ("GET http://%s/many HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n" % at) * 2000)),
    }
`
  await execute('many.py', tool, { named: portOf(named) })
  expect(reached.filter(line => line === 'named GET /many').length).toBeLessThan(2)
  expect(reached.filter(line => line !== 'named GET /many')).toEqual(['named GET /one'])
})

it('what was refused is told where the program that asked does not say it', async () => {
  const head = `${shellHead()}# CONFIG = {"permissions": {"network": ["127.0.0.2:${portOf(named)}"]}}\n`
  place.write('.ai/tools/curls.sh', `${head}\ncurl -sS https://evil.test/ https://127.0.0.3/\n`)
  await place.sign('curls')
  expect(await place.execute('curls')).toMatchObject({
    status: 'error',
    refused_hosts: ['evil.test:443', '127.0.0.3:443'],
    hint: 'the tool may not reach `evil.test:443`: its `permissions.network` does not name it',
  })
})

it.each([
  ['"yes"', '`permissions.network` must be false or a list of hosts'],
  ['["https://a.example"]', '`permissions.network[0]`: expected a host without `https://`'],
  ['["a.example", "localhost"]', '`permissions.network[1]`: `localhost` needs a port'],
])('permissions.network = %s is not signed', async (network, fault) => {
  place.write(
    '.ai/tools/bad.py',
    `${pythonHead()}CONFIG = {"permissions": {"network": ${network}}}\ndef execute(params, project_path):\n    return {}\n`,
  )
  const ran = await place.rye(['sign', 'tool:bad', '--json'])
  expect(ran.status).not.toBe(0)
  expect(JSON.stringify(ran.json())).toContain(JSON.stringify(fault).slice(1, -1))
})
