// The patterns that a reviewer should look at. Every repetition is bounded, as the texts come from strangers.

/** Worst first, which is the order in which a person sees them. */
export const FINDING_CODES = [
  'decode-and-run',
  'fetch-and-run',
  'starts-by-itself',
  'sends-secrets',
  'hidden-text',
  'compiled-program',
  'credentials',
  'changes-the-system',
  'chooses-code',
  'encoded-text',
  'inline-program',
  'installs',
  'stored-elsewhere',
] as const

export type FindingCode = (typeof FINDING_CODES)[number]

/** Common in honest items, but shown all the same. Items with only these are confirmed together. */
const NOTES: readonly FindingCode[] = ['inline-program', 'installs', 'stored-elsewhere']

export function isDanger({ code }: { readonly code: FindingCode }): boolean {
  return !NOTES.includes(code)
}

export interface Sign {
  readonly code: FindingCode
  readonly pattern: RegExp
  readonly says: string
}

/** The folders before a program's name. Each part ends where the next begins: there is one way to match. */
const FOLDERS = String.raw`(?:(?:/[\w.+@-]{1,60}){0,8}/)?`
const SHELL = String.raw`(?:sudo\s{1,9}(?:-\S{1,60}\s{1,9}){0,9})?(?:${FOLDERS}env\s{1,9})?${FOLDERS}(?:ba|z|da|k|fi)?sh\b`
export const INTERPRETER = String.raw`(?:${SHELL}|${FOLDERS}(?:python3?|node|perl|ruby|osascript)\b)`
export const FETCH = String.raw`(?:curl|wget|fetch|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b`
const DECODE = String.raw`(?:base64|openssl|xxd)\b`

/** A command and what follows, up to the next such command: each part of a text is searched for one only. */
function commandWith(command: string, most: number, follows = '[^\\n;]'): string {
  return String.raw`\b${command}(?:(?!\b${command})${follows}){0,${most}}`
}

/** `base64` followed by an encoding function does not decode. */
const DECODER = String.raw`(?:b64decode|base64(?!\.\w{0,20}encode)|atob|fromCharCode|unhexlify|decompress|codecs\.decode)`

