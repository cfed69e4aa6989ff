// The overview's numbers agree with the lists, and everything that waits is counted once.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countStatuses } from '../../../src/surfaces/ui/count-statuses.ts'
import type { VerdictStatus } from '../../../src/trust/index.ts'

const STATUSES = ['verified', 'tampered', 'untrusted', 'unsigned', 'malformed'] as const
const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0)

it('files that tools import and settings are counted beside the items', () => {
  const { summary } = countStatuses(
    new Map<string, VerdictStatus>([
      ['tool:ops/deploy@project', 'verified'],
      ['tool:ops/_lib@project', 'verified'],
      ['tool:ops/_parts/late@project', 'unsigned'],
      ['config:ops/limits@project', 'tampered'],
      ['knowledge:notes/a@user', 'unsigned'],
    ]),
  )
  expect(summary.counts).toEqual([
    { item_type: 'tool', space: 'project', count: 1 },
    { item_type: 'knowledge', space: 'user', count: 1 },
  ])
  expect(summary.trust).toMatchObject({ verified: 1, unsigned: 1, tampered: 0 })
  expect(summary.beside).toMatchObject({ verified: 1, unsigned: 1, tampered: 1 })
  expect(summary.open).toBe(3)
  expect(summary.waiting.map(({ item_id }) => item_id)).toEqual(['ops/limits', 'notes/a', 'ops/_parts/late'])
  // What needs attention comes first wherever they are shown.
  expect(Object.keys(summary.trust).at(-1)).toBe('verified')
})

it('the numbers add up, whatever there is', () => {
  const name = fc
    .tuple(
      fc.constantFrom('tool', 'knowledge', 'skill', 'config'),
      fc.constantFrom('a', 'b/c', '_d', 'e/_f', '_g/h'),
      fc.constantFrom('project', 'user', 'system'),
    )
    .map(([type, id, space]) => `${type}:${id}@${space}`)
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.constantFrom(...STATUSES))), entries => {
      const statuses = new Map(entries)
      const { counts, trust, beside, open, waiting } = countStatuses(statuses).summary
      expect(counts.reduce((total, { count }) => total + count, 0)).toBe(sum(trust))
      expect(sum(trust) + sum(beside)).toBe(statuses.size)
      expect(open).toBe(statuses.size - (trust.verified ?? 0) - (beside.verified ?? 0))
      expect(waiting).toHaveLength(open)
    }),
  )
})
