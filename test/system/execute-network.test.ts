// Tools that name hosts, run as the server runs them: which programs get through, and what remains when a
// tool ends.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SandboxNetwork } from '../../src/execute/network/sandbox-network.ts'
import { runPlan } from '../../src/execute/run-plan.ts'
import { createRunner, type Runner } from '../../src/execute/runner.ts'
import {
  BASH,
  findSurvivors,
  functionInvocation,
  makeDirectory,
  makeMarker,
  makePlan,
  PYTHON,
  processInvocation,
} from '../execute/hand-made-plan.ts'
import { until } from '../fixtures/patience.ts'

const tls = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url))
const CERTIFICATE = new URL('../fixtures/tls/certificate.pem', import.meta.url).pathname
const project = makeDirectory()
const servers: Server[] = []
/** Everything that was ever connected to the endless server. */
const endless: Socket[] = []
let plain = ''
let secure = ''
let flood = ''
let runner: Runner

async function listen(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.2', resolve))
  servers.push(server)
  return `127.0.0.2:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  plain = await listen(createHttpServer((_, response) => response.end('plain')))
  const credentials = { key: tls('key.pem'), cert: tls('certificate.pem') }
  secure = await listen(createHttpsServer(credentials, (_, response) => response.end('secure')))
  flood = await listen(
    createServer(socket => {
      endless.push(socket.on('error', () => {}))
      const chunk = Buffer.alloc(65_536, 'x')
      const write = () => {
        while (!socket.destroyed && socket.write(chunk)) {}
      }
      socket.on('drain', write)
      write()
    }),
  )
  runner = createRunner({
    isolation: 'bubblewrap',
    readable: [CERTIFICATE],
    resolveHost: async () => ['10.0.0.7'],
  })
})
afterAll(async () => {
  await runner.close()
  for (const server of servers) server.close()
  for (const socket of endless) socket.destroy()
})

const permit = (...network: string[]) => ({ network, write: [] })

const NODE = `
import http from 'node:http'
import https from 'node:https'
const ask = url => fetch(url).then(answer => answer.text(), fault => String(fault.cause))
const get = (url, options = {}) => new Promise(resolve => {
  const { get } = url.startsWith('https') ? https : http
  get(url, options, answer => answer.on('data', data => resolve(String(data)))).on('error', fault => resolve(String(fault)))
})
const [plain, secure] = process.argv.slice(-2)
console.log(JSON.stringify([
  await ask('http://' + plain),
  await ask('https://' + secure),
  await get('http://' + plain),
  await get('https://' + secure),
  await get('https://' + secure, { agent: new https.Agent({ keepAlive: true }) }),
  await get('http://' + plain, { agent: false }),
  await ask('https://elsewhere.test/'),
  await get('https://elsewhere.test/'),
]))
process.exit()
`
const REFUSED = expect.stringContaining('the tool may not reach `elsewhere.test:443`')
const THROUGH = ['plain', 'secure', 'plain', 'secure', 'secure', 'plain', REFUSED, REFUSED]

it('a Node program reaches its hosts by fetch, node:http and node:https, with agents of its own too', async () => {
  const invocation = processInvocation({
    command: process.execPath,
    args: ['--input-type=module', '-e', NODE, plain, secure],
    cwd: project,
  })
  const environment = { PATH: process.env.PATH ?? '', NODE_EXTRA_CA_CERTS: CERTIFICATE }
  const plan = makePlan({ projectPath: project, invocation, environment, permissions: permit(plain, secure) })
  expect((await runPlan(plan, runner)).data).toEqual(THROUGH)
})

it('what is loaded into Node programs does the same in other versions of Node', async () => {
  // Those that were fetched for the suite; none, on a machine that has only one.
  const cache = new URL('../../.cache/', import.meta.url).pathname
  const folders = (existsSync(cache) ? readdirSync(cache) : []).filter(name => name.startsWith('node-'))
  const nodes = folders.flatMap(folder => {
    const modules = join(cache, folder, 'node_modules')
    return readdirSync(modules, { encoding: 'utf8' })
      .filter(name => name.startsWith('node-'))
      .map(name => join(modules, name, 'bin/node'))
  })
  const network = new SandboxNetwork([plain, secure])
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  network.receive(network.proxyPort, server)
  const preload = new URL('../../src/execute/workers/programs/network-preload.cjs', import.meta.url).pathname
  const env = {
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
    RYE_PROXY: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    NODE_OPTIONS: `--require="${preload}"`,
  }
  const run = promisify(execFile)
  for (const node of [process.execPath, ...nodes]) {
    const { stdout } = await run(node, ['--input-type=module', '-e', NODE, plain, secure], { env })
    expect(JSON.parse(stdout), node).toEqual(THROUGH)
  }
  network.close()
})

it('other programs find the proxy by its usual names', async () => {
  const script = `
curl -sS --cacert "$CA" "https://${secure}/"; echo
"$PYTHON" -c 'import urllib.request; print(urllib.request.urlopen("http://${plain}/").read().decode())'
git ls-remote http://elsewhere.test/x 2>&1 | grep -o 'error: 403'
curl -sS http://elsewhere.test/`
  const invocation = processInvocation({ command: BASH, args: ['-c', script], cwd: project })
  const environment = { PATH: process.env.PATH ?? '', CA: CERTIFICATE, PYTHON }
  const plan = makePlan({ projectPath: project, invocation, environment, permissions: permit(plain, secure) })
  const { data } = await runPlan(plan, runner)
  expect((data as { stdout: string }).stdout.trim().split('\n')).toEqual([
    'secure',
    'plain',
    'error: 403',
    'the tool may not reach `elsewhere.test:80`: its `permissions.network` does not name it',
  ])
})