export const SIGNS: readonly Sign[] = [
  {
    code: 'fetch-and-run',
    pattern: new RegExp(String.raw`${commandWith(FETCH, 300)}\|\s{0,40}${INTERPRETER}`, 'gi'),
    says: 'fetches a program and runs it unseen',
  },
  {
    code: 'fetch-and-run',
    pattern: new RegExp(String.raw`${INTERPRETER}[^\n]{0,40}(?:<\(|\$\(|${'`'})\s{0,40}${FETCH}`, 'gi'),
    says: 'fetches a program and runs it unseen',
  },
  {
    code: 'fetch-and-run',
    pattern: new RegExp(String.raw`\b(?:eval|source|iex|Invoke-Expression)\b[^\n]{0,40}${FETCH}`, 'gi'),
    says: 'fetches a program and runs it unseen',
  },
  {
    code: 'fetch-and-run',
    pattern: new RegExp(
      String.raw`${commandWith(FETCH, 200, '[^\\n]')}\|\s{0,40}(?:iex|Invoke-Expression)\b`,
      'gi',
    ),
    says: 'fetches a program and runs it unseen',
  },
  {
    code: 'fetch-and-run',
    pattern: /\b(?:eval|exec)\s*\([^\n]{0,80}(?:urlopen|requests\.get|httpx\.get|fetch)\s*\(/g,
    says: 'fetches a program and runs it unseen',
  },
  {
    code: 'decode-and-run',
    pattern: new RegExp(String.raw`${commandWith(DECODE, 300)}\|\s{0,40}${INTERPRETER}`, 'gi'),
    says: 'decodes a program and runs it unseen',
  },
  {
    code: 'decode-and-run',
    // A call of a function whose name begins like this, or the exact word: many texts just mention that they
    // `execute` or `evaluate` something.
    pattern: new RegExp(
      String.raw`\b(?:(?:eval|exec)\w{0,40}\s{0,9}\(|(?:eval|exec)\b)[^\n]{0,60}${DECODER}`,
      'gi',
    ),
    says: 'decodes a program and runs it unseen',
  },
  {
    code: 'decode-and-run',
    // Case matters: `Function` makes a program from text, `function` only begins one.
    pattern:
      /(?:\bFunction\b|\.constructor\s{0,9}\()[^\n]{0,60}(?:[bB][aA][sS][eE]64|atob|fromCharCode|decompress)/g,
    says: 'decodes a program and runs it unseen',
  },
  {
    code: 'decode-and-run',
    pattern: /\bpowershell\b[^\n]{0,80}\s-e(?:nc|ncodedcommand)?\s+[A-Za-z0-9+/=]{20,}/gi,
    says: 'decodes a program and runs it unseen',
  },
  {
    code: 'credentials',
    pattern:
      /(?:~|\$HOME|\$\{HOME\}|expanduser\([^\n]{0,10})\/?\.(?:ssh|aws|gnupg|netrc|npmrc|pypirc|kube|docker\/config|config\/gh|git-credentials)\b/gi,
    says: 'names a file with credentials',
  },
  {
    code: 'credentials',
    pattern:
      /\bsecurity\s+find-(?:generic|internet)-password\b|\/etc\/shadow\b|Login Data\b|Cookies\.binarycookies/g,
    says: 'names a file with credentials',
  },
  {
    code: 'changes-the-system',
    pattern:
      /(?:>>?|tee\s+(?:-a\s+)?)\s*(?:~|\$HOME|\$\{HOME\})\/\.(?:bashrc|zshrc|profile|bash_profile|zprofile|config\/autostart)/g,
    says: 'changes what every shell runs',
  },
  {
    code: 'changes-the-system',
    pattern:
      /\b(?:crontab\s+-(?!l)|launchctl\s+(?:load|bootstrap)|systemctl\s+(?:--user\s+)?enable|schtasks\s+\/create)/gi,
    says: 'starts a program again and again',
  },
  {
    code: 'changes-the-system',
    pattern: /\bcore\.hooksPath\b|\.git\/hooks\/|\bgit\s+config\s+--global\b/g,
    says: 'changes what git runs',
  },
  {
    code: 'fetch-and-run',
    pattern:
      /\b(?:(?:pip3?|npm|pnpm|yarn|cargo|go|gem|brew)\s+(?:install|i|add|exec|dlx|tap)|uv\s+(?:pip\s+install|tool\s+install|add)|npx|bunx|uvx|pipx\s+(?:run|install))\s[^\n;&|]{0,200}?(?:git\+|https?:\/\/|github:|--git\b)/gi,
    says: 'installs a program from an address',
  },
  {
    code: 'inline-program',
    pattern:
      /\b(?:python3?|node|perl|ruby|php|bun|deno|(?:ba|z|da|k)?sh|pwsh|powershell)\s+(?:-{1,2}[\w=-]{1,40}\s+){0,5}(?:-[a-z]{0,3}[cer]|--eval|--print|-Command|eval)\s+\S/g,
    says: 'runs a program that is written into a command',
  },
  {
    code: 'inline-program',
    pattern: /\beval\s+["']?(?:\$\(|`)|(?:\bsource|(?:^|[\s;&|])\.)\s+<\(/gm,
    says: 'runs what another program prints',
  },
  {
    code: 'installs',
    pattern:
      /(?<=^|[;&|(`"'$>:]\s{0,9}|\b(?:run|sudo|exec|with)\s)[ \t]{0,9}(?:npx|bunx|uvx|pipx\s+run|pnpm\s+dlx|yarn\s+dlx)\s+(?:-{1,2}[\w-]{1,30}\s+){0,5}[@\w]/gm,
    says: 'fetches a package and runs it',
  },
  {
    code: 'installs',
    pattern:
      /\b(?:pip3?\s+install|uv\s+(?:pip\s+install|tool\s+install|add)|npm\s+(?:i|install|add)|pnpm\s+add|yarn\s+add|pipx\s+install|gem\s+install|cargo\s+install|go\s+install|brew\s+install|apt(?:-get)?\s+(?:-\w+\s+){0,3}install)\s+(?:-{1,2}[\w-]{1,30}\s+){0,5}[@\w]/g,
    says: 'installs packages',
  },
  {
    code: 'stored-elsewhere',
    // Only at the very beginning: elsewhere it is text about such files.
    pattern: /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\noid /g,
    says: 'stands for a file that Git LFS keeps elsewhere, and that is not brought along',
  },
]
