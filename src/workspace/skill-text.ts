// What search reads of a skill besides SKILL.md: its tools under the ids that `execute` takes, and the
// beginning of its reference documents.
import type { ParsedItem } from '../extract/index.ts'
import { nameOf } from '../item/index.ts'
import { callableItemIds, readSkill } from '../skills/index.ts'

/**
 * Characters read of one reference document, and of all references of a skill. Some skills contain whole
 * manuals, which say little about when to use the skill.
 */
const REFERENCE = 3000
const REFERENCES = 24_000

/** The text of a skill's parts. It is the same for all copies of a skill with the same name. */
export interface SkillText {
  readonly skill: Awaited<ReturnType<typeof readSkill>>
  readonly references: readonly string[]
}

/** Reads the searched parts of a skill. Undefined when it has none. */
export async function readSkillText(
  { id }: Pick<ParsedItem, 'id'>,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<SkillText | undefined> {
  if (!hasMore(files)) return undefined
  const skill = await readSkill({ name: nameOf(id), path: '.', files })
  const references: string[] = []
  let left = REFERENCES
  for (const { record, body } of skill.references) {
    const text = referenceText(record, body).slice(0, left)
    left -= text.length
    references.push(text)
  }
  return { skill, references }
}

/** Adds the texts of its parts to the parsed skill. */
export async function withSkillText(
  parsed: ParsedItem,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<ParsedItem> {
  return joinSkillText(parsed, await readSkillText(parsed, files))
}

export function joinSkillText(parsed: ParsedItem, text: SkillText | undefined): ParsedItem {
  if (text === undefined) return { ...parsed, metadata: { ...parsed.metadata, keywords: [] } }
  const { routing_keywords, intents } = text.skill.metadata
  const tools = [...callableItemIds({ skill: text.skill, itemId: parsed.id })].map(
    ([{ record }, id]) => `${id}: ${record.description}\n${record.docstring}`,
  )
  return {
    ...parsed,
    metadata: { ...parsed.metadata, keywords: [...routing_keywords, ...intents] },
    body: [parsed.body, ...tools, ...text.references].join('\n\n'),
  }
}

/** Whether the searched files contain anything besides the parsed text; most skills do not. */
function hasMore(files: ReadonlyMap<string, Uint8Array>): boolean {
  for (const [path, bytes] of files) {
    if (path.includes('/')) return true
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    // A zero byte suggests UTF-16, in which these words are spelled differently.
    if (content.includes('routing_keywords') || content.includes('intents') || content.includes(0))
      return true
  }
  return false
}

/** The beginning of a reference document, and the headings of the rest. */
function referenceText(
  { title, sections }: { readonly title: string; readonly sections: readonly string[] },
  body: string,
): string {
  const start = body.slice(0, REFERENCE)
  const headings = body.length > REFERENCE ? sections.filter(section => !start.includes(section)) : []
  return [...(start.includes(title) ? [] : [title]), start, ...headings].join('\n')
}
