// Read one item after its signature is checked; with a destination, copy it into another space.
import type { ItemType, Space } from '../../../item/index.ts'
import type { Verdict } from '../../../trust/index.ts'
import { defineAction } from '../../definition/action.ts'
import type { Shadow } from '../../definition/answer-parts.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { itemId, itemType, projectPath } from '../../definition/shared-fields.ts'

/** All fields but the id, which `fetch` does not require. */
export const COPY_FIELDS = {
  item_type: itemType,
  project_path: projectPath,
  source: {
    type: 'string',
    about: 'look only here; without it project, then user, then system',
    values: ['project', 'user', 'system', 'registry'],
    flag: { value: 'S' },
  },
  destination: {
    type: 'string',
    about: 'space to copy it to',
    values: ['project', 'user'],
    flag: { name: 'to' },
  },
  overwrite: { type: 'boolean', about: 'let the copy replace an item that is there already' },
  version: { type: 'string', about: 'refuse any other version', flag: { value: 'V' } },
} as const satisfies Fields

export const LOAD_FIELDS = { item_id: itemId, ...COPY_FIELDS } as const satisfies Fields

export type LoadInput = CallInput<typeof LOAD_FIELDS>

export interface LoadAnswer {
  readonly status: 'success'
  readonly item_type: ItemType | 'config'
  readonly item_id: string
  /** The bytes that were verified, as text. */
  readonly content: string
  readonly metadata: {
    readonly name: string
    readonly path: string
    readonly extension: string
    readonly version?: string
  }
  readonly path: string
  readonly source: Space
  readonly mode: 'id'
  readonly trust: Verdict
  readonly shadows: readonly Shadow[]
  /** With a destination, unless the item was there already. */
  readonly copied_to?: 'project' | 'user'
  readonly destination_path?: string
}

export const load = defineAction({
  name: 'load',
  description:
    'Read the source of one item after its signature is checked: its steps, parameters and code. With `destination`, also copy it there to change it.',
  effects: { readOnly: false, destructive: true, openWorld: false },
  fields: LOAD_FIELDS,
  run: async (context, input) => (await import('./load-item.ts')).loadItem(context, input),
})
