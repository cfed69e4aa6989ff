// Which user's program is at the other end of a connection, by the kernel's own table.
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { findUsers, isOtherUser } from '../../../src/surfaces/ui/peer-user.ts'

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:117E 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41 1 0000000000000000 100 0 0 10 0
   1: 0100007F:117E 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 42 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:C350 0100007F:117E 01 00000000:00000000 00:00000000 00000000  1001        0 43 1 0000000000000000 20 4 30 10 -1
`

it('the far end is another row than our own', () => {
  expect(findUsers(TABLE, { port: 0x117e, peerPort: 0xc350 })).toEqual([1001])
  expect(findUsers(TABLE, { port: 0xc350, peerPort: 0x117e })).toEqual([1000])
  expect(findUsers(TABLE, { port: 0x117e, peerPort: 0xc351 })).toEqual([])
  expect(findUsers('', { port: 0x117e, peerPort: 0xc350 })).toEqual([])
  expect(findUsers('sl\n\n::\n 0: x y', { port: 0x117e, peerPort: 0xc350 })).toEqual([])
})

it('somebody who calls from another address, from a port that we use as well, is found beside us', () => {
  const other = TABLE.replaceAll('0100007F:C350', '0200007F:C350').replace('1001', '1002')
  expect(findUsers(TABLE + other, { port: 0x117e, peerPort: 0xc350 })).toEqual([1001, 1002])
})

it('who calls by a mapped address of IPv6 is found in the other table, and who is in none is not let in', () => {
  const ends = { port: 0x117e, peerPort: 0xc350 }
  const own = process.getuid!()
  const mapped = (user: number) => `  sl  local_address remote_address
   0: 0000000000000000FFFF00000100007F:C350 0000000000000000FFFF00000100007F:117E 01 00000000:00000000 00:00000000 00000000  ${user} 0 43 1
`
  expect(findUsers(mapped(1001), ends)).toEqual([1001])
  expect(isOtherUser(ends, ['  sl\n', mapped(own + 1)])).toBe(true)
  expect(isOtherUser(ends, ['  sl\n', mapped(own)])).toBe(false)
  expect(isOtherUser(ends, ['  sl\n', '  sl\n'])).toBe(true)
  expect(isOtherUser(ends, ['', ''])).toBe(false)
})

it('a connection of our own is ours', async () => {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await new Promise(done => socket.once('connect', done))
  const ends = { port, peerPort: socket.localPort! }
  expect(findUsers(readFileSync('/proc/net/tcp', 'utf8'), ends)).toEqual([process.getuid!()])
  expect(isOtherUser(ends)).toBe(false)
  const mapped = connect(port, '::ffff:127.0.0.1')
  await new Promise(done => mapped.once('connect', done))
  expect(isOtherUser({ port, peerPort: mapped.localPort! })).toBe(false)
  mapped.destroy()
  socket.destroy()
  await new Promise(done => server.close(done))
})
