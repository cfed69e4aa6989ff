// Where other clients look for skills: below the project, and below the home directory.

interface ClientFolders {
  readonly project: string
  readonly user: string
}

const SHARED = '.agents/skills'

/** By the names that the `skills` installer of npm has for them; some have a short one besides. */
export const SKILL_CLIENTS = {
  claude: { project: '.claude/skills', user: '.claude/skills' },
  'claude-code': { project: '.claude/skills', user: '.claude/skills' },
  agents: { project: SHARED, user: SHARED },
  codex: { project: SHARED, user: SHARED },
  cursor: { project: SHARED, user: '.cursor/skills' },
  copilot: { project: SHARED, user: '.copilot/skills' },
  'github-copilot': { project: SHARED, user: '.copilot/skills' },
  gemini: { project: SHARED, user: '.gemini/skills' },
  'gemini-cli': { project: SHARED, user: '.gemini/skills' },
  opencode: { project: SHARED, user: '.config/opencode/skills' },
  amp: { project: SHARED, user: '.config/agents/skills' },
  windsurf: { project: '.windsurf/skills', user: '.codeium/windsurf/skills' },
  goose: { project: '.goose/skills', user: '.config/goose/skills' },
  kiro: { project: '.kiro/skills', user: '.kiro/skills' },
  'kiro-cli': { project: '.kiro/skills', user: '.kiro/skills' },
  adal: { project: '.adal/skills', user: '.adal/skills' },
  antigravity: { project: '.agent/skills', user: '.gemini/antigravity/skills' },
  augment: { project: '.augment/skills', user: '.augment/skills' },
  cline: { project: SHARED, user: SHARED },
  codebuddy: { project: '.codebuddy/skills', user: '.codebuddy/skills' },
  'command-code': { project: '.commandcode/skills', user: '.commandcode/skills' },
  continue: { project: '.continue/skills', user: '.continue/skills' },
  crush: { project: '.crush/skills', user: '.config/crush/skills' },
  droid: { project: '.factory/skills', user: '.factory/skills' },
  hermes: { project: '.hermes/skills', user: '.hermes/skills' },
  'iflow-cli': { project: '.iflow/skills', user: '.iflow/skills' },
  junie: { project: '.junie/skills', user: '.junie/skills' },
  kilo: { project: '.kilocode/skills', user: '.kilocode/skills' },
  'kimi-cli': { project: SHARED, user: SHARED },
  kode: { project: '.kode/skills', user: '.kode/skills' },
  mcpjam: { project: '.mcpjam/skills', user: '.mcpjam/skills' },
  'mistral-vibe': { project: '.vibe/skills', user: '.vibe/skills' },
  mux: { project: '.mux/skills', user: '.mux/skills' },
  neovate: { project: '.neovate/skills', user: '.neovate/skills' },
  openclaw: { project: 'skills', user: '.openclaw/skills' },
  openhands: { project: '.openhands/skills', user: '.openhands/skills' },
  pi: { project: SHARED, user: SHARED },
  pochi: { project: '.pochi/skills', user: '.pochi/skills' },
  qoder: { project: '.qoder/skills', user: '.qoder/skills' },
  'qwen-code': { project: '.qwen/skills', user: '.qwen/skills' },
  replit: { project: SHARED, user: '.config/agents/skills' },
  roo: { project: '.roo/skills', user: '.roo/skills' },
  trae: { project: '.trae/skills', user: '.trae/skills' },
  'trae-cn': { project: '.trae/skills', user: '.trae-cn/skills' },
  warp: { project: SHARED, user: SHARED },
  zed: { project: SHARED, user: SHARED },
  zencoder: { project: '.zencoder/skills', user: '.zencoder/skills' },
} as const satisfies Readonly<Record<string, ClientFolders>>

export type SkillClient = keyof typeof SKILL_CLIENTS

// Keys of an object literal are exactly its type's.
export const SKILL_CLIENT_NAMES = Object.keys(SKILL_CLIENTS) as readonly SkillClient[]
