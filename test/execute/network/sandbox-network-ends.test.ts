// How much the network of a sandbox carries, how it ends, and what a misbehaving host does to it.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { until } from '../../fixtures/patience.ts'
import { get, listen, openProxy, say, tunnel } from './open-proxy.ts'

it('carries much, as slowly as it is read, and not a byte less', async () => {
  const size = 64 * 1024 * 1024
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.end(Buffer.alloc(size, 'x'))
  })
  const place = `127.0.0.2:${await listen(server, '127.0.0.2')}`
  const { port } = await openProxy([place])
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(tunnel(place, ''))
  await new Promise(resolve => socket.once('readable', resolve))
  // Nobody reads: data on the way is held by the kernel, and by buffers of ours that do not grow.
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(socket.bytesRead).toBeLessThan(1024 * 1024)
  let total = -'HTTP/1.1 200 Connection established\r\n\r\n'.length
  for await (const chunk of socket) total += chunk.length
  expect(total).toBe(size)
})

it('what is closed reaches nothing any more', async () => {
  const accepted: Socket[] = []
  const server = createServer(socket => accepted.push(socket.on('error', () => {})))
  const place = `127.0.0.2:${await listen(server, '127.0.0.2')}`
  const { port, network } = await openProxy([place])
  const socket = connect(port, '127.0.0.1')
  socket.write(tunnel(place, ''))
  await new Promise(resolve => socket.once('data', resolve))
  const ended = [socket, accepted[0]!].map(end => new Promise(resolve => end.once('close', resolve)))
  network.close()
  socket.on('error', () => {})
  await Promise.all(ended)
  const late = createServer()
  const latePort = await listen(late, '127.0.0.1')
  network.receive(network.proxyPort, late)
  await expect(say(latePort, tunnel(place, ''))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

it('has a bound on connections', async () => {
  const { port } = await openProxy(['api.example.com'])
  const sockets = Array.from({ length: 300 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    return socket
  })
  const open = () => sockets.filter(socket => !socket.closed)
  await until(() => open().length <= 256)
  const left = open()
  // The remaining ones are served.
  await Promise.all(
    left.map(async socket => {
      socket.write(get('http://elsewhere.test/'))
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 403 /)
    }),
  )
  expect(left).toHaveLength(256)
})

it.each([
  ['a status that is none', 'HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n'],
  ['a header with DEL', 'HTTP/1.1 200 OK\r\nX: a\x7fb\r\nContent-Length: 0\r\n\r\n'],
  ['a reason with DEL', 'HTTP/1.1 200 a\x7fb\r\nContent-Length: 0\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nabcde'],
  [
    'a protocol that nobody asked for',
    'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nhello',
  ],
  ['nothing', ''],
  ['noise', '\0\x01\x02'],
])('a host that answers with %s breaks its own connection only', async (_, text) => {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(text, 'latin1'))
  })
  const place = `127.0.0.2:${await listen(server, '127.0.0.2')}`
  const { port } = await openProxy([place])
  expect(await say(port, get(`http://${place}/`))).not.toMatch(/^HTTP\/1\.1 (?:099|101)/)
  expect(await say(port, get('http://elsewhere.test/'))).toMatch(/^HTTP\/1\.1 403 /)
})
