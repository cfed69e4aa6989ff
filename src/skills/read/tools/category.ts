// The category of a tool whose decorator names none: from the words of its skill's name, the first rule that fits.
import { nameWords } from '../name-words.ts'

const RULES: readonly (readonly [category: string, beginnings: readonly string[]])[] = [
  ['version_control', ['git', 'version', 'commit']],
  ['filesystem', ['file', 'fs', 'path']],
  ['engineering', ['code', 'coding', 'engineering', 'refactor', 'debug']],
  ['writing', ['writer', 'writ', 'edit', 'document']],
  ['search', ['search', 'grep', 'query', 'find']],
  ['testing', ['test', 'qa', 'coverage', 'lint']],
  ['data', ['data', 'db', 'sql']],
  ['shell', ['shell', 'exec', 'run', 'command']],
  ['network', ['api', 'http', 'network', 'web']],
]

/** The skill's own name when no rule fits. */
export function inferCategory(skillName: string): string {
  const words = nameWords(skillName)
  const rule = RULES.find(([, beginnings]) =>
    beginnings.some(beginning => words.some(word => word.startsWith(beginning))),
  )
  return rule?.[0] ?? skillName
}
