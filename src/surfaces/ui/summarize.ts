// One walk over everything that the project sees: how much there is, and the verdict on each. Verdicts on files that have not changed are
// known from before, so that a change of one file costs a look at the others and no more.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { stateAt } from '../../files/index.ts'
import { ITEM_TYPES, type SignedType } from '../../item/index.ts'
import type { ItemFile } from '../../scan/index.ts'
import type { ResolvedEntry } from '../../space/index.ts'
import type { VerdictStatus } from '../../trust/index.ts'
import { userConfigPath } from '../../user/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import type { StatusOf, Swept, Waiting } from './summary-types.ts'

const TYPES: readonly SignedType[] = [...ITEM_TYPES, 'config']
const ORDER: readonly VerdictStatus[] = ['tampered', 'malformed', 'untrusted', 'unsigned']
const MOST_WAITING = 1000
/** How many files are looked at before others get their turn. */
const AT_ONCE = 50

export async function summarize(workspace: Workspace, signal: AbortSignal): Promise<Swept> {
  const settings = userConfigPath(workspace.library.userSpace)
  // Settings of the user and keys are not signed.
  const isSigned = ({ type, id, path }: ItemFile) =>
    path !== settings && !(type === 'config' && id.startsWith('keys/'))
  const found = workspace.list(TYPES).items.filter(({ entry }) => isSigned(entry))
  const counts = new Map<string, number>()
  const trust: Record<VerdictStatus, number> = {
    ...{ verified: 0, tampered: 0, untrusted: 0, unsigned: 0, malformed: 0 },
  }
  const waiting: (Waiting & { status: VerdictStatus })[] = []
  for (const [index, one] of found.entries()) {
    if (index % AT_ONCE === 0) await nextTurn()
    signal.throwIfAborted()
    const { type, id, space } = one.entry
    const { status } = judge(workspace, one)
    // What went away since it was listed is nothing to look at.
    if (status === 'malformed' && stateAt(one.entry.path) === undefined) continue
    trust[status] += 1
    if (status !== 'verified') waiting.push({ item_type: type, item_id: id, space, status })
    if (type === 'config') continue
    const name = `${type} ${space}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const rank = new Map(ORDER.map((status, index) => [status, index]))
  waiting.sort((a, b) => rank.get(a.status)! - rank.get(b.status)! || (a.item_id < b.item_id ? -1 : 1))
  const unverified = new Map(
    waiting.map(({ item_type, item_id, space, status }) => [statusKey(item_type, item_id, space), status]),
  )
  const isOfServer = ({ item_type, item_id }: Waiting) => item_type === 'tool' && item_id.startsWith('mcp/')
  const summary = {
    counts: [...counts].map(([name, count]) => {
      const [item_type, space] = name.split(' ') as [string, string]
      return { item_type, space, count }
    }),
    trust,
    waiting: waiting.slice(0, MOST_WAITING),
    servers_waiting: waiting.filter(isOfServer).map(({ item_id }) => item_id),
  }
  return { summary, unverified }
}

function statusKey(type: string, id: string, space: string): string {
  return `${type}:${id}@${space}`
}

/** What is in a catalogue is judged when it is shown. */
export function statusesIn({ unverified }: Swept): StatusOf {
  return ({ type, id, space }) =>
    space === 'shared' ? '' : (unverified.get(statusKey(type, id, space)) ?? 'verified')
}

function judge(workspace: Workspace, found: ResolvedEntry<ItemFile>) {
  const { type, id, space, extension } = found.entry
  const extractor = workspace.extractors.get(type)
  return workspace.verdicts.judge({
    key: `${type}:${id}${extension}@${space} ${workspace.projectPath}`,
    find: () => found,
    read: workspace.read,
    isWhole: extractor?.itemFile === null && extractor.signatureFormats.get(extension)?.detached === false,
  }).verdict
}
