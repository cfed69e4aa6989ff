// Asks a server for its tools on behalf of an action, by its signed item or by a description that needs no
// signature.
import { AppError, type JsonObject } from '../../base/index.ts'
import { askServer, type ServerTools } from '../../execute/index.ts'
import { createScrubber, planServer, type ServerDescription } from '../../plan/index.ts'
import { createPlanContext, openRunner, requireSecrets, type Workspace } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { ItemFiles } from './item-files.ts'
import { missingServer } from './missing-server.ts'

export interface FoundTools extends ServerTools {
  readonly transport: 'stdio' | 'http'
}

export interface AskedServer {
  readonly item: ServerDescription
  readonly isSigned: boolean
}

/**
 * Connects, lists the tools and disconnects. Secrets that the server was given are removed from its answer.
 */
export async function askForTools(
  context: ActionContext,
  workspace: Workspace,
  { item, isSigned }: AskedServer,
  timeoutS: number,
): Promise<FoundTools> {
  const planContext = await createPlanContext(workspace, null)
  const { server, permissions, secrets } = planServer(item, planContext)
  if (secrets.length > 0) requireSecrets(context.library)
  const scrub = createScrubber(secrets)
  const runner = await openRunner(workspace)
  const { projectPath } = workspace
  try {
    const found = await askServer(
      runner,
      server,
      {
        projectPath,
        permissions,
        isUnsigned: !isSigned,
        onStarting: (message, done) => context.onProgress({ message, done, waits: true }),
      },
      { timeoutMs: timeoutS * 1000, signal: context.signal },
    )
    return { transport: server.transport, server: scrub(found.server), tools: scrub(found.tools as never) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const { code, message, hint, details } = thrown
    // Details of such a failure contain only text.
    throw new AppError(code, scrub(message), { hint, details: scrub(details as JsonObject), cause: thrown })
  }
}

/** The item of a server in the project, and whether it is verified. */
export async function openServer(workspace: Workspace, id: string): Promise<AskedServer> {
  const { lookup } = await createPlanContext(workspace, null)
  const item = await lookup(id, 'project')
  if (item !== undefined) return { item, isSigned: item.verdict.status === 'verified' }
  throw missingServer(new ItemFiles(workspace.projectPath), id.replace(/^mcp\/servers\//, ''))
}
