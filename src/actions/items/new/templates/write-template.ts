// Writes new items from templates: each validates, signs and runs as it is.
import { categoryOf, type ItemType, nameOf } from '../../../../item/index.ts'
import type { CommandLine } from '../command-line.ts'
import type { NewParameter } from '../parameters.ts'
import { directiveTemplate, knowledgeTemplate, skillTemplate } from './documents.ts'
import { bashTemplate, commandTemplate, pythonTemplate, typescriptTemplate, yamlTemplate } from './tools.ts'

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

export interface TemplateRequest {
  readonly type: ItemType
  readonly id: string
  readonly language: Language
  readonly description?: string | undefined
  readonly parameters?: readonly NewParameter[] | undefined
  /** For a tool that runs a command; `language` is ignored then. */
  readonly command?: CommandLine | undefined
}

/** The file of a new item. */
export function writeTemplate(request: TemplateRequest): TemplateFile {
  const { type, id, language, description, parameters, command } = request
  const name = nameOf(id)
  const sentence = command
    ? `Run ${[command.command, ...command.args].join(' ')}`
    : `What ${name} does, in one sentence`
  const facts = {
    name,
    category: categoryOf(id),
    // Comments and headings end with their line, so a second line would become code in some templates.
    description: description?.replaceAll(/\s+/g, ' ').trim() || sentence,
    parameters,
    command,
  }
  switch (type) {
    case 'tool': {
      if (command) return { path: `${id}.yaml`, text: commandTemplate(facts) }
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
