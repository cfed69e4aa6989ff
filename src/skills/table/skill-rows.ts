// A skill and each of its functions as rows of the `skills` table: columns for what is searched, `metadata`
// with everything else, and a digest of the whole, so that any change changes the row. An id is what
// `execute` takes, and follows from the names in the skill's own folder.
import { printCanonicalJson, sha256Hex } from '../../base/index.ts'
import { nameWords } from '../read/name-words.ts'
import { pathIn, type ReadSkill } from '../read/read-skill.ts'
import type { ToolRecord } from '../read/records.ts'
import { type SkillItem, toolItemIds } from '../read/unique-keys.ts'

export interface ToolRow {
  readonly id: string
  /** What it is for: the text that is shown, searched and embedded. */
  readonly content: string
  readonly type: 'command' | 'skill'
  readonly tool_name: string
  readonly skill_name: string
  readonly category: string
  readonly file_path: string
  /** The full name as words. */
  readonly name_words: string
  readonly intents: string
  readonly routing_keywords: string
  /** Text in scripts without spaces, which an index of words does not find. */
  readonly unspaced: string
  /** JSON of `ToolRowMetadata`. */
  readonly metadata: string
  readonly digest: string
}

/** The digest and trust of a skill's folder when it was read. */
export interface SkillSeal {
  /** `sha256:` of its list of files as it is signed; null when the folder cannot be read completely. */
  readonly digest: string | null
  readonly trust: { readonly status: string; readonly signer: string | null }
}

export interface ToolRowMetadata extends SkillSeal {
  /** `command` for every function, `skill` for a skill as a whole. */
  readonly type: 'command' | 'skill'
  /** What kind of function it is. */
  readonly kind: 'command' | 'resource' | 'skill'
  /** The item that `load` and `execute` know. */
  readonly item_id: string
  readonly skill_name: string
  readonly tool_name: string
  /** Empty for a skill. */
  readonly command: string
  readonly file_path: string
  /** The directory that `file_path` is below: from the project, from the home directory (`~/`), or absolute. */
  readonly root: string
  readonly function_name: string
  readonly intents: readonly string[]
  readonly routing_keywords: readonly string[]
  readonly file_hash: string
  readonly input_schema: string
  readonly docstring: string
  readonly category: string
  readonly annotations: ToolRecord['annotations']
  readonly parameters: readonly string[]
  readonly skill_tools_refers: readonly string[]
}

export interface SkillToIndex extends SkillItem {
  readonly skill: ReadSkill
  /** Distinguishes it from a skill with the same id in another directory. */
  readonly source?: string
  /** The directory that its path is below. */
  readonly root: string
  /** Prefix of paths in its diagnostics. Default: none. */
  readonly shown?: string
  readonly seal: SkillSeal
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]+/gu
const NO_ANNOTATIONS = { read_only: false, destructive: false, idempotent: false, open_world: false }

/** The row of the skill, then those of its functions. `refersTo` names the documents that describe a tool. */
export function buildSkillRows(
  { skill, itemId, isSkill, source, root, seal }: SkillToIndex,
  refersTo: (toolName: string) => readonly string[],
): ToolRow[] {
  const { metadata, name } = skill
  const idOf = (id: string) => (source === undefined ? id : `${id}@${source}`)
  const whole = buildRow(idOf(itemId), metadata.description, {
    ...seal,
    type: 'skill',
    kind: 'skill',
    item_id: idOf(itemId),
    skill_name: name,
    tool_name: name,
    command: '',
    file_path: pathIn(skill, skill.main),
    root,
    function_name: '',
    intents: metadata.intents,
    routing_keywords: metadata.routing_keywords,
    file_hash: skill.mainHash,
    input_schema: '{}',
    docstring: '',
    category: categoryOf(metadata.metadata?.category),
    annotations: NO_ANNOTATIONS,
    parameters: [],
    skill_tools_refers: [],
  })
  const functions = [...toolItemIds({ skill, itemId, isSkill })].map(([{ record, kind }, id]) => {
    const ownId = idOf(id)
    return buildRow(ownId, record.description, {
      ...seal,
      type: 'command',
      kind,
      item_id: ownId,
      skill_name: record.skill_name,
      tool_name: record.tool_name,
      command: record.tool_name.slice(record.skill_name.length + 1),
      file_path: record.file_path,
      root,
      function_name: record.function_name,
      intents: record.intents,
      routing_keywords: metadata.routing_keywords,
      file_hash: record.file_hash,
      input_schema: record.input_schema,
      docstring: record.docstring,
      category: record.category,
      annotations: record.annotations,
      parameters: record.parameters,
      skill_tools_refers: refersTo(record.tool_name),
    })
  })
  return [whole, ...functions]
}

function buildRow(id: string, content: string, metadata: ToolRowMetadata): ToolRow {
  const { type, tool_name, skill_name, category, file_path, intents, routing_keywords } = metadata
  const row = {
    id,
    content,
    type,
    tool_name,
    skill_name,
    category,
    file_path,
    name_words: nameWords(tool_name).join(' '),
    intents: intents.join(' | '),
    routing_keywords: routing_keywords.join(' '),
    unspaced: unspacedText([tool_name, content, ...intents, ...routing_keywords].join(' ')),
    metadata: JSON.stringify(metadata),
  }
  return { ...row, digest: sha256Hex(printCanonicalJson(row)) }
}

export function unspacedText(text: string): string {
  return (text.match(UNSPACED) ?? []).join(' ')
}

function categoryOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
