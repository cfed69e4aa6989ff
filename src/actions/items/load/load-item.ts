// Reads one item by its id and answers with the verified bytes, or with a page of an output that was kept.
import { extname } from 'node:path'
import { AppError, escapeHidden } from '../../../base/index.ts'
import { nameOf, parseRef, readVersion } from '../../../item/index.ts'
import { readOutput } from '../../../user/index.ts'
import { joinRef, type OpenedItem, requirePermission, requireSpace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { finishUse } from '../../definition/finish-use.ts'
import { AGENT_PAGE, sliceText } from '../../definition/slice-text.ts'
import { bringSkillOf, findSkillFile, hintAtSkillFile, openSkillFile } from '../skill-file.ts'
import { hintAtSkillFunction } from '../skill-function.ts'
import { copyItem } from './copy-item.ts'
import type { LoadAnswer, LoadedOutput, LoadSummary } from './fields.ts'
import { loadSkillFile } from './load-skill-file.ts'
import { type ItemInput, readPage } from './read-page.ts'
import { refuseExtractor } from './refuse-extractor.ts'
import { summarizeItem } from './summarize-item.ts'

export async function loadItem(context: ActionContext, input: ItemInput): Promise<LoadAnswer | LoadSummary> {
  requirePermission(context.library, 'load')
  if (input.destination !== undefined) {
    requirePermission(context.library, 'write')
    requireSpace(context.library, input.destination)
  }
  if (input.source === 'registry') {
    requirePermission(context.library, 'network')
    const { loadFromRegistry } = await import('./load-from-registry.ts')
    return loadFromRegistry(context, input)
  }
  const workspace = await context.library.open(input.project_path)
  await bringSkillOf(workspace, input)
  const part = findSkillFile(workspace, input)
  if (part !== undefined) {
    const opened = await openSkillFile(workspace, part, 'read')
    const version = await versionOf(opened.item, input.version)
    const loaded = loadSkillFile(opened, version, { ...input, limit: limitOf(context, input, opened.bytes) })
    return { ...loaded, ...(await finishUse(workspace)) }
  }
  const request = joinRef(parseRef(input.item_id), input.item_type, input.source)
  const item = await workspace.open(request).catch(async thrown => {
    throw await hintAtSkillFunction(workspace, request, hintAtSkillFile(workspace, input, thrown))
  })
  if (input.destination) refuseExtractor(context.caller, item.file, input.destination)
  const version = await versionOf(item, input.version)
  if (input.view === 'summary')
    return { ...(await summarizeItem(workspace, item)), ...(await finishUse(workspace)) }
  const notes = await finishUse(workspace)
  const { file } = item
  const extension = extname(file.path)
  const limit = file.type === 'skill' ? limitOf(context, input, item.bytes) : input.limit
  const { content, ...page } = readPage(item.bytes, { ...input, ...(limit !== undefined && { limit }) })
  return {
    status: 'success',
    item_type: file.type,
    item_id: file.id,
    content,
    metadata: {
      name: nameOf(file.id),
      path: file.path,
      extension,
      ...(version !== undefined && { version }),
    },
    path: file.path,
    source: file.space,
    mode: 'id',
    ...page,
    trust: item.verdict,
    shadows: item.shadows.map(space => ({ space })),
    ...notes,
    ...(input.destination &&
      (await copyItem(workspace, item, {
        destination: input.destination,
        overwrite: input.overwrite === true,
      }))),
  }
}

/** A short file comes whole, without the fields of a page. */
function limitOf({ caller }: ActionContext, { limit }: ItemInput, bytes: Uint8Array): number | undefined {
  return caller === 'agent' && bytes.length > AGENT_PAGE ? (limit ?? AGENT_PAGE) : limit
}

/** The version of an item; throws if another is asked for. */
async function versionOf(item: OpenedItem, wanted: string | undefined): Promise<string | undefined> {
  const { metadata } = await item.parse()
  const version = readVersion(metadata.version)
  if (wanted !== undefined && wanted !== version) throw otherVersion(item, wanted, version)
  return version
}

const OUTPUT_PAGE = 12_000

export async function loadOutput(context: ActionContext, input: ItemInput): Promise<LoadedOutput> {
  requirePermission(context.library, 'load')
  const { projectPath, library } = await context.library.open(input.project_path)
  const { item_id, destination, offset = 0, limit = OUTPUT_PAGE } = input
  if (destination !== undefined)
    throw new AppError('INVALID_INPUT', '`destination` copies items; an output is only read')
  const folder = library.states.find(projectPath)
  const bytes = folder && readOutput(folder.path, item_id.slice('output:'.length))
  if (bytes === undefined) {
    throw new AppError(
      'ITEM_NOT_FOUND',
      `no output \`${escapeHidden(item_id, { oneLine: true })}\` is kept`,
      {
        hint: 'only the newest outputs are kept: run the tool again',
      },
    )
  }
  const { text, start, end } = sliceText(bytes, offset, limit)
  const page = { content: text, offset: start, size: bytes.length }
  return {
    status: 'success',
    item_type: 'output',
    item_id,
    ...page,
    ...(end < bytes.length && { next_offset: end }),
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
