// The cache of a catalogue's items stays within its limits: the least recently used goes first.
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/base/index.ts'
import { type CacheBounds, ObjectCache } from '../../../src/workspace/shared/object-cache.ts'
import { makeQuickFolder } from '../../fixtures/quick-folder.ts'

const HOUR = 3_600_000
const URI = 's3://team/library'
let root: string
beforeEach(() => {
  root = makeQuickFolder()
})
afterEach(() => rmSync(root, { recursive: true }))

const nameOf = (number: number) => ({
  ...{ type: 'knowledge' as const, id: `ops/n${number}` },
  digest: sha256Hex(String(number)),
})

/** Puts an item that was last used so many hours ago. */
function put(cache: ObjectCache, number: number, hours: number, bytes = 10): void {
  const { type, id, digest } = nameOf(number)
  const files = new Map([[`n${number}.md`, Buffer.alloc(bytes, 'x')]])
  cache.put(digest, { type, id, extension: '.md', files })
  cache.note({ type, id, digest, at: Date.now() })
  const used = new Date(Date.now() - hours * HOUR)
  const { base } = cache.rootOf({ type, id, digest })
  utimesSync(join(base, 'whole'), used, used)
  for (const note of readdirSync(join(cache.folder, 'names')))
    if (note.startsWith(sha256Hex(`${type}:${id}`))) utimesSync(join(cache.folder, 'names', note), used, used)
}

/** What is left after one more item has come in, in another process. */
function leftOf(numbers: readonly number[], most: CacheBounds): number[] {
  const cache = new ObjectCache(root, URI, most)
  put(cache, 99, 0)
  return [...numbers, 99].filter(number => cache.has(nameOf(number)))
}

describe('the cache', () => {
  it('keeps as many items as it may, those used last', () => {
    const cache = new ObjectCache(root, URI)
    for (const [number, hours] of [5, 1, 4, 2, 3].entries()) put(cache, number, hours)
    expect(leftOf([0, 1, 2, 3, 4], { items: 3, bytes: 1e9 })).toEqual([1, 3, 99])
    expect(new ObjectCache(root, URI).names(10).map(({ id }) => id)).toEqual(['ops/n99', 'ops/n1', 'ops/n3'])
    // The note of the new one came after the others were counted.
    expect(readdirSync(join(cache.folder, 'names'))).toHaveLength(4)
  })

  it('keeps as many bytes as it may', () => {
    const cache = new ObjectCache(root, URI)
    for (const [number, hours] of [3, 2, 1].entries()) put(cache, number, hours, 1000)
    expect(leftOf([0, 1, 2], { items: 100, bytes: 2500 })).toEqual([1, 2, 99])
  })

  it('deletes nothing that may be in use', () => {
    const cache = new ObjectCache(root, URI)
    for (let number = 0; number < 5; number++) put(cache, number, 0)
    expect(leftOf([0, 1, 2, 3, 4], { items: 2, bytes: 1e9 })).toEqual([0, 1, 2, 3, 4, 99])
  })

  it('counts an item as used when it is noted again', () => {
    const cache = new ObjectCache(root, URI)
    for (const [number, hours] of [5, 1, 4].entries()) put(cache, number, hours)
    cache.note({ ...nameOf(0), at: Date.now() })
    expect(leftOf([0, 1, 2], { items: 2, bytes: 1e9 })).toEqual([0, 99])
  })

  it('takes notes for what they are: somebody else may have written them', () => {
    const cache = new ObjectCache(root, URI)
    put(cache, 1, 0)
    const folder = join(cache.folder, 'names')
    for (const [name, text] of Object.entries({
      ...{ a: 'no JSON', b: '[]', c: '{"type":"tool","id":"../../x","digest":"x","at":1}' },
      d: JSON.stringify({ ...nameOf(2), at: 1 }),
    }))
      writeFileSync(join(folder, `${name}.json`), text)
    expect(cache.names(10).map(({ id }) => id)).toEqual(['ops/n1'])
    expect(existsSync(join(cache.folder, '..', '..', 'x'))).toBe(false)
  })
})
