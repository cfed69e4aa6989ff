// Lists a folder of the project.
import { codeOf, type Folder, failure, find, inFolder, Refused, seeEntry } from './_inside.ts'

export const __version__ = '1.1.0'
export const __tool_type__ = 'javascript'
export const __executor_id__ = 'rye/core/runtimes/node/node'
export const __category__ = 'rye/file-system'
export const __tool_description__ =
  'List a folder (directory) of the project: names, kinds and sizes, folders first'

export const tags = ['directory', 'folder', 'list', 'ls', 'dir', 'files', 'tree']

export const CONFIG = { timeout: 30, permissions: { network: false } }

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      default: '.',
      description: 'Folder to list, relative to the project or absolute inside it',
    },
    hidden: { type: 'boolean', default: true, description: 'Also list names that begin with a dot' },
    offset: { type: 'integer', minimum: 0, default: 0, description: 'Entries to pass over' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 5000,
      default: 500,
      description: 'Most entries to answer; `next_offset` says where to go on',
    },
  },
  additionalProperties: false,
}

const MOST_ENTRIES = 100_000

interface Parameters {
  readonly path?: string
  readonly hidden?: boolean
  readonly offset?: number
  readonly limit?: number
}

interface Entry {
  readonly name: string
  readonly kind: 'folder' | 'file' | 'link' | 'other'
  readonly size?: number
}

/** Answers with a page of entries and how many there are. */
export function execute(params: Parameters, projectPath: string): object {
  const { path: name = '.', hidden = true, offset = 0, limit = 500 } = params
  try {
    const { root, steps } = find(projectPath, name)
    const entries = inFolder(root, steps, folder => readEntries(folder, hidden))
    return {
      success: true,
      path: steps.join('/') || '.',
      entries: entries.slice(offset, offset + limit),
      total: entries.length,
      ...(offset + limit < entries.length && { next_offset: offset + limit }),
    }
  } catch (thrown) {
    const isFile = codeOf(thrown) === 'ENOTDIR'
    return failure(
      isFile ? new Refused(`\`${name}\` is not a folder: read it with rye/file-system/read`) : thrown,
      name,
    )
  }
}

/** Every entry with its kind and the size of files, folders first; links are named, not followed. */
function readEntries(folder: Folder, hidden: boolean): Entry[] {
  const entries: Entry[] = []
  for (const { name } of folder.entries().slice(0, MOST_ENTRIES)) {
    if (!hidden && name[0] === 0x2e) continue
    const seen = seeEntry(folder, name)
    if (seen === undefined) continue
    const shown = name.toString()
    if (seen.isDirectory()) entries.push({ name: shown, kind: 'folder' })
    else if (seen.isFile()) entries.push({ name: shown, kind: 'file', size: seen.size })
    else entries.push({ name: shown, kind: seen.isSymbolicLink() ? 'link' : 'other' })
  }
  const isFolder = (entry: Entry) => entry.kind === 'folder'
  return [...entries.filter(isFolder), ...entries.filter(entry => !isFolder(entry))]
}
