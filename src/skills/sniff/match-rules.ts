// Which sniffer rules of a skill a project fulfils. A rule that is not understood matches nothing.
import { matchesGlob } from '../../item/index.ts'
import type { SnifferRule } from '../read/records.ts'

export interface SniffedProject {
  /** Below the project, with `/`. */
  readonly files: readonly string[]
  /** Whether there is a file or a folder of this name, also one that is not among the files. */
  has(path: string): boolean
}

export interface RuleMatch extends SnifferRule {
  /** What it matched: the first by name. */
  readonly path: string
}

/** `file_exists` names a file or folder of the project; `file_pattern` is a pattern, without a slash at any depth. */
export function matchRules(rules: readonly SnifferRule[], project: SniffedProject): RuleMatch[] {
  return rules.flatMap(rule => {
    const path = findMatch(rule, project)
    return path === undefined ? [] : [{ ...rule, path }]
  })
}

function findMatch({ type, pattern }: SnifferRule, { files, has }: SniffedProject): string | undefined {
  if (type === 'file_exists') return isPlainPath(pattern) && has(pattern) ? pattern : undefined
  if (type === 'file_pattern') return files.find(file => matchesGlob(pattern, file))
  return undefined
}

/** Stays inside of the project. */
function isPlainPath(path: string): boolean {
  return (
    !path.includes('\\') &&
    !path.includes('\0') &&
    path.split('/').every(part => part !== '' && part !== '.' && part !== '..')
  )
}
