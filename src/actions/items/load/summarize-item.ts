// What a caller needs to know to use an item, without its source.
import { AppError, isRecord, type JsonObject } from '../../../base/index.ts'
import { readVersion } from '../../../item/index.ts'
import { findChain, inputSchema } from '../../../plan/index.ts'
import { createPlanContext, type OpenedItem, verifiedTool, type Workspace } from '../../../workspace/index.ts'
import type { LoadSummary } from './fields.ts'

export async function summarizeItem(workspace: Workspace, item: OpenedItem): Promise<LoadSummary> {
  const { file, verdict } = item
  const { metadata } = await item.parse()
  const version = readVersion(metadata.version)
  const { examples } = metadata
  return {
    status: 'success',
    item_type: file.type,
    item_id: file.id,
    view: 'summary',
    description: descriptionIn(metadata),
    ...(version !== undefined && { version }),
    ...(await factsOf(workspace, item)),
    ...(examples !== undefined && examples !== null && { examples }),
    signer: verdict.signer,
    source: file.space,
    path: file.path,
  }
}

/** The author may have put anything there; only text, numbers and booleans count. */
export function descriptionIn({ description, title }: Readonly<Record<string, unknown>>): string {
  const said = [description, title].find(value => ['string', 'number', 'boolean'].includes(typeof value))
  return String(said ?? '')
}

async function factsOf(workspace: Workspace, item: OpenedItem): Promise<Partial<LoadSummary>> {
  const { metadata } = await item.parse()
  switch (item.file.type) {
    case 'tool': {
      const { config_schema } = metadata
      // Metadata holds only JSON values.
      const parameters = isRecord(config_schema) ? { parameters: config_schema as JsonObject } : {}
      return { ...parameters, ...(await chainOf(workspace, item)) }
    }
    case 'directive':
      return { parameters: inputSchema(metadata) }
    case 'skill':
      return { files: [...item.parts.keys()].sort() }
    default:
      return {}
  }
}

/** For a tool that nothing can run, gives the reason instead of failing: a summary is only for reading. */
async function chainOf(
  workspace: Workspace,
  item: OpenedItem,
): Promise<Pick<LoadSummary, 'chain' | 'problem'>> {
  try {
    return { chain: await findChain(await verifiedTool(item), await createPlanContext(workspace, null)) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { problem: thrown.message }
  }
}
