// Reads one item by its id, and answers with the bytes that were verified.
import { extname } from 'node:path'
import { AppError, callOf, hintWith } from '../../../base/index.ts'
import { nameOf, parseRef, readVersion } from '../../../item/index.ts'
import { joinRef, type OpenedItem } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import { copyItem } from './copy-item.ts'
import type { LOAD_FIELDS, LoadAnswer } from './definition.ts'

type Input = InputOf<typeof LOAD_FIELDS>

export async function loadItem(context: ActionContext, input: Input): Promise<LoadAnswer> {
  if (input.source === 'registry') {
    throw new AppError('NOT_AVAILABLE', 'cannot load from a registry', {
      hint: hintWith(
        'pull it first: ',
        callOf('execute', { item_id: 'rye/registry', parameters: { action: 'pull', package: 'NAME' } }),
        '; to load what is here, leave `source` out',
      ),
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
