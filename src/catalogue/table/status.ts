// The status of a table: how much it holds, how old it is, and whether something should be done.
import type { Table } from '@lancedb/lancedb'
import { findTable, type OpenLance } from '../../lance/index.ts'
import { isOfThisFormat, OBJECTS, outdatedWarning } from './columns.ts'
import { stateOfIndexes } from './upkeep.ts'

export interface CatalogueStatus {
  readonly rows: number
  /** Number of rows of each root, and of each type. */
  readonly roots: Readonly<Record<string, number>>
  readonly types: Readonly<Record<string, number>>
  /** Large items, which are stored beside the rows. */
  readonly objects: number
  /** Size of the newest version. */
  readonly bytes: number
  readonly versions: number
  readonly version: number
  /** When the newest version was written, by the clock of the machine that wrote it. */
  readonly written: string | null
  readonly indexes: readonly string[]
  readonly unindexed: number
  /** Rows whose format, from another version of rye, cannot be read here. */
  readonly outdated: number
  readonly health: 'good' | 'behind' | 'damaged'
  /** Why the health is not good. */
  readonly problems: readonly string[]
}

export async function describeTable({ connection }: OpenLance, table: Table): Promise<CatalogueStatus> {
  const [state, stats, versions, indexes] = await Promise.all([
    stateOfIndexes(table),
    table.stats(),
    table.listVersions(),
    table.listIndices(),
  ])
  const counts = { roots: new Map<string, number>(), types: new Map<string, number>() }
  const keys = new Set<string>()
  let outdated = 0
  for await (const batch of table.query().select(['key', 'root', 'type', 'made'])) {
    const [key, root, type, made] = ['key', 'root', 'type', 'made'].map(name => batch.getChild(name))
    for (let row = 0; row < batch.numRows; row++) {
      keys.add(String(key?.get(row)))
      addOne(counts.roots, String(root?.get(row)))
      addOne(counts.types, String(type?.get(row)))
      if (!isOfThisFormat(made?.get(row))) outdated++
    }
  }
  const repeated = state.rows - keys.size
  const problems = [
    ...(repeated > 0 ? [`duplicate rows: ${repeated}; sync their roots again`] : []),
    ...(outdated > 0 ? [outdatedWarning(outdated)] : []),
    ...(state.isBehind
      ? [`rows that are not indexed yet: ${state.unindexed}; the next sync indexes them`]
      : []),
  ]
  const newest = versions.at(-1)
  return {
    rows: state.rows,
    roots: Object.fromEntries([...counts.roots].sort()),
    types: Object.fromEntries([...counts.types].sort()),
    objects: await countObjects(connection),
    bytes: stats.totalBytes,
    versions: versions.length,
    version: newest?.version ?? 0,
    written: newest ? newest.timestamp.toISOString() : null,
    indexes: indexes.flatMap(index => index.columns).sort(),
    unindexed: state.unindexed,
    outdated,
    health: repeated > 0 ? 'damaged' : state.isBehind || outdated > 0 ? 'behind' : 'good',
    problems,
  }
}

async function countObjects(connection: OpenLance['connection']): Promise<number> {
  const table = await findTable(connection, OBJECTS)
  if (!table) return 0
  try {
    return await table.countRows()
  } finally {
    table.close()
  }
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
