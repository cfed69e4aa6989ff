// Finds the files beside a tool that it needs, as verified bytes: what `execute` would run it with.
import { join, relative } from 'node:path'
import { AppError } from '../../../base/index.ts'
import { readFile } from '../../../files/index.ts'
import { findFiles } from '../../../plan/index.ts'
import { createPlanContext, type OpenedItem, verifiedTool, type Workspace } from '../../../workspace/index.ts'

export interface Helper {
  /** Relative to the folder of tools. */
  readonly path: string
  readonly source: string
  readonly bytes: Uint8Array
  readonly detached: Uint8Array | undefined
}

export interface Helpers {
  readonly helpers: readonly Helper[]
  /** Files that it names but that do not verify: it would run without them. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[]
}

const SIGNATURE_BYTES = 64 * 1024

export async function findHelpers(workspace: Workspace, item: OpenedItem): Promise<Helpers> {
  const { file } = item
  if (file.type !== 'tool') return { helpers: [], leftOut: [] }
  const found = await findQuietly(workspace, item)
  if (found === undefined) return { helpers: [], leftOut: [] }
  const tools = file.path.slice(0, -(file.id.length + file.extension.length + 1))
  const helpers = found.files.flatMap(({ path, bytes }) => {
    const source = join(found.root, path)
    if (source === file.path) return []
    const detached = readFile(`${source}.sig`, { maxBytes: SIGNATURE_BYTES })?.bytes
    return [{ path: relative(tools, source), source, bytes, detached }]
  })
  return { helpers, leftOut: found.leftOut }
}

/** A tool that nothing runs, such as a runtime, has no helpers. */
async function findQuietly(workspace: Workspace, item: OpenedItem) {
  try {
    return await findFiles(await verifiedTool(item), await createPlanContext(workspace, null))
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}
