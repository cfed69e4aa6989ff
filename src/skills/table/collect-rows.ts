// Collects the rows of many folders, reading only folders that have changed since the last sync. Rows are
// kept in memory up to a limit and made again beyond it, so memory does not grow with the number of skills.
import { AppError, lazy } from '../../base/index.ts'
import { sortDiagnostics } from '../read/file-report.ts'
import type { SkillDiagnostic } from '../read/records.ts'
import { factsBelow, factsOf, linkDocuments, reportLinks, type SkillFacts } from '../read/skill-facts.ts'
import { takenNames } from '../read/unique-keys.ts'
import { type FolderNote, type FolderNotes, NO_NOTES } from './folder-notes.ts'
import { buildSkillRows, type SkillToIndex, type ToolRow } from './skill-rows.ts'
import type { SyncPlan } from './sync-plan.ts'

export interface FolderToIndex {
  /** Identifies it among all folders of a sync. */
  readonly key: string
  /** Stays the same as long as none of its files is touched. Undefined while that is uncertain. */
  stamp(): string | undefined
  read(): Promise<SkillToIndex & { readonly diagnostics: readonly SkillDiagnostic[] }>
}

export interface FoldersToIndex {
  all(): readonly FolderToIndex[]
  /** The folders with a file written since the last sync, if known. No folder then came or went. */
  readonly touched?: readonly FolderToIndex[]
}

export interface CollectedRows {
  /** What was known of the folders before. */
  readonly since: FolderNotes
  /** How the rows differ from those known before. Undefined when all rows must be compared. */
  readonly plan: SyncPlan | undefined
  /** Id → digest, of all rows. */
  wanted(): ReadonlyMap<string, string>
  /** The rows with these ids, in batches. */
  rows(ids: ReadonlySet<string>): AsyncGenerator<readonly ToolRow[]>
  readonly folders: FolderNotes
}

export interface CollectOptions {
  /** Called and awaited before each folder is read; may throw to stop. */
  readonly onFolder?: (done: number, total: number) => void | Promise<void>
  /** Characters of rows kept in memory; a batch has a quarter of it. Default: 24 million. */
  readonly keep?: number
}

const KEEP = 24_000_000

/** Whether no folder was touched, added or removed. */
export function isUnchanged(folders: FoldersToIndex, known: FolderNotes): boolean {
  const { changed, gone } = compareFolders(folders, known)
  return changed.length + gone.length === 0
}

export async function collectRows(
  folders: FoldersToIndex,
  known: FolderNotes = NO_NOTES,
  { onFolder = () => {}, keep = KEEP }: CollectOptions = {},
): Promise<CollectedRows> {
  const { changed, gone } = compareFolders(folders, known)
  const folderOf = lazy(() => new Map(folders.all().map(folder => [folder.key, folder])))
  const made = new MadeRows(keep)
  const read = await readFolders(changed, made, onFolder)
  const facts = new Map([...known.facts, ...read.facts])
  for (const key of gone) facts.delete(key)
  // These folders did not change, but the documents of their tools did.
  const describedAnew = keysDescribedAnew(facts, known.facts).filter(key => !read.facts.has(key))
  const makeRows = rowMaker(facts)
  for (const folder of [...read.withTools, ...describedAnew.map(key => folderOf().get(key)!)]) {
    await onFolder(changed.length, changed.length)
    made.add(folder.key, await makeRows(folder))
  }
  const { notes, plan } = known.replace(noteFolders(made, { changed, facts, known }), gone)
  return {
    since: known,
    plan,
    wanted: () => notes.allRows(),
    rows: ids =>
      rowsInBatches(ids, notes, {
        batchSize: keep / 4,
        rowsOf: async key => made.get(key) ?? (await makeRows(folderOf().get(key)!)),
      }),
    folders: notes,
  }
}

/** Makes the rows of folders without tools. The others wait until the documents of all folders are known. */
async function readFolders(
  changed: readonly FolderToIndex[],
  made: MadeRows,
  onFolder: NonNullable<CollectOptions['onFolder']>,
) {
  const facts = new Map<string, SkillFacts>()
  const withTools: FolderToIndex[] = []
  for (const [index, folder] of changed.entries()) {
    await onFolder(index, changed.length)
    const read = await folder.read()
    const own = factsOf(read.skill, takenNames(read))
    const all = { ...own, diagnostics: [...read.diagnostics, ...own.diagnostics] }
    facts.set(folder.key, factsBelow(read.shown ?? '', all))
    if (read.skill.tools.length > 0) withTools.push(folder)
    else made.add(folder.key, buildSkillRows(read, NO_DOCUMENTS))
  }
  return { facts, withTools }
}

