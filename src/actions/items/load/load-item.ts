// Reading one item by its id. What is answered are the verified bytes.
import { extname } from 'node:path'
import { AppError } from '../../../base/index.ts'
import { type ItemType, nameOf, parseRef, readVersion } from '../../../item/index.ts'
import { joinRef, type OpenedItem } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { copyItem } from './copy-item.ts'

export interface LoadInput {
  readonly item_id: string
  readonly item_type?: ItemType
  readonly project_path: string
  readonly source?: 'project' | 'user' | 'system' | 'registry'
  readonly destination?: 'project' | 'user'
  readonly overwrite?: boolean
  readonly version?: string
}

export async function loadItem(context: ActionContext, input: LoadInput): Promise<object> {
  if (input.source === 'registry') {
    throw new AppError('NOT_AVAILABLE', 'nothing is loaded from a registry unread', {
      hint: 'execute the tool `rye/registry` with `{"action": "pull", "package": "..."}` first; for what is here, leave `source` out',
    })
  }
  const workspace = await context.library.open(input.project_path)
  const item = workspace.open(joinRef(parseRef(input.item_id), input.item_type, input.source))
  const { metadata } = await item.parse()
  const version = readVersion(metadata.version)
  if (input.version !== undefined && input.version !== version)
    throw otherVersion(item, input.version, version)
  const { file } = item
  const extension = extname(file.path)
  return {
    status: 'success',
    item_type: file.type,
    item_id: file.id,
    content: new TextDecoder().decode(item.bytes),
    metadata: {
      name: nameOf(file.id),
      path: file.path,
      extension,
      ...(version !== undefined && { version }),
    },
    path: file.path,
    source: file.space,
    mode: 'id',
    trust: item.verdict,
    shadows: item.shadows.map(space => ({ space })),
    ...(input.destination &&
      copyItem(workspace, item, { destination: input.destination, overwrite: input.overwrite === true })),
  }
}

function otherVersion(item: OpenedItem, wanted: string, found: string | undefined): AppError {
  return new AppError(
    'ITEM_NOT_FOUND',
    `expected version \`${wanted}\` of \`${item.file.id}\`, got \`${found ?? 'none'}\``,
    {
      hint: 'a space holds one version of an item',
    },
  )
}
