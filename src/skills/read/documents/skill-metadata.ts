// Turns SKILL.md front matter into SkillMetadata. Keys are accepted in the `metadata:` block and at the top
// level, and those of the Agent Skills specification are kept. A skill has its folder's name, whatever the
// front matter says.
import type { JsonObject } from '../../../base/index.ts'
import { descriptionInstead } from '../../../parse/index.ts'
import type { FileReport } from '../file-report.ts'
import type { SkillMetadata } from '../records.ts'
import { type Block, createFieldReader, metadataBlock, withoutRepeats } from './fields.ts'
import type { FrontMatter } from './front-matter.ts'
import { referencePathProblem } from './reference-path.ts'

const KNOWN = new Set([
  'author',
  'authors',
  'intents',
  'permissions',
  'repository',
  'require_refs',
  'routing_keywords',
  'source',
  'version',
])

export function emptyMetadata(skillName: string, description = ''): SkillMetadata {
  return {
    skill_name: skillName,
    version: '',
    description,
    routing_keywords: [],
    authors: [],
    intents: [],
    require_refs: [],
    repository: '',
    permissions: [],
  }
}

export function readSkillMetadata(skillName: string, matter: FrontMatter, report: FileReport): SkillMetadata {
  if (matter.absence !== undefined) {
    report.warning('front-matter-missing', matter.absence)
    return emptyMetadata(skillName, describeSkill(matter))
  }
  const block = metadataBlock(matter, report)
  const inner = createFieldReader(matter, 'metadata', report)
  const outer = createFieldReader(matter, 'margin', report)
  const name = outer.text('name')
  if (name !== undefined && name !== skillName) {
    const message = `the front matter names this skill \`${name}\`, but its folder is \`${skillName}\`; the folder's name is used`
    report.warning('name-mismatch', message, matter.placeOf('name'))
  }
  const license = outer.text('license')
  const compatibility = outer.text('compatibility')
  const allowedTools = Array.isArray(matter.data['allowed-tools'])
    ? outer.names('allowed-tools')?.join(' ')
    : outer.text('allowed-tools', 'allowed_tools')
  const author = inner.text('author')
  const rest = otherKeys(block)
  return {
    skill_name: skillName,
    version: inner.text('version') ?? '',
    description: describeSkill(matter, report),
    routing_keywords: withoutRepeats(inner.list('routing_keywords') ?? []),
    authors: inner.names('authors') ?? (author === undefined ? [] : [author]),
    intents: withoutRepeats(inner.list('intents') ?? []),
    require_refs: requiredReferences(inner.list('require_refs') ?? [], matter, report),
    repository: inner.text('repository', 'source') ?? '',
    permissions: inner.list('permissions') ?? [],
    ...(name !== undefined && name !== skillName && { name }),
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(allowedTools !== undefined && { allowed_tools: allowedTools }),
    ...(rest && { metadata: rest }),
  }
}

/** The description or, without one, the text's first paragraph or heading: the same wherever it is read. */
export function describeSkill(matter: FrontMatter, report?: FileReport): string {
  const { description } = matter.data
  const said = typeof description === 'string' ? description.trim() : ''
  if (said !== '') return said
  const instead = descriptionInstead(matter.body)
  const done = instead ? `; the first ${instead.from} is used` : ''
  if (!matter.leftOut.includes('description'))
    report?.warning('description-missing', `expected a \`description\`, got none${done}`)
  return instead?.text ?? ''
}

function requiredReferences(paths: readonly string[], matter: FrontMatter, report: FileReport): string[] {
  return paths.filter(path => {
    const problem = referencePathProblem(path)
    if (problem === undefined) return true
    const message = `\`require_refs\`: \`${path}\` is left out: ${problem}`
    report.warning('reference-path', message, matter.placeOf('require_refs'))
    return false
  })
}

function otherKeys(block: Block): JsonObject | undefined {
  const rest = Object.entries(block).filter(([key]) => !KNOWN.has(key))
  return rest.length > 0 ? Object.fromEntries(rest) : undefined
}
