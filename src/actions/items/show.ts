// One item as the system sees it: where it is, who signed it, what it shadows, what was read, what would not validate.
import { validateItem } from '../../extract/index.ts'
import { parseRef } from '../../item/index.ts'
import { joinRef } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import { itemId, itemType, projectPath } from '../definition/fields.ts'

export const show = defineAction({
  name: 'show',
  description: 'Show what is known of one item, trusted or not, without its content.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: { item_id: itemId, item_type: itemType, project_path: projectPath },
  run: async (context, input) => {
    const workspace = await context.library.open(input.project_path)
    const found = workspace.find(joinRef(parseRef(input.item_id), input.item_type, undefined))
    const item = workspace.read(found)
    const parsed = await item.parse()
    const { body: _body, raw: _raw, content: _content, ...metadata } = parsed.metadata
    const extractor = workspace.extractors.get(item.file.type)
    return {
      item_type: item.file.type,
      item_id: item.file.id,
      space: item.file.space,
      path: item.file.path,
      parser: parsed.parser,
      trust: item.verdict,
      shadows: item.shadows.map(space => ({ space })),
      ...(found.shadowedBy && { shadowed_by: found.shadowedBy.space }),
      metadata,
      issues: extractor ? validateItem(extractor, parsed).map(issue => issue.message) : [],
      diagnostics: parsed.diagnostics,
    }
  },
})
