// Creates a file in the project, or replaces one whole.
import type { Stats } from 'node:fs'
import { codeOf, failure, find, inFolder, type Place, Refused, seeEntry } from './_inside.ts'
import { replaceFile } from './_replace.ts'

export const __version__ = '1.1.0'
export const __tool_type__ = 'javascript'
export const __executor_id__ = 'rye/core/runtimes/node/node'
export const __category__ = 'rye/file-system'
export const __tool_description__ =
  'Create or overwrite a file in the project, with its folders; the file is never half written'

export const tags = ['file', 'write', 'create', 'save', 'new', 'overwrite']

export const CONFIG = { timeout: 30, permissions: { network: false } }

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    file_path: {
      type: 'string',
      minLength: 1,
      description: 'File to write, relative to the project or absolute inside it',
    },
    content: { type: 'string', maxLength: 10000000, description: 'The whole new content' },
    overwrite: {
      type: 'boolean',
      default: true,
      description: 'False refuses to replace a file that is there already',
    },
  },
  required: ['file_path', 'content'],
  additionalProperties: false,
}

interface Parameters {
  readonly file_path: string
  readonly content: string
  readonly overwrite?: boolean
}

/** Answers with the number of bytes, and whether the file is new. */
export function execute(params: Parameters, projectPath: string): object {
  const { file_path: name, content, overwrite = true } = params
  try {
    if (/\p{Surrogate}/u.test(content))
      throw new Refused('content holds half a surrogate pair, which no file can hold as text')
    const data = Buffer.from(content)
    const place = find(projectPath, name, { changes: true })
    if (place.steps.length === 0 || name.endsWith('/'))
      throw new Refused(`expected the name of a file, got the folder \`${name}\``)
    const known = see(place)
    if (known !== undefined && !known.isFile()) throw new Refused(`\`${name}\` is not a file`)
    if (known !== undefined && !overwrite)
      throw new Refused(`\`${name}\` exists already: set overwrite to true, or choose another name`)
    replaceFile(place, data, known)
    return {
      success: true,
      file_path: place.steps.join('/'),
      bytes_written: data.length,
      created: known === undefined,
    }
  } catch (thrown) {
    return failure(thrown, name)
  }
}

/** The file as it is now; undefined when it, or a folder on the way, does not exist yet. */
function see({ root, steps }: Place): Stats | undefined {
  try {
    return inFolder(root, steps.slice(0, -1), folder => seeEntry(folder, steps.at(-1)!))
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined
    throw thrown
  }
}
