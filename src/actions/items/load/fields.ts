// What `load` takes, and what it answers with.
import type { JsonObject, JsonValue } from '../../../base/index.ts'
import type { ItemType, Space } from '../../../item/index.ts'
import type { Plan } from '../../../plan/index.ts'
import type { Verdict } from '../../../trust/index.ts'
import type { Shadow } from '../../definition/answer-parts.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { itemId, itemType, projectPath } from '../../definition/shared-fields.ts'

/** All fields but the id and the page, which `fetch` declares for itself. */
export const COPY_FIELDS = {
  item_type: itemType,
  project_path: projectPath,
  source: {
    type: 'string',
    about: 'look only here; without it project, then user, then system',
    listed: '',
    values: ['project', 'user', 'system', 'registry'],
    unlisted: ['shared'],
    flag: { value: 'S' },
  },
  destination: {
    type: 'string',
    about: 'space to copy it to',
    listed: 'copy it there',
    values: ['project', 'user'],
    flag: { name: 'to' },
  },
  overwrite: {
    type: 'boolean',
    about: 'let the copy replace an item that is there already',
    listed: '',
  },
  version: {
    type: 'string',
    about: 'refuse any other version; from a registry, of the bundle: exact, a range or a tag',
    listed: '',
    flag: { value: 'V' },
  },
  view: {
    type: 'string',
    about: '`summary`: parameters and description, without the source',
    listed: '`summary`: what it takes',
    values: ['source', 'summary'],
    default: 'source',
    flag: { value: 'V' },
  },
} as const satisfies Fields

export const LOAD_FIELDS = {
  item_id: {
    ...itemId,
    about: `${itemId.about}; \`skill:NAME/path\`: one file of a skill; \`output:ID\` reads on in a long output`,
    listed: `${itemId.listed}, \`skill:NAME/FILE\`, \`output:ID\``,
  },
  ...COPY_FIELDS,
  offset: {
    type: 'integer',
    about: 'first byte of the content',
    listed: '',
    minimum: 0,
    maximum: 1_000_000_000,
    flag: { value: 'N' },
  },
  limit: {
    type: 'integer',
    about: 'most bytes of it; without it all, or 64 KB for an agent',
    listed: 'bytes',
    minimum: 1,
    maximum: 1_000_000,
    flag: { value: 'N' },
  },
} as const satisfies Fields

export type LoadInput = CallInput<typeof LOAD_FIELDS>

/** What `load` answers with, depending on what is asked for. */
export type AnyLoadAnswer = LoadAnswer | LoadSummary | LoadedOutput

/** With `view: "summary"`: what a caller needs to know to use the item. */
export interface LoadSummary {
  readonly status: 'success'
  readonly item_type: ItemType | 'config'
  readonly item_id: string
  readonly view: 'summary'
  readonly description: string
  readonly version?: string
  /** JSON Schema, for tools and directives. */
  readonly parameters?: JsonObject
  readonly examples?: JsonValue
  /** For a tool: the chain that runs it, or why nothing can. */
  readonly chain?: Plan['chain']
  readonly problem?: string
  /** For a skill. */
  readonly files?: readonly string[]
  /** Fingerprint of the key; null if the package or nobody vouches for it. */
  readonly signer: string | null
  readonly source: Space | 'registry'
  readonly path: string
  readonly warning?: string
  /** From a registry: the bundle, with its version. */
  readonly package?: string
}

/** With `output:ID`: a page of an output that was too long for an answer. */
export interface LoadedOutput {
  readonly status: 'success'
  readonly item_type: 'output'
  readonly item_id: string
  readonly content: string
  /** In bytes. */
  readonly offset: number
  readonly size: number
  readonly next_offset?: number
}

export interface LoadAnswer {
  readonly status: 'success'
  readonly item_type: ItemType | 'config'
  readonly item_id: string
  /** The bytes that were verified, as text. */
  readonly content: string
  /** For a file of a skill: `base64` if it is not text. */
  readonly encoding?: 'utf-8' | 'base64'
  readonly metadata: {
    readonly name: string
    readonly path: string
    readonly extension: string
    readonly version?: string
  }
  readonly path: string
  readonly source: Space | 'registry'
  readonly mode: 'id'
  /**
   * With `offset` or `limit`, and when the text is too long for an agent: how many bytes there are, and where
   * the next page begins.
   */
  readonly size?: number
  readonly next_offset?: number
  /** For an agent that gave no `limit`, when there is more: how to read on. */
  readonly hint?: string
  readonly trust: Verdict
  readonly shadows: readonly Shadow[]
  /** Set when the item is older than the one used before, or when it is unknown what was used before. */
  readonly warning?: string
  /** From a registry: the bundle, with its version, and the digest of its archive. */
  readonly package?: string
  readonly integrity?: string
  /** With a destination, unless the item was there already. */
  readonly copied_to?: 'project' | 'user'
  readonly destination_path?: string
  /** For a copied tool: the files beside it that it needs, at their new paths. */
  readonly helpers?: readonly { readonly path: string; readonly status: 'copied' | 'unchanged' }[]
  /** For a copied tool: files beside it that it names but that do not verify. */
  readonly left_out?: readonly { readonly path: string; readonly reason: string }[]
}
