// Sets up a project: folders, a key, first items, and the settings of a client.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, systemErrorCode } from '../../../base/index.ts'
import { atomicWrite, makeFolder, readFile } from '../../../files/index.ts'
import { folderOf, ITEM_TYPES, type ItemType } from '../../../item/index.ts'
import { findSigningKey, generateSigningKey } from '../../../user/index.ts'
import type { Library, Workspace } from '../../../workspace/index.ts'
import type { ActionContext, Program } from '../../definition/action.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import { resolvePath } from '../../definition/resolve-path.ts'
import { createItem } from '../../items/new/create-item.ts'
import { ownerOf } from '../keys/find-key.ts'
import {
  CLIENTS,
  type Client,
  clientSnippet,
  mergeClientFile,
  type ServerCommand,
} from './client-snippets.ts'
import type { INIT_FIELDS, InitAnswer } from './fields.ts'
import { installMergeDriver, lacksMergeDriver } from './merge-driver.ts'

const SETTINGS_BYTES = 1024 * 1024

const FIRST_ITEMS: readonly { type: ItemType; id: string; description: string }[] = [
  {
    type: 'directive',
    id: 'hello/first_steps',
    description: 'A first directive: look for help, then do the work',
  },
  { type: 'tool', id: 'hello/greet', description: 'Greet somebody' },
  { type: 'knowledge', id: 'hello/notes', description: 'Notes on this project' },
]

const NEXT = [
  'rye search how do I start',
  'rye execute tool:hello/greet --param who=you',
  'rye execute directive:hello/first_steps --param goal="read the notes"',
  'rye new tool ops/deploy --language bash',
]

export async function makeProject(
  context: ActionContext,
  input: InputOf<typeof INIT_FIELDS>,
): Promise<InitAnswer> {
  const { library } = context
  const base = resolvePath({}, input.project_path)
  const project = resolvePath({ directory: base }, input.directory ?? '.')
  makeProjectFolder(project)
  const workspace = await library.open(project)
  const created = [
    ...makeFolders(workspace),
    ...(await makeKey(library)),
    ...(await makeItems(context, workspace)),
    ...(input.merge_driver ? await installMergeDriver(context, workspace) : []),
  ]
  const server = serverCommand(context.program)
  const written = input.client ? await writeClientFile(workspace, input.client, server) : []
  return {
    status: 'initialised',
    project_path: workspace.projectPath,
    created: [...created, ...written],
    clients: (input.client ? [input.client] : CLIENTS).map(client => clientSnippet(client, server)),
    next: [...NEXT, ...(lacksMergeDriver(workspace) ? ['rye init --merge-driver'] : [])],
  }
}

/** As a client starts it. */
function serverCommand({ command, args = [] }: Program = { command: 'rye' }): ServerCommand {
  return { command, args: [...args, 'mcp'] }
}

function makeFolders(workspace: Workspace): string[] {
  const made: string[] = []
  for (const type of ITEM_TYPES) {
    const path = join(workspace.projectPath, '.ai', folderOf(type))
    if (makeFolder(path, { root: workspace.projectPath })) made.push(path)
  }
  return made
}

function makeProjectFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (cause) {
    throw new AppError('WRITE_FAILED', `cannot create the folder \`${path}\`: ${systemErrorCode(cause)}`, {
      cause,
    })
  }
}

async function makeKey(library: Library): Promise<string[]> {
  if (findSigningKey(library.userSpace)) return []
  const key = await generateSigningKey(library.userSpace, ownerOf(library))
  return [`signing key ${key.fingerprint}`]
}

async function makeItems(context: ActionContext, workspace: Workspace): Promise<string[]> {
  const { items } = workspace.list(ITEM_TYPES)
  if (items.some(({ entry }) => entry.space === 'project')) return []
  const paths: string[] = []
  for (const { type, id, description } of FIRST_ITEMS) {
    const created = await createItem(context, workspace, {
      type,
      id,
      description,
      language: 'python',
      space: 'project',
    })
    paths.push(created.path)
  }
  return paths
}

async function writeClientFile(
  workspace: Workspace,
  client: Client,
  server: ServerCommand,
): Promise<string[]> {
  const { file } = clientSnippet(client, server)
  const path = join(workspace.projectPath, file)
  const existing = readFile(path, { maxBytes: SETTINGS_BYTES })?.bytes.toString('utf8')
  const merged = await mergeClientFile(client, existing, server)
  if (merged === existing) return []
  atomicWrite(path, merged, { root: workspace.projectPath })
  return [path]
}
