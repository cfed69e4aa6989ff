// Input fields and answer of `rye init`.
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { projectPath } from '../../definition/shared-fields.ts'
import { CLIENTS } from './client-files.ts'
import type { ClientSnippet } from './client-snippets.ts'

export const INIT_FIELDS = {
  directory: {
    type: 'string',
    about: 'the folder; without it the current one, which may not be part of another project',
    flag: { position: 'first', value: 'DIR' },
  },
  client: {
    type: 'string',
    about: "write this client's settings file",
    values: CLIENTS,
    flag: { value: 'NAME' },
  },
  no_items: {
    type: 'boolean',
    about: 'no first items: folders and key alone',
    default: false,
  },
  merge_driver: {
    type: 'boolean',
    about: 'have git merge edits of one item: .gitattributes, and the settings of this clone',
  },
  project_path: projectPath,
} as const satisfies Fields

export type InitInput = CallInput<typeof INIT_FIELDS>

export interface InitAnswer {
  readonly status: 'initialised'
  readonly project_path: string
  /** The files and folders that were made, and the key. */
  readonly created: readonly string[]
  readonly clients: readonly ClientSnippet[]
  /** Suggested next commands. */
  readonly next: readonly string[]
  /** Set when there is no key; then nothing that needs one was made. */
  readonly warning?: string
}
