// Opens what a person names as a root: a folder with `.ai/`, or a source as `rye add` takes it. Each has a
// name in the table, by which the next sync finds its rows again.
import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { AppError, quoteText } from '../../base/index.ts'
import type { ItemToSync, RootToSync } from '../../catalogue/index.ts'
import type { ItemType } from '../../item/index.ts'
import { findItems, readAddress } from '../../sources/index.ts'
import { type ItemProblem, itemsToSync, makeItem, type Workspace } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { findPath, resolvePath } from '../definition/resolve-path.ts'
import { idOfLocked } from '../sources/locked-items.ts'
import { openSource } from '../sources/open-source.ts'
import { readLock, splitName, targetOf } from '../sources/target.ts'

const ROOT_NAME = /^[A-Za-z0-9@][A-Za-z0-9_.@/:#-]{0,199}$/
/** Timeout in seconds for fetching a source. */
const FETCH_S = 300

export interface OpenRootOptions {
  readonly projectPath: string
  readonly onProblem: (problem: ItemProblem) => void
  /** Only these items. */
  readonly only?: readonly { readonly type: ItemType; readonly id: string }[] | undefined
}

/**
 * Takes `NAME=WHERE`, or `WHERE` alone: the name is then that of the folder, or the address of the source.
 * Throws `INVALID_INPUT`.
 */
export async function openRoot(
  context: ActionContext,
  text: string,
  options: OpenRootOptions,
): Promise<RootToSync> {
  const [, given, where = text] = /^([^=/]+)=(.+)$/s.exec(text) ?? []
  const path = findPath(context, where)
  if (path !== undefined && existsSync(path) && statSync(path).isDirectory()) {
    const workspace = await context.library.open(resolvePath(context, where))
    return {
      name: checkName(given ?? basename(workspace.projectPath)),
      only: namesOf(options),
      items: ({ quiet } = { quiet: false }) =>
        itemsToSync(workspace, {
          ...options,
          ...(quiet && { onProblem: () => {} }),
          originOf: originsIn(workspace),
        }),
    }
  }
  return openSourceRoot(context, { name: checkName(given ?? where), where }, options)
}

function namesOf({ only }: OpenRootOptions): string[] | undefined {
  return only?.map(({ type, id }) => `${type}:${id}`)
}

function checkName(name: string): string {
  if (ROOT_NAME.test(name)) return name
  throw new AppError(
    'INVALID_INPUT',
    `expected a name of letters, digits and \`_.@/:#-\`, got ${quoteText(name, 120)}`,
    {
      hint: 'give the root another name: `NAME=DIR`',
    },
  )
}

/** What the lock of the folder says about the origin of its items. */
function originsIn(workspace: Workspace) {
  const origins = new Map<string, { source: string; commit: string }>()
  for (const { source, resolved, items } of readLock(targetOf(workspace, 'project')).sources) {
    for (const item of items) {
      const name = `${splitName(item.name).type}:${idOfLocked(item)}`
      origins.set(name, { source, commit: item.at ?? resolved })
    }
  }
  return (name: string) => origins.get(name)
}

/** Opens an archive, a repository or a package: it is fetched, but never unpacked into a space. */
async function openSourceRoot(
  context: ActionContext,
  { name, where }: { readonly name: string; readonly where: string },
  options: OpenRootOptions,
): Promise<RootToSync> {
  const { projectPath, onProblem } = options
  const only = namesOf(options)
  const address = readAddress(where, path => {
    const full = resolvePath(context, path)
    const kind = !existsSync(full) ? 'nothing' : statSync(full).isDirectory() ? 'folder' : 'file'
    return { path: full, kind }
  })
  const { extractors } = await context.library.open(projectPath)
  const tree = await openSource(context, { project_path: projectPath, timeout: FETCH_S }, address)
  const { items, refused } = findItems(tree, { extractors, name: basename(name) })
  for (const { path, reason } of refused) onProblem({ path, message: reason })
  const read = async (item: (typeof items)[number]) => {
    const bytes = await tree.read([...item.files.values()])
    const above = item.type === 'skill' ? item.id.length + 1 : Math.max(0, item.id.lastIndexOf('/') + 1)
    const files = new Map([...item.files].map(([below, path]) => [below.slice(above), bytes.get(path)!]))
    const { type, id, extension } = item
    const made = await makeItem({ type, id, extension, files }, extractors)
    return { ...made, source: where, commit: tree.resolved ?? '' }
  }
  return {
    ...{ name, only },
    *items() {
      const seen = new Set<string>()
      for (const item of items) {
        const { type, id } = item
        if (seen.has(`${type}:${id}`) || (only && !only.includes(`${type}:${id}`))) continue
        seen.add(`${type}:${id}`)
        yield {
          type,
          id,
          stampLike: () => '',
          read: () => orProblem(read(item), item.path, onProblem),
        } satisfies ItemToSync
      }
    },
  }
}

async function orProblem<T>(
  reading: Promise<T>,
  path: string,
  onProblem: OpenRootOptions['onProblem'],
): Promise<T | undefined> {
  try {
    return await reading
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    onProblem({ path, message: thrown.message })
    return undefined
  }
}
