// Makes a ReferenceRecord of each `references/**/*.md`. Only `for_tools` says which tools a document
// describes; its skills are those of the tools, in the same order.
import { type JsonObject, sha256Hex } from '../../../base/index.ts'
import type { FileReport, Place } from '../file-report.ts'
import type { ReferenceRecord } from '../records.ts'
import { createFieldReader, metadataBlock, withoutRepeats } from './fields.ts'
import { type FrontMatter, readFrontMatter } from './front-matter.ts'
import { previewOf, readOutline } from './outline.ts'

const KNOWN = new Set([
  'description',
  'doc_type',
  'for_tool',
  'for_tools',
  'intents',
  'routing_keywords',
  'title',
])

export interface ReadReference {
  readonly record: ReferenceRecord
  /** Without front matter. */
  readonly body: string
  /** The path below `references/` without extension: distinguishes documents of the same name. */
  readonly stem: string
  /** The position of `for_tools`. */
  readonly place: Place
}

export interface ReferenceFile {
  readonly skillName: string
  /** Below the skill's folder. */
  readonly path: string
  /** From the scanned root. */
  readonly filePath: string
  readonly bytes: Uint8Array
}

export async function readReference(
  file: ReferenceFile,
  report: FileReport,
): Promise<ReadReference | undefined> {
  const matter = await readFrontMatter(file.bytes, report, { nested: true })
  if (matter === undefined) return undefined
  const stem = file.path.slice('references/'.length, -'.md'.length)
  const refName = stem.slice(stem.lastIndexOf('/') + 1)
  const block = metadataBlock(matter, report)
  const fields = createFieldReader(matter, 'metadata', report)
  const forTools = readForTools(matter, fields.oneOrMore('for_tools', 'for_tool'), report)
  const forSkills = withoutRepeats((forTools ?? []).map(tool => tool.slice(0, tool.indexOf('.'))))
  const outline = readOutline(matter.body)
  const keywords = [...(fields.list('routing_keywords') ?? []), ...(fields.list('intents') ?? [])]
  const description = fields.text('description')
  const rest = otherKeys(matter.data, block)
  return {
    stem,
    place: matter.placeOf('for_tools'),
    body: matter.body,
    record: {
      ref_name: refName,
      title: fields.text('title') ?? outline.title ?? refName,
      skill_name: forSkills[0] ?? file.skillName,
      file_path: file.filePath,
      for_skills: forSkills.length > 0 ? forSkills : [file.skillName],
      for_tools: forTools ?? null,
      doc_type: fields.text('doc_type') ?? 'reference',
      content_preview: previewOf(matter.body),
      keywords: withoutRepeats(keywords),
      sections: outline.sections,
      file_hash: sha256Hex(file.bytes),
      ...(description !== undefined && { description }),
      ...(rest && { metadata: rest }),
    },
  }
}

/** Keys without a field in the record, from the `metadata` block and beside it. */
function otherKeys(data: JsonObject, block: Readonly<JsonObject>): JsonObject | undefined {
  const { metadata: _block, ...outer } = data
  const rest = Object.entries({ ...outer, ...block }).filter(([key]) => !KNOWN.has(key))
  return rest.length > 0 ? Object.fromEntries(rest) : undefined
}

/** Only full names: a name without its skill is ambiguous. */
function readForTools(
  matter: FrontMatter,
  names: readonly string[] | undefined,
  report: FileReport,
): string[] | undefined {
  const full = withoutRepeats(names ?? []).filter(name => {
    const dot = name.indexOf('.')
    if (dot > 0 && dot < name.length - 1) return true
    const message = `\`for_tools\`: expected \`skill.tool\`, got \`${name}\``
    report.warning('tool-name', message, matter.placeOf('for_tools'))
    return false
  })
  return full.length > 0 ? full : undefined
}
