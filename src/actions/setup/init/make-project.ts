// Sets up a project: folders, a key, first items, and the settings of a client.
import { join } from 'node:path'
import { AppError, systemErrorCode } from '../../../base/index.ts'
import { makeFolder, makeFolders } from '../../../files/index.ts'
import { folderOf, ITEM_TYPES, type ItemType } from '../../../item/index.ts'
import { findSigningKey, generateSigningKey, userSpaceProblem } from '../../../user/index.ts'
import type { Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import { resolvePath } from '../../definition/resolve-path.ts'
import { createItem } from '../../items/new/create-item.ts'
import { ownerOf } from '../keys/find-key.ts'
import { CLIENTS } from './client-files.ts'
import { connectClient, describeClient } from './client-settings.ts'
import type { INIT_FIELDS, InitAnswer } from './fields.ts'
import { installMergeDriver, lacksMergeDriver } from './merge-driver.ts'
import { isDependency } from './server-command.ts'

const FIRST_ITEMS: readonly { type: ItemType; id: string; description: string }[] = [
  {
    type: 'directive',
    id: 'hello/first_steps',
    description: 'A first directive: look for help, then do the work',
  },
  { type: 'tool', id: 'hello/greet', description: 'Greet somebody' },
  { type: 'knowledge', id: 'hello/notes', description: 'Notes on this project' },
]

const NEW_TOOL = 'rye new tool ops/deploy'

const NEXT = [
  'rye search how do I start',
  'rye execute tool:hello/greet --param who=you',
  'rye execute directive:hello/first_steps --param goal="read the notes"',
  NEW_TOOL,
]

const NEXT_WITHOUT_ITEMS = ['rye search how do I write a tool', NEW_TOOL]

export async function makeProject(
  context: ActionContext,
  input: InputOf<typeof INIT_FIELDS>,
): Promise<InitAnswer> {
  const { library } = context
  const base = resolvePath({}, input.project_path)
  const project = resolvePath({ directory: base }, input.directory ?? '.')
  makeProjectFolder(project)
  const workspace = await library.open(project)
  // First: if making a key throws, nothing else is made.
  const { keys, warning } = await makeKey(context, input.no_items)
  const created = [
    ...makeTypeFolders(workspace),
    ...keys,
    ...(input.no_items || warning !== undefined ? [] : await makeItems(context, workspace)),
    ...(input.client ? await connectClient(context, workspace, input.client) : []),
    ...(input.merge_driver ? await installMergeDriver(context, workspace) : []),
  ]
  return {
    status: 'initialised',
    project_path: workspace.projectPath,
    created,
    clients: (input.client ? [input.client] : CLIENTS).map(client =>
      describeClient(context, workspace, client),
    ),
    next: asTyped(context, workspace, [
      ...(hasFirstItems(workspace) ? NEXT : NEXT_WITHOUT_ITEMS),
      ...(lacksMergeDriver(workspace) ? ['rye init --merge-driver'] : []),
    ]),
    ...(warning !== undefined && { warning }),
  }
}

/** Under `npx`, `rye` was on the PATH of that one call only. */
function asTyped({ library }: ActionContext, workspace: Workspace, commands: readonly string[]): string[] {
  if (library.environment.npm_command !== 'exec') return [...commands]
  if (isDependency(workspace.projectPath)) return commands.map(command => `npx ${command}`)
  return ['npm install --global ryekit', ...commands]
}

/** Whether they exist, made now or earlier; somebody may have removed them. */
function hasFirstItems(workspace: Workspace): boolean {
  return FIRST_ITEMS.every(({ type, id }) => workspace.has({ type, id, space: 'project' }))
}

function makeTypeFolders(workspace: Workspace): string[] {
  const made: string[] = []
  for (const type of ITEM_TYPES) {
    const path = join(workspace.projectPath, '.ai', folderOf(type))
    if (makeFolder(path, { root: workspace.projectPath })) made.push(path)
  }
  return made
}

function makeProjectFolder(path: string): void {
  try {
    makeFolders(path)
  } catch (cause) {
    if (systemErrorCode(cause) === 'EEXIST' || systemErrorCode(cause) === 'ENOTDIR')
      throw new AppError('WRITE_FAILED', `expected a folder, but \`${path}\` is a file`, {
        hint: 'name a folder, which may be new, or no folder for the current one',
        cause,
      })
    throw new AppError('WRITE_FAILED', `cannot create the folder \`${path}\`: ${systemErrorCode(cause)}`, {
      cause,
    })
  }
}

/**
 * The first items must be signed. The rest of a project needs no key, if the user's space cannot be written.
 */
async function makeKey(
  { library }: ActionContext,
  mayLack: boolean,
): Promise<{ keys: string[]; warning?: string }> {
  const { userSpace } = library
  if (findSigningKey(userSpace)) return { keys: [] }
  const problem = userSpaceProblem(userSpace)
  try {
    const key = await generateSigningKey(userSpace, ownerOf(library))
    return { keys: [`signing key ${key.fingerprint}`] }
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'WRITE_FAILED') throw thrown
    const message = `no signing key can be made: ${thrown.message}`
    const hint = problem?.hint ?? 'set USER_SPACE to a folder that you can write to: your key is kept there'
    if (problem || mayLack) {
      const without = mayLack ? message : `no first items, because ${message}`
      return { keys: [], warning: `${without}; ${hint}` }
    }
    throw new AppError('WRITE_FAILED', message, {
      hint: `${hint}; \`--no-items\` does without`,
      cause: thrown,
    })
  }
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
      language: 'typescript',
      space: 'project',
    })
    paths.push(created.path)
  }
  return paths
}
