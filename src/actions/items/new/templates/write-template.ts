// New items from templates: each validates, signs and runs as it is.
import { categoryOf, type ItemType, nameOf } from '../../../../item/index.ts'
import { directiveTemplate, knowledgeTemplate, skillTemplate } from './documents.ts'
import { bashTemplate, pythonTemplate, typescriptTemplate, yamlTemplate } from './tools.ts'

export const LANGUAGES = ['python', 'typescript', 'bash', 'yaml'] as const
export type Language = (typeof LANGUAGES)[number]

export interface TemplateFile {
  /** Below the type's folder. */
  readonly path: string
  readonly text: string
}

const TOOLS = {
  python: { extension: '.py', write: pythonTemplate },
  typescript: { extension: '.ts', write: typescriptTemplate },
  bash: { extension: '.sh', write: bashTemplate },
  yaml: { extension: '.yaml', write: yamlTemplate },
} as const

/** The file of a new item. */
export function writeTemplate(
  type: ItemType,
  id: string,
  language: Language,
  description?: string,
): TemplateFile {
  const name = nameOf(id)
  const facts = {
    name,
    category: categoryOf(id),
    // Comments and headings end with their line: a sentence on two lines would become code in some templates.
    description: description?.replaceAll(/\s+/g, ' ').trim() || `What ${name} does, in one sentence`,
  }
  switch (type) {
    case 'tool': {
      const { extension, write } = TOOLS[language]
      return { path: `${id}${extension}`, text: write(facts) }
    }
    case 'directive':
      return { path: `${id}.md`, text: directiveTemplate(facts) }
    case 'knowledge':
      return { path: `${id}.md`, text: knowledgeTemplate(facts) }
    case 'skill':
      return { path: `${id}/SKILL.md`, text: skillTemplate(facts) }
  }
}
