// Turns the verdict on each item into the counts that the page shows. Pure.
import { isUnderscored } from '../../item/index.ts'
import type { VerdictStatus } from '../../trust/index.ts'
import type { JudgedItems, Statuses, StatusOf, Summary, Waiting } from './summary-types.ts'

/** Worst first. */
const ORDER: readonly VerdictStatus[] = ['tampered', 'malformed', 'untrusted', 'unsigned']
const MOST_WAITING = 1000

export interface Named {
  readonly type: string
  readonly id: string
  readonly space: string
}

/** Unambiguous, since types, ids and spaces contain neither `:` nor `@`. */
export function printName({ type, id, space }: Named): string {
  return `${type}:${id}@${space}`
}

export function readName(name: string): Named {
  const [colon, at] = [name.indexOf(':'), name.lastIndexOf('@')]
  return { type: name.slice(0, colon), id: name.slice(colon + 1, at), space: name.slice(at + 1) }
}

export function countStatuses(statuses: Statuses): JudgedItems {
  const counts = new Map<string, Summary['counts'][number]>()
  const [trust, beside] = [countNone(), countNone()]
  const open = new Map(ORDER.map((status): [VerdictStatus, Waiting[]] => [status, []]))
  for (const [name, status] of statuses) {
    const { type, id, space } = readName(name)
    open.get(status)?.push({ item_type: type, item_id: id, space, status })
    const isListed = type !== 'config' && !isUnderscored(id)
    const counted = isListed ? trust : beside
    counted[status] += 1
    if (!isListed) continue
    const key = `${type} ${space}`
    counts.set(key, { item_type: type, space, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  const waiting: Waiting[] = []
  for (const some of open.values()) {
    if (waiting.length >= MOST_WAITING) break
    waiting.push(...some.sort(byId).slice(0, MOST_WAITING - waiting.length))
  }
  const isOfServer = ({ item_type, item_id }: Waiting) => item_type === 'tool' && item_id.startsWith('mcp/')
  const servers_waiting = [...open.values()].flatMap(some =>
    some.filter(isOfServer).map(({ item_id }) => item_id),
  )
  const all = [...open.values()].reduce((sum, some) => sum + some.length, 0)
  const summary = { counts: [...counts.values()], trust, beside, open: all, waiting, servers_waiting }
  return { summary, statuses }
}

/** Worst first, the order in which they are shown. */
function countNone(): Record<VerdictStatus, number> {
  return { tampered: 0, malformed: 0, untrusted: 0, unsigned: 0, verified: 0 }
}

function byId(a: Waiting, b: Waiting): number {
  if (a.item_id === b.item_id) return 0
  return a.item_id < b.item_id ? -1 : 1
}

/**
 * Empty for catalogue items, which are judged when they are shown, and for new items until the next summary.
 */
export function statusesIn({ statuses }: JudgedItems): StatusOf {
  return item => statuses.get(printName(item)) ?? ''
}
