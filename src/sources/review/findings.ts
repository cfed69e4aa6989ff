// What a reviewer looks for in a text before trusting it: signs that something is fetched and run, or hidden from whoever reads. Each has the
// line it was found on. They are signs and no proof: an installer may be honest, and a clever attack has none of them.
import { LineMap } from '../../base/index.ts'
import { findHiddenText } from '../../trust/index.ts'

export interface Finding {
  readonly code: FindingCode
  readonly path: string
  readonly line: number
  /** What it is, and the place itself, shortened. */
  readonly message: string
}

export type FindingCode =
  | 'fetch-and-run'
  | 'decode-and-run'
  | 'encoded-text'
  | 'hidden-text'
  | 'compiled-program'
  | 'credentials'
  | 'changes-the-system'

interface Sign {
  readonly code: FindingCode
  readonly pattern: RegExp
  readonly says: string
}

const SHELL = String.raw`(?:sudo\s+(?:-\S+\s+)*)?(?:(?:/\S*/)?env\s+)?(?:/\S*/)?(?:ba|z|da|k|fi)?sh\b`
const INTERPRETER = String.raw`(?:${SHELL}|(?:/\S*/)?(?:python3?|node|perl|ruby|osascript)\b)`
const FETCH = String.raw`(?:curl|wget|fetch|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b`

const SIGNS: readonly Sign[] = [
  {
    code: 'fetch-and-run',
    pattern: new RegExp(String.raw`\b${FETCH}[^\n|;]{0,300}\|\s*${INTERPRETER}`, 'gi'),
    says: 'fetches a program and runs it unseen',
  },
  {
    code: 'fetch-and-run',
    pattern: new RegExp(String.raw`${INTERPRETER}[^\n]{0,40}(?:<\(|\$\(|${'`'})\s*${FETCH}`, 'gi'),
    says: 'fetches a program and runs it unseen',
  },
  {
    code: 'fetch-and-run',
    pattern: new RegExp(String.raw`\b(?:eval|source|iex|Invoke-Expression)\b[^\n]{0,40}${FETCH}`, 'gi'),
    says: 'fetches a program and runs it unseen',
  },
  {
    code: 'fetch-and-run',
    pattern: new RegExp(String.raw`${FETCH}[^\n]{0,200}\|\s*(?:iex|Invoke-Expression)\b`, 'gi'),
    says: 'fetches a program and runs it unseen',
  },
  {
    code: 'fetch-and-run',
    pattern: /\b(?:eval|exec)\s*\([^\n]{0,80}(?:urlopen|requests\.get|httpx\.get|fetch)\s*\(/g,
    says: 'fetches a program and runs it unseen',
  },
  {
    code: 'decode-and-run',
    pattern: new RegExp(String.raw`\b(?:base64|openssl|xxd)\b[^\n;]{0,300}\|\s*${INTERPRETER}`, 'gi'),
    says: 'decodes a program and runs it unseen',
  },
  {
    code: 'decode-and-run',
    pattern:
      /\b(?:eval|exec|Function)\s*\(?[^\n]{0,60}(?:b64decode|base64|atob|fromCharCode|unhexlify|decompress|codecs\.decode)/gi,
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
]

/** Base64 of 150 bytes or more; a digest or a key is shorter. */
const ENCODED = /[A-Za-z0-9+/]{200,}={0,2}/g
const HEX = /(?:\\x[0-9a-f]{2}){40,}/gi
const MOST_OF_A_FILE = 20
const MOST_SHOWN = 120

/** In the order of the lines; of each sign at most so many. */
export function findSigns(path: string, text: string): Finding[] {
  const lines = new LineMap(text)
  const at = (code: FindingCode, offset: number, says: string, place: string): Finding => {
    const shown = place.replaceAll(/\s+/g, ' ').slice(0, MOST_SHOWN)
    return { code, path, line: lines.position(offset).line, message: `${says}: ${shown}` }
  }
  // A command may go on behind a line that ends with a backslash.
  const joined = text.replaceAll(/\\\r?\n/g, ending => ' '.repeat(ending.length))
  const signs = SIGNS.flatMap(({ code, pattern, says }) =>
    Array.from(joined.matchAll(pattern), found => at(code, found.index, says, found[0])),
  )
  const encoded = [...text.matchAll(ENCODED), ...text.matchAll(HEX)]
    .filter(([run]) => isMixed(run))
    .map(found =>
      at('encoded-text', found.index, `${found[0].length} encoded characters`, found[0].slice(0, 40)),
    )
  const hidden = findHiddenText(Buffer.from(text)).map(
    ({ message, line = 1 }): Finding => ({ code: 'hidden-text', path, line, message }),
  )
  return withoutRepeats([...signs, ...encoded, ...hidden])
    .sort((a, b) => a.line - b.line)
    .slice(0, MOST_OF_A_FILE)
}

/** A row of one letter is a ruler, and a long path has no digits and capitals in turn. */
function isMixed(run: string): boolean {
  return new Set(run).size >= 16 && /\d/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run)
}

/** Two patterns may meet at one place. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map(finding => [`${finding.code}:${finding.line}`, finding])).values()]
}
