// Brings the table of a catalogue up to date with folders and sources. Reads only what was touched, and
// writes only what differs.
import { AppError, quoteText } from '../../base/index.ts'
import { type SyncCounts, syncRoot } from '../../catalogue/index.ts'
import { type ItemType, parseRef } from '../../item/index.ts'
import { knownMeanings } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { openTable, tableUri } from './fields.ts'
import { openRoot } from './roots.ts'

const SYNC_FIELDS = {
  roots: {
    type: 'strings',
    about:
      'folders with `.ai/`, or sources as `rye add` takes them, each as `WHERE` or `NAME=WHERE`; the project without any',
    flag: { position: 'rest', value: 'ROOT' },
  },
  project_path: projectPath,
  table: tableUri,
  items: {
    type: 'strings',
    about: 'only these items of each root; saves walking a large library when you know what has changed',
    listed: '',
    flag: { name: 'item', value: 'TYPE:ID' },
  },
  dry_run: { type: 'boolean', about: 'count what would be written', default: false, flag: {} },
  prune: {
    type: 'boolean',
    about: 'delete even if that removes most rows of a root',
    default: false,
    flag: {},
  },
} as const satisfies Fields

export type CatalogueSyncInput = CallInput<typeof SYNC_FIELDS>

export interface CatalogueSyncAnswer extends SyncCounts {
  /** As given. */
  readonly table: string
  readonly dry_run?: true
  readonly roots: readonly (SyncCounts & { readonly root: string })[]
  readonly duration_ms: number
  /** The first of the items that are in the roots but not in the table, and why. */
  readonly diagnostics?: readonly { readonly path: string; readonly message: string }[]
}

function readName(text: string): { type: ItemType; id: string } {
  const { type, id, space } = parseRef(text)
  if (type && !space) return { type, id }
  throw new AppError('INVALID_INPUT', `expected an item as \`TYPE:ID\`, got ${quoteText(text, 120)}`)
}

/** The rows of one root would replace those of the other. */
function twice(name: string): AppError {
  return new AppError(
    'INVALID_INPUT',
    `expected roots of different names, got two that are called \`${name}\``,
    {
      hint: 'give one of them another name: `NAME=DIR`',
    },
  )
}

const MOST_DIAGNOSTICS = 100
/** Items between two progress reports. */
const STEP = 256

export const catalogueSync = defineAction({
  name: 'catalogue sync',
  description: 'Write what has changed in libraries to a table that others search and load from.',
  effects: { readOnly: false, destructive: true, openWorld: true },
  forPeople: true,
  fields: SYNC_FIELDS,
  run: async (context, input): Promise<CatalogueSyncAnswer> => {
    const started = performance.now()
    const { dry_run: dryRun, prune, project_path } = input
    const diagnostics: { path: string; message: string }[] = []
    const onProblem = (problem: { path: string; message: string }) => {
      if (diagnostics.length < MOST_DIAGNOSTICS) diagnostics.push(problem)
    }
    const embedder = (await knownMeanings(context.library)).builtIn().embedder
    const table = openTable(context, input.table, { isWriter: true })
    try {
      const roots: (SyncCounts & { root: string })[] = []
      const given = input.roots?.length ? input.roots : [project_path]
      const only = input.items && [...new Set(input.items)].map(readName)
      const names = new Set<string>()
      for (const text of given) {
        const root = await openRoot(context, text, { projectPath: project_path, onProblem, only })
        if (names.has(root.name)) throw twice(root.name)
        names.add(root.name)
        const onItem = (done: number) => {
          if (done % STEP === 0) context.onProgress({ message: `syncing ${root.name}`, done })
        }
        const counts = await syncRoot(table, root, {
          embedder,
          startThread: context.startThread && (() => context.startThread!('rows')),
          dryRun,
          prune,
          signal: context.signal,
          onItem,
        })
        roots.push({ root: root.name, ...counts })
      }
      if (!dryRun) {
        context.onProgress({ message: 'indexing the table', done: 0 })
        await table.keepUp()
      }
      const sum = (key: keyof SyncCounts) => roots.reduce((total, one) => total + one[key], 0)
      return {
        table: input.table,
        ...(dryRun && { dry_run: true }),
        ...{
          added: sum('added'),
          updated: sum('updated'),
          deleted: sum('deleted'),
          unchanged: sum('unchanged'),
        },
        roots,
        duration_ms: Math.round(performance.now() - started),
        ...(diagnostics.length > 0 && { diagnostics }),
      }
    } finally {
      table.close()
    }
  },
})
