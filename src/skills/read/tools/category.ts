// The category of a tool whose decorator names none: the first rule that matches a word of its skill's name.
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

/** Falls back to the skill's name. */
export function inferCategory(skillName: string): string {
  const words = nameWords(skillName)
  const rule = RULES.find(([, beginnings]) =>
    beginnings.some(beginning => words.some(word => word.startsWith(beginning))),
  )
  return rule?.[0] ?? skillName
}
