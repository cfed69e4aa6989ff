// What is remembered of the folders that were read. There are thousands, and nearly all are unchanged. So
// each is a line of text that is parsed only when asked for, and only facts that matter to other folders or
// to the user are kept parsed.
import type { SkillFacts } from '../read/skill-facts.ts'
import { planSync, type SyncPlan } from './sync-plan.ts'

export interface FolderNote {
  /** Null while it is uncertain; the folder is then read again. */
  readonly stamp: string | null
  readonly facts: SkillFacts
  /** Id → digest. */
  readonly rows: Readonly<Record<string, string>>
}

interface Parts {
  /** Key as JSON → line. A line is that key, a tab, then the stamp and the rows. */
  readonly lines: ReadonlyMap<string, string>
  /** Facts of the folders that have tools, documents of tools or diagnostics. */
  readonly facts: ReadonlyMap<string, SkillFacts>
  /** Keys of the folders without a stamp. */
  readonly unsettled: ReadonlySet<string>
  readonly rowCount: number
  /** Whether no two folders have a row of the same id. */
  readonly isDistinct: boolean
}

export class FolderNotes implements Parts {
  readonly lines: Parts['lines']
  readonly facts: Parts['facts']
  readonly unsettled: Parts['unsettled']
  readonly rowCount: number
  readonly isDistinct: boolean

  constructor(parts: Parts) {
    this.lines = parts.lines
    this.facts = parts.facts
    this.unsettled = parts.unsettled
    this.rowCount = parts.rowCount
    this.isDistinct = parts.isDistinct
  }

  keys(): string[] {
    return [...this.lines.keys()].map(key => JSON.parse(key))
  }

  find(key: string): Pick<FolderNote, 'stamp' | 'rows'> | undefined {
    const line = this.lines.get(JSON.stringify(key))
    return line === undefined ? undefined : readLine(line)
  }

  /** The rows of each folder, most recently read first. */
  *newestFirst(): Generator<readonly [key: string, rows: FolderNote['rows']]> {
    for (const [key, line] of [...this.lines].reverse()) yield [JSON.parse(key), readLine(line).rows]
  }

  /** Id → digest, of all folders. When two have a row with the same id, the folder read last counts. */
  allRows(): Map<string, string> {
    const all = new Map<string, string>()
    for (const line of this.lines.values()) addRows(all, readLine(line).rows)
    return all
  }

  /**
   * Returns notes with what was read anew, and without the folders that are gone. The plan says how the rows
   * differ. It is undefined when one of them may also be a row of another folder.
   */
  replace(
    read: ReadonlyMap<string, FolderNote>,
    gone: readonly string[],
  ): { readonly notes: FolderNotes; readonly plan: SyncPlan | undefined } {
    const lines = new Map(this.lines)
    const facts = new Map(this.facts)
    const unsettled = new Set(this.unsettled)
    const [before, after] = [new Map<string, string>(), new Map<string, string>()]
    let { rowCount } = this
    for (const key of [...read.keys(), ...gone]) {
      rowCount -= addRows(before, this.find(key)?.rows ?? {})
      lines.delete(JSON.stringify(key))
      facts.delete(key)
      unsettled.delete(key)
    }
    let readCount = 0
    for (const [key, note] of read) {
      readCount += addRows(after, note.rows)
      lines.set(JSON.stringify(key), printLine(key, note))
      if (saysAnything(note.facts)) facts.set(key, note.facts)
      if (note.stamp === null) unsettled.add(key)
    }
    rowCount += readCount
    const plan = planSync(
      after,
      [...before].map(([id, digest]) => ({ id, digest })),
    )
    const { added, updated } = plan.report
    const isDistinct = this.isDistinct
      ? readCount === after.size && (added.length === 0 || !hasAny(this.allRows(), added))
      : new FolderNotes({ lines, facts, unsettled, rowCount, isDistinct: false }).allRows().size === rowCount
    const report = { ...plan.report, unchanged_count: rowCount - added.length - updated.length }
    return {
      notes: new FolderNotes({ lines, facts, unsettled, rowCount, isDistinct }),
      plan: this.isDistinct && isDistinct ? { ...plan, report } : undefined,
    }
  }
}

export const NO_NOTES = new FolderNotes({
  lines: new Map(),
  facts: new Map(),
  unsettled: new Set(),
  rowCount: 0,
  isDistinct: true,
})

/** Splits a text into its lines, one for each folder, by key. */
export function cutLines(text: string): Map<string, string> {
  const lines = text === '' ? [] : text.split('\n')
  return new Map(lines.map(line => [line.slice(0, line.indexOf('\t')), line]))
}

/** JSON escapes tabs and line ends, so neither occurs inside the parts. */
function printLine(key: string, { stamp, rows }: FolderNote): string {
  return `${JSON.stringify(key)}\t${JSON.stringify([stamp, rows])}`
}

function readLine(line: string): Pick<FolderNote, 'stamp' | 'rows'> {
  const [stamp, rows] = JSON.parse(line.slice(line.indexOf('\t') + 1))
  return { stamp, rows }
}

/** Returns how many there are. */
function addRows(all: Map<string, string>, rows: FolderNote['rows']): number {
  let count = 0
  for (const id in rows) {
    all.set(id, rows[id]!)
    count++
  }
  return count
}

function saysAnything({ tools, documents, diagnostics }: SkillFacts): boolean {
  return tools.length + documents.length + diagnostics.length > 0
}

function hasAny(rows: ReadonlyMap<string, string>, ids: readonly string[]): boolean {
  return ids.some(id => rows.has(id))
}