const DIAL = `
import os, urllib.request
def execute(params, project_path):
    try:
        return {"text": urllib.request.urlopen("http://" + params["at"], timeout=10).read().decode(), "pid": os.getpid()}
    except Exception as fault:
        return {"text": str(fault), "pid": os.getpid()}
`
const callFunction = (at: string, network: string[]) => {
  const invocation = functionInvocation(DIAL, { command: PYTHON, cwd: project })
  const plan = makePlan({
    projectPath: project,
    invocation,
    parameters: { at },
    permissions: permit(...network),
  })
  return runPlan(plan, runner).then(({ data }) => data as { text: string; pid: number })
}

it('a warm worker keeps its network, and lends it to no tool with other hosts', async () => {
  const first = await callFunction(plain, [plain])
  const second = await callFunction(plain, [plain])
  expect(first.text).toBe('plain')
  expect(second).toEqual(first)
  expect((await callFunction(plain, [secure])).text).toContain('does not name it')
  expect((await callFunction(plain, [])).text).not.toBe('plain')
  expect((await callFunction('intranet.test', ['intranet.test'])).text).toContain(
    '`10.0.0.7` is a private address',
  )
})

it.each(['cancelled', 'timed out'])(
  'a tool that is %s in the middle of a download leaves nothing behind',
  async how => {
    const marker = makeMarker()
    const before = endless.length
    const invocation = processInvocation({
      command: BASH,
      args: ['-c', `curl -sS --http0.9 -p http://${flood}/ -o /dev/null`],
      cwd: project,
    })
    const environment = { PATH: process.env.PATH ?? '', MARKER: marker }
    const cancel = new AbortController()
    // Time to begin the download; where that takes long, it gets more.
    for (let timeoutMs = how === 'cancelled' ? 600_000 : 1_000; endless.length === before; timeoutMs *= 4) {
      const plan = makePlan({
        projectPath: project,
        invocation,
        environment,
        timeoutMs,
        permissions: permit(flood),
      })
      const running = runPlan(plan, runner, { signal: cancel.signal })
      if (how === 'cancelled') {
        await until(() => endless.length > before)
        cancel.abort()
      }
      expect((await running).status).toBe('error')
    }
    await until(() => endless.every(socket => socket.destroyed))
    expect(await findSurvivors(marker)).toEqual([])
  },
)

it('exit status, signals, descriptors and standard streams are as without a network', async () => {
  const script = 'cat; echo fault >&2; ls /proc/self/fd | wc -l; env | grep -c NODE_CHANNEL; kill -TERM $$'
  const run = (network: string[]) => {
    const invocation = processInvocation({
      command: BASH,
      args: ['-c', script],
      cwd: project,
      stdin: 'given\n',
    })
    return runPlan(makePlan({ projectPath: project, invocation, permissions: permit(...network) }), runner)
  }
  const [closed, open] = [await run([]), await run(['*'])]
  expect(open).toEqual({ ...closed, durationMs: open.durationMs })
  expect(open).toMatchObject({ status: 'error', data: { stdout: expect.stringContaining('given') } })
})
