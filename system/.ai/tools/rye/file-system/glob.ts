// Finds files of the project by a pattern of names.
import { failure, find } from './_inside.ts'
import { compileGlob, walk } from './_walk.ts'

export const __version__ = '1.1.0'
export const __tool_type__ = 'javascript'
export const __executor_id__ = 'rye/core/runtimes/node/node'
export const __category__ = 'rye/file-system'
export const __tool_description__ =
  'Find files of the project by name with a glob pattern such as `src/**/*.{ts,tsx}`'

export const tags = ['file', 'find', 'glob', 'pattern', 'name', 'wildcard', 'locate', 'extension']

export const CONFIG = { timeout: 60, permissions: { network: false } }

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    pattern: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description:
        '`*`, `?`, `[ab]` in a name, `**` for any folders, `{a,b}` for either; any folder without `/`',
    },
    path: { type: 'string', default: '.', description: 'Folder to search, relative to the project' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 5000,
      default: 500,
      description: 'Most files to answer',
    },
  },
  required: ['pattern'],
  additionalProperties: false,
}

interface Parameters {
  readonly pattern: string
  readonly path?: string
  readonly limit?: number
}

/** Answers with paths from the project, folder by folder; `.git`, `node_modules`, caches, links are passed over. */
export function execute({ pattern, path: name = '.', limit = 500 }: Parameters, projectPath: string): object {
  const files: string[] = []
  let truncated = false
  try {
    const test = compileGlob(pattern.includes('/') ? pattern : `**/${pattern}`)
    const { root, steps: start } = find(projectPath, name)
    walk(root, start, ({ steps, names }) => {
      const here = steps.map(String)
      const below = here.slice(start.length)
      const fitting = names.map(String).filter(entry => test([...below, entry]))
      truncated = files.length + fitting.length > limit
      files.push(...fitting.slice(0, limit - files.length).map(entry => [...here, entry].join('/')))
      return !truncated
    })
  } catch (thrown) {
    return failure(thrown, name)
  }
  return { success: true, files, count: files.length, truncated }
}
