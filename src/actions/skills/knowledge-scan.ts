// Reads the knowledge documents of a directory as records.
import {
  findKnowledgeFiles,
  type KnowledgeDetails,
  type KnowledgeEntry,
  readKnowledge,
  type SkillDiagnostic,
} from '../../skills/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'

const SCAN_FIELDS = {
  directory: {
    type: 'string',
    about: 'a directory of Markdown documents',
    required: true,
    flag: { position: 'first', value: 'DIR' },
  },
  details: {
    type: 'boolean',
    about: 'what the entries were made from: the front matter as it was read',
    default: false,
  },
} as const satisfies Fields

export type KnowledgeScanInput = CallInput<typeof SCAN_FIELDS>

export interface KnowledgeScanAnswer {
  /** The folder that paths in the entries are relative to. */
  readonly root: string
  readonly entries: readonly KnowledgeEntry[]
  readonly diagnostics: readonly SkillDiagnostic[]
  /** Present when asked for. */
  readonly details?: readonly KnowledgeDetails[]
}

export const knowledgeScan = defineAction({
  name: 'knowledge scan',
  description:
    'Read the knowledge documents of a directory: titles, categories, tags and what is wrong with them.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: SCAN_FIELDS,
  run: async (context, input): Promise<KnowledgeScanAnswer> => {
    const tree = findKnowledgeFiles(resolvePath(context, input.directory))
    const entries: KnowledgeEntry[] = []
    const details: KnowledgeDetails[] = []
    const diagnostics: SkillDiagnostic[] = []
    for (const file of tree.files()) {
      context.signal.throwIfAborted()
      const read = await readKnowledge(file.path, file.bytes)
      if (read.entry) entries.push(read.entry)
      if (read.details) details.push(read.details)
      diagnostics.push(...read.diagnostics)
    }
    return {
      root: tree.root,
      entries,
      diagnostics: [...tree.diagnostics, ...diagnostics],
      ...(input.details && { details }),
    }
  },
})
