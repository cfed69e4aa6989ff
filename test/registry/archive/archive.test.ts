// Archives that we write are read back unchanged, and hardly any change to one goes unnoticed.
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gunzip } from '../../../src/registry/archive/gunzip.ts'
import { readTar } from '../../../src/registry/archive/read-tar.ts'
import { writeArchive } from '../../../src/registry/archive/write-archive.ts'

const segment = fc.stringMatching(/^[A-Za-z0-9_\u00e9 -]{1,60}$/)
const path = fc
  .array(segment, { minLength: 1, maxLength: 6 })
  .map(segments => `package/${segments.join('/')}`)
const files = fc.dictionary(path, fc.uint8Array({ maxLength: 2000 }), { maxKeys: 6, noNullPrototype: true })

const read = async (archive: Buffer) =>
  new Map(Array.from(readTar(await gunzip(archive)), file => [file.path, Buffer.from(file.bytes)]))

describe('an archive', () => {
  it('is read as it was written, and written the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(files, async content => {
        const given = new Map(Object.entries(content).map(([name, bytes]) => [name, Buffer.from(bytes)]))
        const archive = await writeArchive(given)
        expect(await read(archive)).toEqual(given)
        expect((await writeArchive(given)).equals(archive)).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it('that lost its end, or has more behind it, is refused', async () => {
    const archive = await writeArchive(new Map([['package/a', Buffer.from('a'.repeat(900))]]))
    for (let length = 0; length < archive.length; length++)
      await expect(gunzip(archive.subarray(0, length)), String(length)).rejects.toThrow('the archive')
    await expect(gunzip(Buffer.concat([archive, Buffer.alloc(1)]))).rejects.toThrow('goes on after its end')
  })

  it('with a changed byte is refused, or the change was in what nothing reads', async () => {
    const archive = await writeArchive(new Map([['package/a', Buffer.from('content')]]))
    const plain = await gunzip(archive)
    for (let at = 10; at < archive.length; at++) {
      const changed = Buffer.from(archive)
      changed[at]! ^= 1
      const found = await gunzip(changed).catch(() => undefined)
      expect(found === undefined || found.equals(plain), String(at)).toBe(true)
    }
  })

  it('may have a name, a comment and the like in its header', async () => {
    const packed = gzipSync('content')
    const extra = Buffer.from([2, 0, 7, 7])
    const header = Buffer.from([0x1f, 0x8b, 8, 4 + 8 + 16 + 2, 0, 0, 0, 0, 0, 3])
    const named = Buffer.concat([
      header,
      extra,
      Buffer.from('name\0comment\0'),
      Buffer.from([0, 0]),
      packed.subarray(10),
    ])
    expect((await gunzip(named)).toString()).toBe('content')
  })

  it('is never too odd: any bytes are files or a refusal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), bytes => {
        try {
          expect([...readTar(Buffer.from(bytes))].length).toBeGreaterThanOrEqual(0)
        } catch (thrown) {
          expect(String(thrown)).toContain('the archive')
        }
      }),
    )
  })
})
