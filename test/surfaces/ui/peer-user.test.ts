// Whose program is at the other end, by the kernel's own table.
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { findUser, isOtherUser } from '../../../src/surfaces/ui/peer-user.ts'

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:117E 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41 1 0000000000000000 100 0 0 10 0
   1: 0100007F:117E 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 42 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:C350 0100007F:117E 01 00000000:00000000 00:00000000 00000000  1001        0 43 1 0000000000000000 20 4 30 10 -1
`

it('the far end is another row than our own', () => {
  expect(findUser(TABLE, { port: 0x117e, peerPort: 0xc350 })).toBe(1001)
  expect(findUser(TABLE, { port: 0xc350, peerPort: 0x117e })).toBe(1000)
  expect(findUser(TABLE, { port: 0x117e, peerPort: 0xc351 })).toBeUndefined()
  expect(findUser('', { port: 0x117e, peerPort: 0xc350 })).toBeUndefined()
  expect(findUser('sl\n\n::\n 0: x y', { port: 0x117e, peerPort: 0xc350 })).toBeUndefined()
})

it('a connection of our own is ours', async () => {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await new Promise(done => socket.once('connect', done))
  const ends = { port, peerPort: socket.localPort! }
  expect(findUser(readFileSync('/proc/net/tcp', 'utf8'), ends)).toBe(process.getuid!())
  expect(isOtherUser(ends)).toBe(false)
  socket.destroy()
  await new Promise(done => server.close(done))
})
