import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planSync } from '../../../src/skills/table/sync-plan.ts'

const row = (id: string, digest: string) => ({ id, digest })

describe('a sync', () => {
  it('tells added, updated, deleted and unchanged apart', () => {
    const wanted = new Map(Object.entries({ a: '1', b: '2', c: '3' }))
    const plan = planSync(wanted, [row('b', '2'), row('c', '0'), row('d', '4')])
    expect(plan.report).toEqual({ added: ['a'], updated: ['c'], deleted: ['d'], unchanged_count: 1 })
    expect([...plan.upserts]).toEqual(['a', 'c'])
    expect(plan.repeated).toEqual([])
  })

  it('writes a row anew that is there twice', () => {
    const plan = planSync(new Map([['a', '1']]), [row('a', '1'), row('a', '1')])
    expect(plan.report).toEqual({ added: [], updated: ['a'], deleted: [], unchanged_count: 0 })
    expect(plan.repeated).toEqual(['a'])
  })

  it('applied to what is stored gives what is wanted, whatever was stored', () => {
    const one = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), digest: fc.constantFrom('1', '2') })
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: ({ id }) => id }), fc.array(one), (list, stored) => {
        const wanted = new Map<string, string>(list.map(({ id, digest }) => [id, digest]))
        const { upserts, repeated, report } = planSync(wanted, stored)
        const gone = new Set([...report.deleted, ...repeated])
        const result = [
          ...stored.filter(({ id }) => !gone.has(id) && !upserts.has(id)),
          ...[...upserts].map(id => ({ id, digest: wanted.get(id)! })),
        ]
        const print = (rows: typeof result) => rows.map(({ id, digest }) => `${id}${digest}`).sort()
        expect(print(result)).toEqual(print(list))
      }),
    )
  })
})
