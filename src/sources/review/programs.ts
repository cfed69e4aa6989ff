// The programs among an item's files, and what each would start. Derived from the text without running
// anything: a list of what to look at, not of everything that can happen.

export interface ReviewedProgram {
  readonly path: string
  readonly language: string
  /** The commands it names, sorted. */
  readonly starts: readonly string[]
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{
    '.sh': 'shell',
    '.bash': 'shell',
    '.zsh': 'shell',
    '.command': 'shell',
    '.ps1': 'PowerShell',
    '.bat': 'batch',
    '.cmd': 'batch',
  },
  ...{
    '.py': 'Python',
    '.rb': 'Ruby',
    '.pl': 'Perl',
    '.lua': 'Lua',
    '.php': 'PHP',
    '.applescript': 'AppleScript',
  },
  ...{
    '.js': 'JavaScript',
    '.mjs': 'JavaScript',
    '.cjs': 'JavaScript',
    '.ts': 'TypeScript',
    '.mts': 'TypeScript',
  },
}

/** Commands that reach beyond the folder of an item. */
const COMMANDS = [
  ...['sudo', 'su', 'doas', 'curl', 'wget', 'nc', 'ncat', 'ssh', 'scp', 'rsync', 'ftp', 'telnet'],
  ...[
    'bash',
    'sh',
    'zsh',
    'python',
    'python3',
    'node',
    'deno',
    'bun',
    'perl',
    'ruby',
    'osascript',
    'powershell',
  ],
  ...[
    'npm',
    'npx',
    'pnpm',
    'yarn',
    'bunx',
    'pip',
    'pip3',
    'pipx',
    'uv',
    'uvx',
    'cargo',
    'go',
    'gem',
    'brew',
    'apt',
    'apt-get',
  ],
  ...['git', 'gh', 'docker', 'podman', 'kubectl', 'terraform', 'aws', 'gcloud', 'az', 'make'],
  ...[
    'rm',
    'chmod',
    'chown',
    'dd',
    'mkfs',
    'kill',
    'pkill',
    'crontab',
    'launchctl',
    'systemctl',
    'open',
    'xdg-open',
    'eval',
    'base64',
  ],
]
const WORD = new RegExp(
  String.raw`(?<=^|[\n;&|(${'`'}]|\b(?:then|do|else|exec|env|sudo|xargs)\s)[ \t]{0,40}(${COMMANDS.join('|')})(?=\s|$|[;&|)])`,
  'g',
)
const CALLS: Readonly<Record<string, RegExp>> = {
  Python:
    /\b(?:subprocess\.(?:run|Popen|call|check_call|check_output)|os\.(?:system|popen|exec[lv]p?e?|spawn\w+)|pty\.spawn)\s*\(/g,
  JavaScript: /\b(?:child_process|exec(?:File)?(?:Sync)?|spawn(?:Sync)?|fork|Bun\.spawn|Deno\.Command)\s*\(/g,
}
const QUOTED = new RegExp(String.raw`['"${'`'}\[]\s*['"]?(${COMMANDS.join('|')})(?=['"\s])`, 'g')
const FENCE = /^(?:```|~~~)\s*(?:sh|bash|shell|zsh|console|terminal)\s*\n([\s\S]*?)^(?:```|~~~)/gm

/** Undefined for a file that is not a program. */
export function readProgram(path: string, text: string): ReviewedProgram | undefined {
  const language = languageOf(path, text)
  if (language === undefined) return undefined
  return { path, language, starts: startsOf(language, text) }
}

/** The commands that a text tells its reader to run. */
export function commandsInText(text: string): string[] {
  const blocks = Array.from(text.matchAll(FENCE), ([, block]) => block!.replaceAll(/^\s*[$#>]\s+/gm, ''))
  return sorted(blocks.flatMap(wordsIn))
}

function languageOf(path: string, text: string): string | undefined {
  const extension = /\.[^./]+$/.exec(path)?.[0].toLowerCase() ?? ''
  const known = Object.hasOwn(LANGUAGES, extension) ? LANGUAGES[extension] : undefined
  if (known !== undefined) return known
  const line = text.startsWith('#!') ? text.slice(2, text.indexOf('\n') + 1 || undefined) : undefined
  if (line === undefined) return undefined
  if (/\b(?:ba|z|da|k)?sh\b/.test(line)) return 'shell'
  if (/\bpython/.test(line)) return 'Python'
  return /\b(?:node|deno|bun)\b/.test(line) ? 'JavaScript' : 'script'
}

function startsOf(language: string, text: string): string[] {
  if (language === 'shell' || language === 'script') return sorted(wordsIn(text))
  const calls = CALLS[language === 'TypeScript' ? 'JavaScript' : language]
  if (calls === undefined || !calls.test(text)) return []
  calls.lastIndex = 0
  const named = Array.from(text.matchAll(QUOTED), ([, word]) => word!)
  return named.length > 0 ? sorted(named) : ['(a program)']
}

function wordsIn(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([, word]) => word!)
}

function sorted(words: readonly string[]): string[] {
  return [...new Set(words)].sort()
}
