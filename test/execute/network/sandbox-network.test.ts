// Which hosts a tool reaches through its sandbox's network, and what it may send them.
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { joinSockets } from '../../../src/execute/network/join-sockets.ts'
import { isOwnAddress } from '../../../src/execute/network/own-address.ts'
import { SandboxNetwork } from '../../../src/execute/network/sandbox-network.ts'
import { get, listen, openOrigin, openProxy, say, tunnel } from './open-proxy.ts'

it('reaches a host that is named, by CONNECT and by a plain request', async () => {
  const origin = await openOrigin('127.0.0.2')
  const place = `127.0.0.2:${origin.port}`
  const { port } = await openProxy([place])
  expect(await say(port, get(`http://${place}/a?b`))).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*hello/)
  expect(await say(port, tunnel(place, get('/c')))).toMatch(
    /^HTTP\/1\.1 200 Conn[\s\S]*HTTP\/1\.1 200 OK[\s\S]*hello/,
  )
  expect(origin.requests.map(({ line }) => line)).toEqual(['GET /a?b', 'GET /c'])
})

it('refuses every other host, port and spelling, and says what to do', async () => {
  const origin = await openOrigin('127.0.0.2')
  const { port, asked } = await openProxy([`127.0.0.2:${origin.port}`, 'api.example.com'], {
    'evil.example.com': ['127.0.0.2'],
  })
  const refused = [
    'evil.example.com:443',
    'api.example.com:22',
    'api.example.com.evil.test:443',
    '127.0.0.2:1',
  ]
  for (const place of [...refused, 'localhost:3000', '[::1]:80', '169.254.169.254:80', '2130706434:80']) {
    const heard = await say(port, tunnel(place, ''))
    expect(heard, place).toMatch(
      /^HTTP\/1\.1 403 the tool may not reach `[^`]+`: its `permissions\.network` does not name it/,
    )
    expect(await say(port, get(`http://${place}/`)), place).toMatch(/^HTTP\/1\.1 403 /)
  }
  expect(asked).toEqual([])
  expect(origin.requests).toEqual([])
})

it('dials what it has checked: a name is asked once, and what it means later makes no difference', async () => {
  const origin = await openOrigin('127.0.0.2')
  const answers = [['93.184.216.34', '127.0.0.2'], ['127.0.0.2'], ['10.0.0.7'], ['169.254.169.254']]
  const network = new SandboxNetwork([`rebinds.test:${origin.port}`], {
    resolveHost: async () => answers.shift() ?? [],
  })
  const server = createServer()
  const port = await listen(server, '127.0.0.1')
  network.receive(network.proxyPort, server)
  onTestFinished(() => network.close())
  const place = `rebinds.test:${origin.port}`
  const heard = []
  for (let count = 0; count < 4; count++) heard.push(await say(port, tunnel(place, get('/'))))
  expect(heard.map(text => /^HTTP\/1\.1 403 .*`([\d.]+)` is a private address/.exec(text)?.[1])).toEqual([
    '127.0.0.2',
    '127.0.0.2',
    '10.0.0.7',
    '169.254.169.254',
  ])
  expect(heard[2]).toContain(`names \`private:rebinds.test:${origin.port}\``)
  expect(heard[3]).not.toContain('private:')
  expect(answers).toEqual([])
  expect(origin.requests).toEqual([])
})

it.each(['127.0.0.1', '169.254.169.254', '0.0.0.0', '::1', 'fe80::1', '224.0.0.1'])(
  'a private name never means %s',
  async address => {
    const { port } = await openProxy(['private:intranet.test:80'], { 'intranet.test': [address] })
    expect(await say(port, tunnel('intranet.test:80', ''))).toMatch(
      /^HTTP\/1\.1 403 .*is a private address\r\n/,
    )
  },
)

it('a name that is private may be in a private network, and that is where it is dialled', async () => {
  const { port } = await openProxy(['private:intranet.test:9', 'public.test'], {
    'intranet.test': ['10.255.255.254'],
    'public.test': ['10.255.255.254'],
  })
  expect(await say(port, tunnel('public.test:443', ''))).toMatch(/^HTTP\/1\.1 403 /)
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(tunnel('intranet.test:9', ''))
  const heard = await new Promise<string>(resolve => {
    socket.once('data', chunk => resolve(String(chunk)))
    // Nobody answers at that address; dialling it is enough.
    setTimeout(() => resolve('dialling'), 200)
  })
  expect(heard).not.toContain('403')
})

