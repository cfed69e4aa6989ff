// The settings file of a client on this machine: what would be added to it, and adding it. A file in the
// user's home is written only when that client is asked for by name.
import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../../base/index.ts'
import { atomicWrite, readFile } from '../../../files/index.ts'
import { homeOf, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { CLIENT_FILES, type Client, type ClientFile } from './client-files.ts'
import { addServer, type ClientSnippet, printSnippet } from './client-snippets.ts'
import { isDependency, projectServer, type ServerCommand, userServer } from './server-command.ts'

const SETTINGS_BYTES = 4 * 1024 * 1024

/** The snippet that a person would paste. */
export function describeClient(context: ActionContext, workspace: Workspace, client: Client): ClientSnippet {
  const { name, server } = findFile(context, workspace, client)
  return { client, name: CLIENT_FILES[client].title, file: name, snippet: printSnippet(client, server) }
}

/** Adds our server. Returns the path of the file, or nothing if it was not changed. */
export async function connectClient(
  context: ActionContext,
  workspace: Workspace,
  client: Client,
): Promise<string[]> {
  const { name, path, root, server } = findFile(context, workspace, client)
  const isShared = CLIENT_FILES[client].scope === 'user'
  const text = readSettings(path, root)
  const added = await addServer(client, { name, text }, server)
  if (added === undefined) {
    const other = isShared ? ', and may be for another project: `--project` in it says for which' : ''
    context.onNote(`\`${name}\` has an entry \`rye\` already; it was left as it is${other}`)
    return []
  }
  atomicWrite(path, added, { root })
  if (!isShared && !context.program && isDependency(workspace.projectPath))
    context.onNote(
      `\`${name}\` starts the \`ryekit\` in \`node_modules\` of the project, because its package.json asks for it: whoever can write there decides what runs`,
    )
  if (isShared)
    context.onNote(
      `${CLIENT_FILES[client].title} has settings of this machine alone: they name the project by its path, \`${workspace.projectPath}\``,
    )
  return [path]
}

function readSettings(path: string, root: string): string | undefined {
  const hint = `paste the snippet into it yourself; \`rye init\` shows it`
  try {
    const text = readFile(path, { maxBytes: SETTINGS_BYTES, root })?.bytes.toString('utf8')
    // The atomic write replaces the file whatever its own permissions say, so they are checked here.
    if (text !== undefined) accessSync(path, constants.W_OK)
    return text
  } catch (thrown) {
    if (thrown instanceof AppError) throw new AppError(thrown.code, thrown.message, { hint, cause: thrown })
    throw new AppError('WRITE_FAILED', `\`${path}\` is read-only`, { hint, cause: thrown })
  }
}

interface FoundFile {
  /** The path as shown to people. */
  readonly name: string
  readonly path: string
  /** No part of the path below it may be a link. */
  readonly root: string
  readonly server: ServerCommand
}

function findFile({ library, program }: ActionContext, workspace: Workspace, client: Client): FoundFile {
  const { projectPath } = workspace
  const file: ClientFile = CLIENT_FILES[client]
  const { environment } = library
  const first = file.path({ home: homeOf(environment), platform: process.platform, environment })
  if (file.scope === 'user') {
    return { name: first, ...ownPath(first), server: userServer(projectPath, program) }
  }
  const name = file.others?.find(other => existsSync(join(projectPath, other))) ?? first
  const used = existsSync(join(projectPath, first)) ? first : name
  const server = projectServer(projectPath, program)
  return { name: used, path: join(projectPath, used), root: projectPath, server }
}

/** People may put links anywhere in their home: links are followed and kept. */
function ownPath(path: string): Pick<FoundFile, 'path' | 'root'> {
  if (existsSync(path)) {
    const real = realpathSync.native(path)
    return { path: real, root: dirname(real) }
  }
  let above = dirname(path)
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above)
  const root = realpathSync.native(above)
  return { path: join(root, path.slice(above.length)), root }
}
