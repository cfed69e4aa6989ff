// Which sniffer rules of a skill a project fulfils. A rule that is not understood matches nothing.
import { matchesGlob } from '../../item/index.ts'
import type { SnifferRule } from '../read/records.ts'
import { ruleProblem } from '../read/sniffer-rules.ts'

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

function findMatch(rule: SnifferRule, { files, has }: SniffedProject): string | undefined {
  const { type, pattern } = rule
  if (ruleProblem(rule) !== undefined) return undefined
  if (type === 'file_exists') return has(pattern) ? pattern : undefined
  return files.find(file => matchesGlob(pattern, file))
}
