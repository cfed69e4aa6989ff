// Writes archives as an attacker would: nothing is checked.

export interface Entry {
  readonly name: string
  readonly data?: Uint8Array | string
  readonly type?: string
  readonly link?: string
  readonly size?: string
}

export function tar(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, data = '', type = '0', link = '', size }) => {
    const body = Buffer.from(data)
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000644\0', 100)
    header.write(size ?? `${body.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
    header.write('        ', 148)
    header.write(type, 156)
    header.write(link, 157)
    header.write('ustar\0', 257)
    header.write('00', 263)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

/** An extended header with one record, which applies to the next entry. */
export function pax(record: string): Entry {
  const length = [record.length + 3, record.length + 4, record.length + 5].find(
    total => `${total} ${record}\n`.length === total,
  )
  return { name: 'PaxHeader', type: 'x', data: `${length} ${record}\n` }
}

/** Text that hardly compresses. */
export function randomText(length: number): Buffer {
  const text = Buffer.alloc(length)
  for (let at = 0, seed = 1; at < length; at++) {
    seed = (seed * 48271) % 2147483647
    text[at] = 32 + (seed % 90)
  }
  return text
}
