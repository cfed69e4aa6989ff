// Where other clients look for skills: below the project, and below the home directory.

interface ClientFolders {
  readonly project: string
  readonly user: string
}

const SHARED = '.agents/skills'

export const SKILL_CLIENTS = {
  claude: { project: '.claude/skills', user: '.claude/skills' },
  agents: { project: SHARED, user: SHARED },
  codex: { project: SHARED, user: SHARED },
  cursor: { project: SHARED, user: '.cursor/skills' },
  copilot: { project: SHARED, user: '.copilot/skills' },
  gemini: { project: SHARED, user: '.gemini/skills' },
  opencode: { project: SHARED, user: '.config/opencode/skills' },
  amp: { project: SHARED, user: '.config/agents/skills' },
  windsurf: { project: '.windsurf/skills', user: '.codeium/windsurf/skills' },
  goose: { project: '.goose/skills', user: '.config/goose/skills' },
  kiro: { project: '.kiro/skills', user: '.kiro/skills' },
} as const satisfies Readonly<Record<string, ClientFolders>>

export type SkillClient = keyof typeof SKILL_CLIENTS

// Keys of an object literal are exactly its type's.
export const SKILL_CLIENT_NAMES = Object.keys(SKILL_CLIENTS) as readonly SkillClient[]
