// What search reads of a skill besides SKILL.md: its tools with their descriptions, and its reference documents.
import type { ParsedItem } from '../extract/index.ts'
import { nameOf } from '../item/index.ts'
import { readSkill } from '../skills/index.ts'

/** The parsed skill with the texts of its parts joined to its own. */
export async function withSkillText(
  parsed: ParsedItem,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<ParsedItem> {
  const skill = await readSkill({ name: nameOf(parsed.id), path: '.', files })
  const { routing_keywords, intents } = skill.metadata
  const tools = skill.tools.map(
    ({ record }) => `${record.tool_name}: ${record.description}\n${record.docstring}`,
  )
  const references = skill.references.map(({ record, body }) =>
    body.includes(record.title) ? body : `${record.title}\n${body}`,
  )
  return {
    ...parsed,
    metadata: { ...parsed.metadata, keywords: [...routing_keywords, ...intents] },
    body: [parsed.body, ...tools, ...references].join('\n\n'),
  }
}
