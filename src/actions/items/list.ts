// Lists everything that the project sees, with what shadows what. Read from the files, not from the index.
import { quoteShellWord } from '../../base/index.ts'
import {
  categoryOf,
  ITEM_TYPES,
  matchesGlob,
  OWN_SPACES,
  parsePattern,
  printRef,
  type SignedType,
  type Space,
  widerGlob,
} from '../../item/index.ts'
import { joinRef } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { FileNote, Shadow } from '../definition/answer-parts.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'

const LIST_FIELDS = {
  pattern: {
    type: 'string',
    about: 'ids that match this glob; `tool:ops/*@user` fixes type and space',
    flag: { position: 'first', value: 'GLOB' },
  },
  item_type: {
    type: 'string',
    about: 'only this type',
    values: ITEM_TYPES,
    flag: { name: 'type', value: 'T' },
  },
  source: { type: 'string', about: 'only this space', values: OWN_SPACES, flag: { value: 'S' } },
  project_path: projectPath,
} as const satisfies Fields

export type ListInput = CallInput<typeof LIST_FIELDS>

export interface ListAnswer {
  readonly items: readonly ListedItem[]
  /** Files that are not items, or that lose to another file of the same id. */
  readonly diagnostics: readonly FileNote[]
}

export interface ListedItem {
  readonly item_type: SignedType
  readonly item_id: string
  readonly space: Space
  readonly category: string
  readonly path: string
  readonly shadows?: readonly Shadow[]
  readonly shadowed_by?: Space
}

export const list = defineAction({
  name: 'list',
  description: 'List items of all spaces, with what shadows what.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: LIST_FIELDS,
  run: async (context, input): Promise<ListAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const named = parsePattern(input.pattern ?? '*', ITEM_TYPES)
    const { id: pattern, type, space } = joinRef(named, input.item_type, input.source)
    const { items, duplicates, skipped } = workspace.list(type ? [type] : ITEM_TYPES)
    const here = items.filter(({ entry }) => !space || entry.space === space)
    const shown = here.filter(({ entry }) => matchesGlob(pattern, entry.id))
    if (shown.length === 0) {
      const ids = here.map(({ entry }) => entry.id)
      const wider = widerGlob(pattern, ids)
      if (wider) context.onNote(`${quoteShellWord(printRef({ ...named, id: wider }))} matches`)
    }
    return {
      items: shown.map(({ entry, shadows, shadowedBy }) => ({
        item_type: entry.type,
        item_id: entry.id,
        space: entry.space,
        category: categoryOf(entry.id),
        path: entry.path,
        ...(shadows.length > 0 && { shadows: shadows.map(other => ({ space: other.space })) }),
        ...(shadowedBy && { shadowed_by: shadowedBy.space }),
      })),
      diagnostics: [
        ...workspace.notes,
        ...duplicates.map(({ entry, message }) => ({ path: entry.path, code: 'duplicate-id', message })),
        ...skipped.map(({ path, reason, message }) => ({ path, code: reason, message })),
      ],
    }
  },
})
