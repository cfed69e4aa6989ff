// `why`: shows where an item is from, who vouches for it, and its state.
import { isWritable, parseRef, type Space } from '../../item/index.ts'
import type { Verdict } from '../../trust/index.ts'
import { joinRef } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { itemId, itemType, projectPath } from '../definition/shared-fields.ts'
import { type ItemState, idOfLocked, shortState, stateOfItem } from './locked-items.ts'
import { readLock, splitName, targetOf } from './target.ts'

const WHY_FIELDS = {
  item_id: itemId,
  item_type: itemType,
  project_path: projectPath,
} as const satisfies Fields

export type WhyInput = CallInput<typeof WHY_FIELDS>

export interface WhyAnswer {
  /** As `TYPE:ID`. */
  readonly item: string
  readonly space: Space
  readonly path: string
  readonly trust: Verdict
  /** From the lock; absent for an item that no source brought. */
  readonly origin?: {
    readonly source: string
    readonly ref?: string
    readonly resolved: string
    readonly from: string
    readonly digest: string
    readonly signer?: string
    readonly accepted?: string
    readonly state: ItemState
  }
  readonly message: string
}

export const why = defineAction({
  name: 'why',
  description: 'Where an item came from, and who vouches for it.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: WHY_FIELDS,
  run: async ({ library }, input): Promise<WhyAnswer> => {
    const workspace = await library.open(input.project_path)
    const { verdict, file } = workspace.read(
      workspace.find(joinRef(parseRef(input.item_id), input.item_type, undefined)),
    )
    const { type, id, space, path } = file
    const facts = { item: `${type}:${id}`, space, path, trust: verdict }
    const origin = isWritable(space) ? originOf() : undefined
    return { ...facts, ...(origin && { origin }), message: messageOf(facts, origin) }

    function originOf(): WhyAnswer['origin'] {
      const target = targetOf(workspace, space === 'user' ? 'user' : 'project')
      for (const { source, ref, resolved, items } of readLock(target).sources) {
        const item = items.find(one => splitName(one.name).type === type && idOfLocked(one) === id)
        if (!item) continue
        const { digest, signer, accepted, at = resolved, path: from } = item
        return {
          ...{ source, ...(ref !== undefined && { ref }), resolved: at, from, digest },
          ...(signer !== undefined && { signer }),
          ...(accepted !== undefined && { accepted }),
          state: stateOfItem(target, item),
        }
      }
      return undefined
    }
  },
})

function messageOf(
  { item, space, trust }: Pick<WhyAnswer, 'item' | 'space' | 'trust'>,
  origin: WhyAnswer['origin'],
): string {
  if (space === 'system') return `${item} is part of this program`
  if (space === 'shared') return `${item} comes from the shared catalogue, and is ${trust.status}`
  if (origin === undefined) return `${item} was made here: no source brought it, and it is ${trust.status}`
  const { source, resolved, from, signer, accepted, state } = origin
  const now = state === 'edited' ? ', and was changed here since' : ''
  return `${item} is \`${from}\` of ${source} at ${shortState(resolved)}, ${voucher(signer, accepted)}${now}; it is ${trust.status}`
}

/**
 * A lock may name neither: what the package itself signs has no key, and a person may have written the line.
 */
function voucher(signer: string | undefined, accepted: string | undefined): string {
  if (accepted !== undefined) return `accepted by ${accepted}`
  return signer === undefined ? 'and the lock names nobody who signed or accepted it' : `signed by ${signer}`
}
