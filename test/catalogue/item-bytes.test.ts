// The files of an item as one sequence of bytes: it round-trips, and nothing else is accepted.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPlainPath, packFiles, unpackFiles } from '../../src/catalogue/item-bytes.ts'

const path = fc.string({ minLength: 1, maxLength: 12 }).filter(isPlainPath)
const files = fc
  .array(fc.tuple(path, fc.uint8Array({ maxLength: 40 })), { minLength: 1, maxLength: 6 })
  .map(entries => new Map(entries))
  // A path cannot be both a file and a folder.
  .filter(made => ![...made.keys()].some(one => [...made.keys()].some(other => other.startsWith(`${one}/`))))

const text = (value: string) => new Uint8Array(Buffer.from(value))
const plain = (unpacked: ReadonlyMap<string, Uint8Array>) =>
  [...unpacked].map(([name, bytes]) => [name, [...bytes]]).sort()

describe('packed files', () => {
  it('come back as they were, in whatever order they were given', () => {
    fc.assert(
      fc.property(files, given => {
        const packed = packFiles(given)
        expect(plain(unpackFiles(packed))).toEqual(plain(given))
        expect(packFiles(new Map([...given].reverse()))).toEqual(packed)
      }),
    )
  })

  it('have one spelling: whatever is accepted is what would be written', () => {
    fc.assert(
      fc.property(files, fc.nat(), fc.nat(255), (given, at, byte) => {
        const changed = Uint8Array.from(packFiles(given))
        changed[at % changed.length] = byte
        let unpacked: Map<string, Uint8Array>
        try {
          unpacked = unpackFiles(changed)
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'ITEM_MALFORMED' })
          return
        }
        expect([...packFiles(unpacked)]).toEqual([...changed])
      }),
    )
  })

  it.each([
    ['nothing', ''],
    ['another kind of file', '# a tool\n'],
    ['no files', 'rye item v1\n\n'],
    ['a path that climbs', 'rye item v1\n1 ../x\n\na'],
    ['an absolute path', 'rye item v1\n1 /x\n\na'],
    ['a path with a backslash', 'rye item v1\n1 a\\b\n\na'],
    ['a path with an empty part', 'rye item v1\n1 a//b\n\na'],
    ['one name twice', 'rye item v1\n1 a\n1 a\n\nab'],
    ['names out of order', 'rye item v1\n1 b\n1 a\n\nab'],
    ['a file that is a folder as well', 'rye item v1\n1 a\n1 a-b\n1 a/b/c\n\nabc'],
    ['a name that no file system takes', `rye item v1\n1 ${'x'.repeat(256)}\n\na`],
    ['too few bytes', 'rye item v1\n5 a\n\nab'],
    ['bytes that no file has', 'rye item v1\n1 a\n\nab'],
    ['a length of another spelling', 'rye item v1\n01 a\n\na'],
  ])('are refused with %s', (_what, bytes) => {
    expect(() => unpackFiles(text(bytes))).toThrow(expect.objectContaining({ code: 'ITEM_MALFORMED' }))
  })
})