it('does not follow a redirect: the next host is asked for anew', async () => {
  const origin = await openOrigin('127.0.0.2')
  const { port } = await openProxy([`127.0.0.2:${origin.port}`])
  const heard = await say(port, get(`http://127.0.0.2:${origin.port}/away`))
  expect(heard).toMatch(/^HTTP\/1\.1 302 [\s\S]*location: http:\/\/127\.0\.0\.9\//)
  expect(await say(port, get('http://127.0.0.9/'))).toMatch(/^HTTP\/1\.1 403 /)
})

it('writes a plain request anew: its first line alone says where it goes, and what belongs to a hop stays there', async () => {
  const origin = await openOrigin('127.0.0.2')
  const place = `127.0.0.2:${origin.port}`
  const { port } = await openProxy([place])
  const headers =
    'Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic eA==\r\nConnection: close, X-Mine\r\nX-Mine: 1\r\nX-Kept: 1\r\n'
  const heard = await say(port, `GET http://${place}/hop HTTP/1.1\r\nHost: evil.test\r\n${headers}\r\n`)
  expect(origin.requests[0]!.headers).toEqual({ host: place, 'x-kept': '1', connection: 'close' })
  expect(heard).toContain('x-kept: yes')
  expect(heard).not.toMatch(/x-hop|proxy-authenticate/i)
})

it.each([
  [
    'two hosts',
    (place: string) => `GET http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nHost: evil.test\r\n\r\n`,
  ],
  [
    'two lengths',
    (place: string) =>
      `POST http://${place}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 30\r\n\r\n`,
  ],
  [
    'a length and chunks',
    (place: string) =>
      `POST http://${place}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'an unknown coding',
    (place: string) =>
      `POST http://${place}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'two codings',
    (place: string) =>
      `POST http://${place}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'a folded header',
    (place: string) =>
      `GET http://${place}/ HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\nTransfer-Encoding : chunked\r\n\r\n`,
  ],
  ['a user', (place: string) => get(`http://a:b@${place}/`)],
  ['a user that looks like a host', (place: string) => get(`http://${place}@127.0.0.9/`)],
  ['a path alone', () => get('/')],
  ['another scheme', (place: string) => get(`https://${place}/`)],
  ['headers without end', (place: string) => get(`http://${place}/`, `A: ${'x'.repeat(40_000)}\r\n`)],
  ['CONNECT without a port', () => tunnel('127.0.0.2', '')],
  ['CONNECT with a user', (place: string) => tunnel(`evil@${place}`, '')],
  ['CONNECT with a path', (place: string) => tunnel(`${place}/x`, '')],
])('%s is refused', async (_, text) => {
  const origin = await openOrigin('127.0.0.2')
  const { port } = await openProxy([`127.0.0.2:${origin.port}`])
  expect(await say(port, text(`127.0.0.2:${origin.port}`))).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(origin.requests).toEqual([])
})

it('a body cannot hold a second request', async () => {
  const origin = await openOrigin('127.0.0.2')
  const place = `127.0.0.2:${origin.port}`
  const { port } = await openProxy([place])
  const inner = `GET /smuggled HTTP/1.1\r\nHost: ${place}\r\n\r\n`
  const chunk = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`
  await say(
    port,
    `GET http://${place}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
  )
  expect(origin.requests.map(({ line, body }) => [line, body])).toEqual([['GET /', inner]])
})

it('a body is delimited also where a header says that its length is not to be passed on', async () => {
  const origin = await openOrigin('127.0.0.2')
  const place = `127.0.0.2:${origin.port}`
  const { port } = await openProxy([place])
  const inner = `GET /smuggled HTTP/1.1\r\nHost: ${place}\r\nConnection: close\r\n\r\n`
  const head = `GET http://${place}/ HTTP/1.1\r\nHost: x\r\nConnection: close, Content-Length\r\n`
  await say(port, `${head}Content-Length: ${inner.length}\r\n\r\n${inner}`)
  expect(origin.requests.map(({ line, body }) => [line, body])).toEqual([['GET /', inner]])
})

it('answers one question of a connection at a time: more at once end it', async () => {
  const origin = await openOrigin('127.0.0.2')
  const place = `127.0.0.2:${origin.port}`
  const { port } = await openProxy([place])
  const question = `GET http://${place}/ HTTP/1.1\r\nHost: x\r\n\r\n`
  await say(port, question.repeat(500)).catch(() => {})
  expect(origin.requests.length).toBeLessThan(2)
  const heard = await new Promise<string>(resolve => {
    let text = ''
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('data', chunk => {
      text += chunk
      const answers = text.split('hello').length - 1
      if (answers === 3) resolve(text)
      else if (text.endsWith('hello') || text.endsWith('0\r\n\r\n')) socket.write(question)
    })
    socket.write(question)
  })
  expect(heard.match(/200 OK/g)).toHaveLength(3)
})

