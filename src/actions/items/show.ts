// One item as the system sees it: where it is, who signed it, what it shadows, what was read, what would not validate.
import type { Diagnostic, JsonObject } from '../../base/index.ts'
import { isHelper, validateItem } from '../../extract/index.ts'
import { parseRef, type SignedType, type Space } from '../../item/index.ts'
import { programFaults, unusedCopy } from '../../plan/index.ts'
import type { Verdict } from '../../trust/index.ts'
import { joinRef } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { Shadow } from '../definition/answer-parts.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { itemId, itemType, projectPath } from '../definition/shared-fields.ts'

const SHOW_FIELDS = {
  item_id: itemId,
  item_type: itemType,
  project_path: projectPath,
} as const satisfies Fields

export type ShowInput = CallInput<typeof SHOW_FIELDS>

export interface ShowAnswer {
  readonly item_type: SignedType
  readonly item_id: string
  readonly space: Space
  readonly path: string
  readonly parser: string
  readonly trust: Verdict
  readonly shadows: readonly Shadow[]
  readonly shadowed_by?: Space
  readonly metadata: JsonObject
  /** What would stop it from being signed. */
  readonly issues: readonly string[]
  /** Why nothing runs with it, though it is there. */
  readonly unused?: string
  readonly diagnostics: readonly Diagnostic[]
}

export const show = defineAction({
  name: 'show',
  description: 'Show what is known of one item, trusted or not, without its content.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: SHOW_FIELDS,
  run: async (context, input): Promise<ShowAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const found = workspace.find(joinRef(parseRef(input.item_id), input.item_type, undefined))
    const item = workspace.read(found)
    const parsed = await item.parse()
    const { body: _body, raw: _raw, content: _content, ...metadata } = parsed.metadata
    const extractor = workspace.extractors.get(item.file.type)
    const { core_shadowing } = (await context.library.policy()).execute
    const unused = unusedCopy({ ...item.file, toolType: metadata.tool_type }, core_shadowing)
    const invalid =
      extractor && !isHelper(parsed) ? validateItem(extractor, parsed).map(issue => issue.message) : []
    const faults = item.file.type === 'tool' ? programFaults({ ...parsed, bytes: item.bytes }) : []
    return {
      item_type: item.file.type,
      item_id: item.file.id,
      space: item.file.space,
      path: item.file.path,
      parser: parsed.parser,
      trust: await workspace.judge(item),
      shadows: item.shadows.map(space => ({ space })),
      ...(found.shadowedBy && { shadowed_by: found.shadowedBy.space }),
      metadata,
      issues: [...invalid, ...faults],
      ...(unused !== undefined && { unused }),
      diagnostics: parsed.diagnostics,
    }
  },
})
