// `rye init`: a folder becomes a project. Nothing that is there already is changed.
import { mkdirSync, realpathSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { AppError, systemErrorCode } from '../../../base/index.ts'
import { atomicWrite, readFile } from '../../../files/index.ts'
import { folderOf, ITEM_TYPES, type ItemType } from '../../../item/index.ts'
import { findSigningKey, generateSigningKey } from '../../../user/index.ts'
import type { Library, Workspace } from '../../../workspace/index.ts'
import { type ActionContext, defineAction } from '../../definition/action.ts'
import { projectPath } from '../../definition/fields.ts'
import { createItem } from '../../items/new/create-item.ts'
import { CLIENTS, clientSnippet, mergeClientFile, type ServerCommand } from './client-snippets.ts'

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

export const init = defineAction({
  name: 'init',
  description: 'Make a folder a project: skeleton, key, first items, snippets for clients.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  fields: {
    directory: {
      type: 'string',
      about: 'the folder; the current one without it',
      flag: { position: 'first', value: 'DIR' },
    },
    client: {
      type: 'string',
      about: "write this client's settings file",
      values: CLIENTS,
      flag: { value: 'NAME' },
    },
    project_path: projectPath,
  },
  run: async (context, input) => {
    const { library } = context
    const project = resolve(input.project_path, input.directory ?? '.')
    makeFolder(project)
    const workspace = await library.open(project)
    const created = [
      ...makeFolders(workspace),
      ...(await makeKey(library)),
      ...(await makeItems(context, workspace)),
    ]
    const server = serverCommand(library)
    const written = input.client ? await writeClientFile(workspace, input.client, server) : []
    return {
      status: 'initialised',
      project_path: workspace.projectPath,
      created: [...created, ...written],
      clients: (input.client ? [input.client] : CLIENTS).map(client => clientSnippet(client, server)),
      next: [
        'rye search how do I start',
        'rye execute tool:hello/greet --param who=you',
        'rye execute directive:hello/first_steps --param goal="read the notes"',
        'rye new tool ops/deploy --language bash',
      ],
    }
  },
})

function makeFolders(workspace: Workspace): string[] {
  const made: string[] = []
  for (const type of ITEM_TYPES) {
    const path = join(workspace.projectPath, '.ai', folderOf(type))
    if (makeFolder(path)) made.push(path)
  }
  return made
}

/** True when it was not there. */
function makeFolder(path: string): boolean {
  try {
    return mkdirSync(path, { recursive: true }) !== undefined
  } catch (cause) {
    throw new AppError('WRITE_FAILED', `cannot make the folder \`${path}\`: ${systemErrorCode(cause)}`, {
      cause,
    })
  }
}

async function makeKey(library: Library): Promise<string[]> {
  if (findSigningKey(library.userSpace)) return []
  const key = await generateSigningKey(library.userSpace)
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
  client: (typeof CLIENTS)[number],
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

/** `rye` when that name leads to this program, and not to another of the same name; else this very program. */
function serverCommand(library: Library): ServerCommand {
  const program = process.argv[1]
  if (program === undefined) return { command: 'rye', args: ['mcp'] }
  const folders = (library.environment.PATH ?? '').split(delimiter).filter(folder => folder !== '')
  const named = folders.map(folder => realPath(join(folder, 'rye'))).find(path => path !== undefined)
  if (named !== undefined && named === realPath(program)) return { command: 'rye', args: ['mcp'] }
  return { command: process.execPath, args: [program, 'mcp'] }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    // Absent: the next folder is looked at.
    return undefined
  }
}