it('a connection whose other side has closed meanwhile is closed', async () => {
  const server = createServer(socket => socket.on('error', () => {}))
  const port = await listen(server, '127.0.0.2')
  const [gone, other] = [connect(port, '127.0.0.2'), connect(port, '127.0.0.2')]
  await Promise.all([gone, other].map(socket => new Promise(resolve => socket.once('connect', resolve))))
  await new Promise(resolve => gone.destroy().once('close', resolve))
  joinSockets(gone, other)
  expect(other.destroyed).toBe(true)
})

it('looks up few names at a time, and none after its end', async () => {
  const asked: string[] = []
  const answers: ((found: readonly string[]) => void)[] = []
  const network = new SandboxNetwork(['*'], {
    resolveHost: name => {
      asked.push(name)
      return new Promise(resolve => answers.push(resolve))
    },
  })
  const server = createServer()
  const port = await listen(server, '127.0.0.1')
  network.receive(network.proxyPort, server)
  const heard = Array.from({ length: 20 }, (_, at) =>
    say(port, tunnel(`slow-${at}.test:443`, '')).catch(() => ''),
  )
  while (asked.length < 2) await new Promise(resolve => setTimeout(resolve, 10))
  const other = await openProxy(['*'], { 'other.test': ['10.0.0.1'] })
  const others = say(other.port, tunnel('other.test:443', ''))
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(asked).toHaveLength(2)
  // One of the many, then the other's.
  answers.shift()?.([])
  answers.shift()?.([])
  expect(await others).toMatch(/^HTTP\/1\.1 403 /)
  const before = asked.length
  network.close()
  for (const answer of answers) answer([])
  await Promise.all(heard)
  expect(asked).toHaveLength(before)
})

it.each(['private:box.test:443', '*', 'box.test'])(
  '%s does not lead back to this machine, by whatever address',
  async host => {
    const addresses = ['93.184.216.34', '10.1.2.3']
    for (const address of host.startsWith('private:') ? addresses : addresses.slice(0, 1)) {
      const network = new SandboxNetwork([host], {
        resolveHost: async () => [address],
        isOwnAddress: asked => asked === address,
      })
      const server = createServer()
      const port = await listen(server, '127.0.0.1')
      network.receive(network.proxyPort, server)
      onTestFinished(() => network.close())
      expect(await say(port, tunnel('box.test:443', ''))).toContain(
        `403 the tool may not reach \`box.test:443\`: \`${address}\` is an address of this machine`,
      )
      expect(network.takeRefused()).toEqual([
        {
          host: 'box.test:443',
          reason: `the tool may not reach \`box.test:443\`: \`${address}\` is an address of this machine`,
        },
      ])
      expect(network.takeRefused()).toEqual([])
    }
  },
)

it('knows the addresses of this machine', () => {
  const own = Object.values(networkInterfaces()).flatMap(list => list?.map(({ address }) => address) ?? [])
  expect(own.filter(address => !isOwnAddress(address))).toEqual([])
  expect(['127.0.0.1', '::1', '93.184.216.34', '2606:4700::1'].map(isOwnAddress)).toEqual([
    own.includes('127.0.0.1'),
    own.includes('::1'),
    false,
    false,
  ])
})

it('remembers a bounded number of refused hosts', async () => {
  const { port, network } = await openProxy(['api.example.com'])
  for (let at = 0; at < 30; at++) await say(port, tunnel(`host-${at}.test:443`, ''))
  const refused = network.takeRefused()
  expect(refused).toHaveLength(20)
  expect(refused[0]?.host).toBe('host-0.test:443')
})

it('a port of this machine that is named is behind the same port of the sandbox', async () => {
  const origin = await openOrigin('127.0.0.1')
  const { network } = await openProxy([`localhost:${origin.port}`])
  expect(network.localPorts).toEqual([origin.port])
  const server = createServer()
  const port = await listen(server, '127.0.0.1')
  network.receive(origin.port, server)
  expect(await say(port, get('/'))).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*hello/)
})

it('the port of the proxy is not one that the tool names', () => {
  expect(new SandboxNetwork(['localhost:3128', '127.0.0.1:3129']).proxyPort).toBe(3130)
  expect(new SandboxNetwork(['*']).localPorts).toEqual([])
})
