// The rows of many folders, read only where a folder has changed since the last sync. What is kept of a folder is small: its stamp, the
// digests of its rows, and the facts that link it to others. Rows themselves are kept up to a limit and made again beyond it, so
// that memory does not grow with the number of skills.
import { AppError } from '../../base/index.ts'
import { sortDiagnostics } from '../read/file-report.ts'
import type { SkillDiagnostic } from '../read/records.ts'
import { documentsByTool, factsOf, reportLinks, type SkillFacts } from '../read/skill-facts.ts'
import { buildSkillRows, type SkillToIndex, type ToolRow } from './skill-rows.ts'

export interface FolderToIndex {
  /** Names it among all folders of a sync. */
  readonly key: string
  /** The same as long as none of its files is touched; undefined while that is uncertain. */
  stamp(): string | undefined
  /** None of its files was written since the last sync: its stamp need not be asked. */
  readonly isUntouched?: true
  read(): Promise<SkillToIndex & { readonly diagnostics: readonly SkillDiagnostic[] }>
}

/** What is remembered of a folder that was read. */
export interface FolderNote {
  readonly stamp: string | null
  readonly facts: SkillFacts
  /** Id → digest. */
  readonly rows: Readonly<Record<string, string>>
}

export type FolderNotes = Readonly<Record<string, FolderNote>>

export interface CollectedRows {
  /** Id → digest, of all rows. */
  readonly wanted: ReadonlyMap<string, string>
  /** The rows of these ids, some at a time. */
  rows(ids: ReadonlySet<string>): AsyncGenerator<readonly ToolRow[]>
  readonly folders: FolderNotes
}

export interface CollectOptions {
  /** Called before each folder that is read, and waited for; may throw to end it. */
  readonly onFolder?: (done: number, total: number) => void | Promise<void>
  /** Characters of rows that are kept in memory, and that are handed over at a time. */
  readonly keep?: number
}

const KEEP = 24_000_000

/** Whether no folder was touched, added or removed. */
export function isUnchanged(folders: readonly FolderToIndex[], known: FolderNotes): boolean {
  return folders.length === Object.keys(known).length && folders.every(folder => isKnown(folder, known))
}

export async function collectRows(
  folders: readonly FolderToIndex[],
  known: FolderNotes = {},
  { onFolder = () => {}, keep = KEEP }: CollectOptions = {},
): Promise<CollectedRows> {
  const facts = new Map<string, SkillFacts>()
  const digests = new Map<string, Readonly<Record<string, string>>>()
  const kept = new RowsInMemory(keep)
  const changed = folders.filter(folder => !isKnown(folder, known))
  const touched = new Set(changed)
  for (const folder of folders) {
    if (touched.has(folder)) continue
    facts.set(folder.key, known[folder.key]!.facts)
    digests.set(folder.key, known[folder.key]!.rows)
  }
  const take = (key: string, rows: readonly ToolRow[]) => {
    digests.set(key, Object.fromEntries(rows.map(({ id, digest }) => [id, digest])))
    kept.add(key, rows)
  }
  // Functions wait until the documents of all folders are known.
  const waiting: FolderToIndex[] = []
  for (const [index, folder] of changed.entries()) {
    await onFolder(index, changed.length)
    const read = await folder.read()
    const said = factsOf(read.skill)
    facts.set(folder.key, { ...said, diagnostics: [...read.diagnostics, ...said.diagnostics] })
    if (read.skill.tools.length > 0) waiting.push(folder)
    else
      take(
        folder.key,
        buildSkillRows(read, () => []),
      )
  }
  const described = describedAnew(facts, known)
  for (const folder of folders) {
    if (!touched.has(folder) && facts.get(folder.key)!.tools.some(tool => described.has(tool)))
      waiting.push(folder)
  }
  const byTool = documentsByTool([...facts.values()])
  const refersTo = (tool: string) => [...new Set((byTool.get(tool) ?? []).map(({ name }) => name))]
  const make = async (folder: FolderToIndex) => buildSkillRows(await folder.read(), refersTo)
  for (const folder of waiting) {
    await onFolder(changed.length, changed.length)
    take(folder.key, await make(folder))
  }

  return {
    wanted: rowsByDigest(digests.values()),
    async *rows(ids) {
      let batch: ToolRow[] = []
      let size = 0
      for (const folder of folders) {
        const own = digests.get(folder.key)!
        if (!Object.keys(own).some(id => ids.has(id))) continue
        const rows = kept.get(folder.key) ?? (await make(folder))
        for (const row of rows.filter(({ id }) => ids.has(id))) {
          if (row.digest !== own[row.id]) throw changedMeanwhile(row.file_path)
          batch.push(row)
          size += sizeOf(row)
        }
        if (size < keep / 4) continue
        yield batch
        batch = []
        size = 0
      }
      if (batch.length > 0) yield batch
    },
    folders: Object.fromEntries(
      folders.map(folder => {
        const { key } = folder
        const stamp = touched.has(folder) ? (folder.stamp() ?? null) : known[key]!.stamp
        return [key, { stamp, facts: facts.get(key)!, rows: digests.get(key)! }]
      }),
    ),
  }
}

/** What is wrong with skills as they were last read. */
export function diagnosticsOf(folders: FolderNotes): SkillDiagnostic[] {
  const facts = Object.values(folders).map(folder => folder.facts)
  const own = facts.flatMap(({ diagnostics }) => [...diagnostics])
  return sortDiagnostics([...own, ...reportLinks(facts)])
}

function isKnown({ key, stamp, isUntouched }: FolderToIndex, known: FolderNotes): boolean {
  if (!Object.hasOwn(known, key) || known[key]!.stamp === null) return false
  return isUntouched || known[key]!.stamp === stamp()
}

/** Without a pair for each row: there are many, and nearly all are as they were. */
function rowsByDigest(folders: Iterable<FolderNote['rows']>): Map<string, string> {
  const wanted = new Map<string, string>()
  for (const rows of folders) for (const id in rows) wanted.set(id, rows[id]!)
  return wanted
}

/** Tools whose documents are not what they were. */
function describedAnew(facts: ReadonlyMap<string, SkillFacts>, known: FolderNotes): Set<string> {
  const tools = new Set<string>()
  for (const key of new Set([...facts.keys(), ...Object.keys(known)])) {
    const before = Object.hasOwn(known, key) ? known[key]!.facts.documents : []
    const now = facts.get(key)?.documents ?? []
    if (before === now || JSON.stringify(before) === JSON.stringify(now)) continue
    for (const tool of [...before, ...now].flatMap(document => [...document.tools])) tools.add(tool)
  }
  return tools
}

class RowsInMemory {
  readonly #rows = new Map<string, readonly ToolRow[]>()
  #left: number

  constructor(limit: number) {
    this.#left = limit
  }

  add(key: string, rows: readonly ToolRow[]): void {
    this.#left -= rows.reduce((sum, row) => sum + sizeOf(row), 0)
    if (this.#left > 0) this.#rows.set(key, rows)
  }

  get(key: string): readonly ToolRow[] | undefined {
    return this.#rows.get(key)
  }
}

function sizeOf({ content, metadata }: ToolRow): number {
  return 2 * content.length + metadata.length + 200
}

function changedMeanwhile(path: string): AppError {
  return new AppError('FILE_UNREADABLE', `\`${path}\` was changed while it was being indexed`, {
    hint: 'sync again',
  })
}
