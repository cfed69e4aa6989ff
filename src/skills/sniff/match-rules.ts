// Decides which sniffer rules of a skill match a project. A rule that is not understood matches nothing.
import { matchesGlob } from '../../item/index.ts'
import type { SnifferRule } from '../read/records.ts'
import { ruleProblem } from '../read/sniffer-rules.ts'

export interface SniffedProject {
  /** Below the project, with `/`. */
  readonly files: readonly string[]
  /** Whether there is a file or folder at this path, even if it is not in `files`. */
  has(path: string): boolean
}

export interface RuleMatch extends SnifferRule {
  /** What it matched: the first of `files` that does, or the path that exists. */
  readonly path: string
}

/** `file_exists` names a file or folder. `file_pattern` is a glob; one without a slash matches anywhere. */
export function matchRules(rules: readonly SnifferRule[], project: SniffedProject): RuleMatch[] {
  return rules.flatMap(rule => {
    const path = findMatch(rule, project)
    return path === undefined ? [] : [{ ...rule, path }]
  })
}

function findMatch(rule: SnifferRule, { files, has }: SniffedProject): string | undefined {
  const { type, pattern } = rule
  if (ruleProblem(rule) !== undefined) return undefined
  if (type === 'file_exists') return has(pattern) ? pattern : undefined
  return files.find(file => matchesGlob(pattern, file))
}
