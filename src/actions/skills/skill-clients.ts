// Where other clients look for skills: below the project and below the home directory. Names and folders
// match those of npm's `skills` installer, so that each of the two finds what the other has installed. Where
// a client says otherwise, we follow the client, and a comment says so.

export interface ClientFolders {
  readonly project: string
  /** For all projects; absent for clients without such a folder. */
  readonly user?: string
}

const SHARED = '.agents/skills'

const CLIENTS = {
  'aider-desk': both('.aider-desk/skills'),
  'antigravity-cli': shared('.gemini/antigravity-cli/skills'),
  'autohand-code': both('.autohand/skills'),
  'claude-code': both('.claude/skills'),
  'codearts-agent': both('.codeartsdoer/skills'),
  'command-code': both('.commandcode/skills'),
  'gemini-cli': shared('.gemini/skills'),
  'github-copilot': shared('.copilot/skills'),
  'hermes-agent': both('.hermes/skills'),
  'iflow-cli': both('.iflow/skills'),
  'inference-sh': both('.inferencesh/skills'),
  'kimi-code-cli': both(SHARED),
  'kiro-cli': both('.kiro/skills'),
  'minimax-code': both('.minimax/skills'),
  'mistral-vibe': both('.vibe/skills'),
  'posit-assistant': both('.posit/assistant/skills'),
  'qoder-cn': { project: '.qoder/skills', user: '.qoder-cn/skills' },
  'qwen-code': both('.qwen/skills'),
  'sarvam-code': both(SHARED),
  'tabnine-cli': both('.tabnine/agent/skills'),
  'trae-cn': { project: '.trae/skills', user: '.trae-cn/skills' },
  adal: both('.adal/skills'),
  agents: both(SHARED),
  amp: shared('.config/agents/skills'),
  antigravity: shared('.gemini/antigravity/skills'),
  astrbot: { project: 'data/skills', user: '.astrbot/data/skills' },
  augment: both('.augment/skills'),
  bob: both('.bob/skills'),
  cline: both(SHARED),
  codebuddy: both('.codebuddy/skills'),
  codemaker: both('.codemaker/skills'),
  codestudio: both('.codestudio/skills'),
  codewhale: both('.codewhale/skills'),
  // The installer uses `~/.codex/skills`, which Codex reads only for compatibility with earlier versions.
  codex: both(SHARED),
  continue: both('.continue/skills'),
  cortex: { project: '.cortex/skills', user: '.snowflake/cortex/skills' },
  crush: { project: '.crush/skills', user: '.config/crush/skills' },
  cursor: shared('.cursor/skills'),
  deepagents: shared('.deepagents/agent/skills'),
  devin: { project: '.devin/skills', user: '.config/devin/skills' },
  dexto: both(SHARED),
  droid: shared('.factory/skills'),
  eve: { project: 'agent/skills' },
  firebender: shared('.firebender/skills'),
  forgecode: both('.forge/skills'),
  fx: both('.fx/skills'),
  goose: { project: '.goose/skills', user: '.config/goose/skills' },
  grok: both('.grok/skills'),
  jazz: both('.jazz/skills'),
  junie: both('.junie/skills'),
  kilo: shared('.kilo/skills'),
  kimchi: { project: '.kimchi/skills', user: '.config/kimchi/harness/skills' },
  kode: both('.kode/skills'),
  lingma: both('.lingma/skills'),
  loaf: both(SHARED),
  mcpjam: both('.mcpjam/skills'),
  moxby: both('.moxby/skills'),
  mux: both('.mux/skills'),
  neovate: both('.neovate/skills'),
  ona: both('.ona/skills'),
  openclaw: { project: 'skills', user: '.openclaw/skills' },
  opencode: shared('.config/opencode/skills'),
  openhands: both('.openhands/skills'),
  pi: { project: '.pi/skills', user: '.pi/agent/skills' },
  pochi: both('.pochi/skills'),
  promptscript: { project: SHARED },
  qoder: both('.qoder/skills'),
  reasonix: both('.reasonix/skills'),
  replit: shared('.config/agents/skills'),
  roo: both('.roo/skills'),
  rovodev: both('.rovodev/skills'),
  terramind: both('.terramind/skills'),
  tinycloud: both('.tinycloud/skills'),
  trae: both('.trae/skills'),
  universal: shared('.config/agents/skills'),
  warp: both(SHARED),
  windsurf: { project: '.windsurf/skills', user: '.codeium/windsurf/skills' },
  zcode: both('.zcode/skills'),
  zed: both(SHARED),
  zencoder: both('.zencoder/skills'),
  zenflow: both('.zencoder/skills'),
} as const satisfies Readonly<Record<string, ClientFolders>>

/** Short names, and names from earlier versions. */
const ALIASES = {
  claude: 'claude-code',
  copilot: 'github-copilot',
  gemini: 'gemini-cli',
  hermes: 'hermes-agent',
  'kimi-cli': 'kimi-code-cli',
  kiro: 'kiro-cli',
} as const satisfies Readonly<Record<string, ClientName>>

/** The canonical name of a client. */
export type ClientName = keyof typeof CLIENTS

/** Any name of a client, including aliases. */
export type SkillClient = ClientName | keyof typeof ALIASES

// The keys of this object literal are exactly those of its type.
export const CLIENT_NAMES = (Object.keys(CLIENTS) as ClientName[]).sort()
export const SKILL_CLIENT_NAMES: readonly SkillClient[] = [
  ...CLIENT_NAMES,
  ...(Object.keys(ALIASES) as (keyof typeof ALIASES)[]),
].sort()

export function clientName(client: SkillClient): ClientName {
  return isAlias(client) ? ALIASES[client] : client
}

function isAlias(client: SkillClient): client is keyof typeof ALIASES {
  return Object.hasOwn(ALIASES, client)
}

export function foldersOf(client: SkillClient): ClientFolders {
  return CLIENTS[clientName(client)]
}

function both(folder: string): ClientFolders {
  return { project: folder, user: folder }
}

function shared(user: string): ClientFolders {
  return { project: SHARED, user }
}
