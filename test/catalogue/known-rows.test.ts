// What a sync knows of a table's rows, compared with a plain map, also where two keys share a hash.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@lancedb/lancedb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readKnown } from '../../src/catalogue/table/known-rows.ts'

/** Short keys of which the third and later ones have the hash of the one before: FNV-1a without its lowest two bits. */
const COLLIDING = findCollisions(3)

function findCollisions(count: number): string[] {
  const seen = new Map<number, string>()
  const found: string[] = []
  for (let number = 0; found.length < 2 * count; number++) {
    const key = `k${number.toString(36)}`
    let hash = 0x811c9dc5
    for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, 0x01000193)
    const other = seen.get(hash >>> 2)
    if (other) found.push(other, key)
    seen.set(hash >>> 2, key)
  }
  return found
}

interface Row {
  root: string
  key: string
  digest: string
  stamp: string
  made: string
}

async function tableOf(rows: readonly Row[]) {
  const connection = await connect(mkdtempSync(join(tmpdir(), 'known-')))
  const empty = { root: '', key: '', digest: '', stamp: '', made: '' }
  const table = await connection.createTable('items', [{ ...empty, root: 'none' }])
  // Batch by batch, as a sync writes them.
  for (let from = 0; from < rows.length; from += 3)
    await table.add(rows.slice(from, from + 3) as unknown as Record<string, unknown>[])
  return table
}

const anyRow = fc.record({
  root: fc.constantFrom('team', 'other'),
  key: fc.oneof(fc.constantFrom(...COLLIDING), fc.stringMatching(/^[a-d]{1,2}$/)),
  digest: fc.stringMatching(/^[0-9a-f]{4}$/),
  stamp: fc.string({ maxLength: 5 }),
  made: fc.constantFrom('1', '2'),
})

describe('known rows', () => {
  it('are those of a plain map', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 20 }), fc.nat(), async (rows, seed) => {
        const known = await readKnown(await tableOf(rows), 'team')
        const own = rows.filter(({ root }) => root === 'team')
        const byKey = groupByKey(own)
        expect(known).toMatchObject({ rows: own.length, size: byKey.size })
        expect([...known.repeated].sort()).toEqual(
          [...byKey].flatMap(([key, those]) => (those.length > 1 ? [key] : [])).sort(),
        )
        const isPresent = new Uint8Array(known.rows)
        const gone = new Set<string>()
        for (const [key, those] of byKey) {
          const found = known.find(key)
          expect(those).toContainEqual({ root: 'team', key, ...without(found, 'number') })
          if ((seed + key.length) % 2 === 0) gone.add(key)
          else isPresent[found!.number] = 1
        }
        expect([...known.keysWithout(isPresent)].sort()).toEqual([...gone].sort())
        expect(known.find('never written')).toBeUndefined()
        for (const key of COLLIDING) if (!byKey.has(key)) expect(known.find(key)).toBeUndefined()
      }),
      { numRuns: 15 },
    )
  })

  it('are those of the keys that are asked for', async () => {
    const row = { root: 'team', digest: 'd', stamp: 's', made: '1' }
    const table = await tableOf(['a', 'b', "it's"].map(key => ({ ...row, key })))
    const known = await readKnown(table, 'team', ['b', "it's", 'c'])
    expect(known.size).toBe(2)
    expect(known.find("it's")).toEqual({ number: 1, digest: 'd', stamp: 's', made: '1' })
    expect(known.find('a')).toBeUndefined()
  })
})

function groupByKey(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row.key, [...(groups.get(row.key) ?? []), row])
  return groups
}

function without(found: object | undefined, name: string): object {
  return Object.fromEntries(Object.entries(found ?? {}).filter(([key]) => key !== name))
}
