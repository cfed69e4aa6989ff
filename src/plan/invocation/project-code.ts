// Code of a project that nobody verified (`.venv`, `node_modules`) may run in the project's own tools if the
// user allows that for the project. A bundled tool copied into a project is not one of these: its signature
// says nothing about the project. A tool that an agent signed is: it runs without secrets, and what runs in it
// can do no more than its own code.
import type { PlanContext, ProjectPackages, VerifiedTool } from '../types.ts'

export interface ProjectCodeUser {
  readonly tool: Pick<VerifiedTool, 'space' | 'verdict'>
  /** Whether the tool is given a secret, which this code could then read. */
  readonly hasSecrets: boolean
}

export interface ProjectCode {
  /** Whether the user may allow it for this tool. */
  readonly isEligible: boolean
  readonly isAllowed: boolean
  /** How the user would allow it. */
  readonly permit: string
}

type Places = Pick<PlanContext, 'projectPath' | 'userSpace' | 'projectInterpreters'>

export function judgeProjectCode({ tool, hasSecrets }: ProjectCodeUser, places: Places): ProjectCode {
  const needed = hasSecrets ? 'with-secrets' : 'allow'
  const isEligible = tool.space === 'project' && tool.verdict.format !== 'manifest'
  const { projectInterpreters: policy } = places
  return {
    isEligible,
    isAllowed: isEligible && (policy === 'with-secrets' || policy === needed),
    permit: `\`"${places.projectPath}" = "${needed}"\` below \`[execute.project_interpreters]\` in \`${places.userSpace}/.ai/config/rye.toml\``,
  }
}

export function projectPackages(user: ProjectCodeUser, places: Places): ProjectPackages {
  const { isEligible, isAllowed, permit } = judgeProjectCode(user, places)
  const refusal = isEligible
    ? `because nobody verified it; to allow it, write ${permit}`
    : 'because nobody verified it: only a tool of the project itself can be allowed to, and no copy of a bundled one'
  return { allowed: isAllowed, refusal }
}
