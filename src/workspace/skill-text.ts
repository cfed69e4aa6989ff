// What search reads of a skill besides SKILL.md: its tools by the ids that `execute` takes, and how its reference documents begin.
import type { ParsedItem } from '../extract/index.ts'
import { nameOf } from '../item/index.ts'
import { callableItemIds, readSkill } from '../skills/index.ts'

/** Characters of one reference document, and of all of a skill. Some skills bring whole manuals, which say little about when the skill is meant. */
const REFERENCE = 3000
const REFERENCES = 24_000

/** The parsed skill with the texts of its parts joined to its own. */
export async function withSkillText(
  parsed: ParsedItem,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<ParsedItem> {
  if (!hasMore(files)) return { ...parsed, metadata: { ...parsed.metadata, keywords: [] } }
  const skill = await readSkill({ name: nameOf(parsed.id), path: '.', files })
  const { routing_keywords, intents } = skill.metadata
  const tools = [...callableItemIds({ skill, itemId: parsed.id })].map(
    ([{ record }, id]) => `${id}: ${record.description}\n${record.docstring}`,
  )
  const references: string[] = []
  let left = REFERENCES
  for (const { record, body } of skill.references) {
    const text = referenceText(record, body).slice(0, left)
    left -= text.length
    references.push(text)
  }
  return {
    ...parsed,
    metadata: { ...parsed.metadata, keywords: [...routing_keywords, ...intents] },
    body: [parsed.body, ...tools, ...references].join('\n\n'),
  }
}

/** Whether a skill has anything to read besides what was parsed: most have not. */
function hasMore(files: ReadonlyMap<string, Uint8Array>): boolean {
  for (const [path, bytes] of files) {
    if (/^(?:scripts\/.*\.py|references\/.*\.md)$/.test(path)) return true
    if (path.includes('/') || !/\.md$/i.test(path)) continue
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    // A zero is part of UTF-16, in which these words look different.
    if (content.includes('routing_keywords') || content.includes('intents') || content.includes(0))
      return true
  }
  return false
}

/** How it begins, and the headings of the rest. */
function referenceText(
  { title, sections }: { readonly title: string; readonly sections: readonly string[] },
  body: string,
): string {
  const start = body.slice(0, REFERENCE)
  const headings = body.length > REFERENCE ? sections.filter(section => !start.includes(section)) : []
  return [...(start.includes(title) ? [] : [title]), start, ...headings].join('\n')
}