const NO_DOCUMENTS = () => []

/** The row of a tool names the documents that describe it, from any folder. */
function rowMaker(facts: ReadonlyMap<string, SkillFacts>) {
  const documentsOf = linkDocuments([...facts.values()])
  return async (folder: FolderToIndex): Promise<readonly ToolRow[]> =>
    buildSkillRows(await folder.read(), tool => [
      ...new Set(documentsOf(facts.get(folder.key)!, tool).map(({ name }) => name)),
    ])
}

/** What to remember of the folders whose rows were made. */
function noteFolders(
  { digests }: MadeRows,
  {
    changed,
    facts,
    known,
  }: {
    readonly changed: readonly FolderToIndex[]
    readonly facts: ReadonlyMap<string, SkillFacts>
    readonly known: FolderNotes
  },
): Map<string, FolderNote> {
  const stamps = new Map(changed.map(({ key, stamp }) => [key, stamp() ?? null]))
  const stampOf = (key: string) => (stamps.has(key) ? stamps.get(key)! : known.find(key)!.stamp)
  return new Map(
    [...digests].map(([key, rows]) => [key, { stamp: stampOf(key), facts: facts.get(key)!, rows }]),
  )
}

async function* rowsInBatches(
  ids: ReadonlySet<string>,
  notes: FolderNotes,
  {
    batchSize,
    rowsOf,
  }: { readonly batchSize: number; readonly rowsOf: (key: string) => Promise<readonly ToolRow[]> },
): AsyncGenerator<readonly ToolRow[]> {
  let batch: ToolRow[] = []
  let size = 0
  const left = new Set(ids)
  for (const [key, digests] of notes.newestFirst()) {
    if (left.size === 0) break
    if (!Object.keys(digests).some(id => left.has(id))) continue
    for (const row of (await rowsOf(key)).filter(({ id }) => left.delete(id))) {
      if (row.digest !== digests[row.id]) throw changedMeanwhile(row.file_path)
      batch.push(row)
      size += sizeOf(row)
    }
    if (size < batchSize) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

/** The diagnostics of the skills as they were last read. */
export function diagnosticsOf(folders: FolderNotes): SkillDiagnostic[] {
  const facts = [...folders.facts.values()]
  const own = facts.flatMap(({ diagnostics }) => [...diagnostics])
  return sortDiagnostics([...own, ...reportLinks(facts)])
}

/** The folders to read, and the keys of those that are no longer there. */
function compareFolders({ all, touched }: FoldersToIndex, known: FolderNotes) {
  const isChanged = ({ key, stamp }: FolderToIndex) => {
    const last = known.find(key)?.stamp ?? undefined
    return last === undefined || last !== stamp()
  }
  if (touched && known.unsettled.size === 0) return { changed: touched.filter(isChanged), gone: [] }
  if (touched) {
    const asked = new Set([...touched.map(({ key }) => key), ...known.unsettled])
    return { changed: all().filter(folder => asked.has(folder.key) && isChanged(folder)), gone: [] }
  }
  const keys = new Set(all().map(({ key }) => key))
  return { changed: all().filter(isChanged), gone: known.keys().filter(key => !keys.has(key)) }
}

/** Keys of the folders with a tool whose documents have changed. */
function keysDescribedAnew(
  facts: ReadonlyMap<string, SkillFacts>,
  known: ReadonlyMap<string, SkillFacts>,
): string[] {
  const tools = new Set<string>()
  for (const key of new Set([...facts.keys(), ...known.keys()])) {
    const before = known.get(key)?.documents ?? []
    const now = facts.get(key)?.documents ?? []
    if (before === now || JSON.stringify(before) === JSON.stringify(now)) continue
    for (const tool of [...before, ...now].flatMap(document => [...document.tools])) tools.add(tool)
  }
  return [...facts].flatMap(([key, own]) => (own.tools.some(tool => tools.has(tool)) ? [key] : []))
}

/** The digests of all rows that were made, and as many of the rows themselves as there is room for. */
class MadeRows {
  readonly digests = new Map<string, FolderNote['rows']>()
  readonly #rows = new Map<string, readonly ToolRow[]>()
  #left: number

  constructor(limit: number) {
    this.#left = limit
  }

  add(key: string, rows: readonly ToolRow[]): void {
    this.digests.set(key, Object.fromEntries(rows.map(({ id, digest }) => [id, digest])))
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
