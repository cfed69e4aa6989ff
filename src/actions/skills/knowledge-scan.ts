// The knowledge documents of a directory, as records.
import {
  findKnowledgeFiles,
  type KnowledgeEntry,
  readKnowledge,
  type SkillDiagnostic,
} from '../../skills/index.ts'
import { defineAction } from '../definition/action.ts'

export const knowledgeScan = defineAction({
  name: 'knowledge scan',
  description:
    'Read the knowledge documents of a directory: titles, categories, tags and what is wrong with them.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: {
    directory: {
      type: 'string',
      about: 'a directory of Markdown documents',
      required: true,
      flag: { position: 'first', value: 'DIR' },
    },
  },
  run: async (context, input) => {
    const tree = findKnowledgeFiles(input.directory)
    const entries: KnowledgeEntry[] = []
    const diagnostics: SkillDiagnostic[] = []
    for (const file of tree.files()) {
      context.signal.throwIfAborted()
      const read = await readKnowledge(file.path, file.bytes)
      if (read.entry) entries.push(read.entry)
      diagnostics.push(...read.diagnostics)
    }
    return { entries, diagnostics: [...tree.diagnostics, ...diagnostics] }
  },
})
