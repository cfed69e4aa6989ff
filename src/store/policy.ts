// The user's settings, `.ai/config/rye.toml` of the user space. They need no signature: whoever can write there
// can trust keys as well. No other space is ever asked, so no project can loosen what its user decided.
import { join } from 'node:path'
import { AppError, escapeHidden, isRecord, nearest } from '../base/index.ts'
import type { TrustPolicy } from '../trust/index.ts'
import { readFile } from './read-file.ts'

export interface UserPolicy extends TrustPolicy {
  readonly mcp: {
    /** Whether an agent may sign through MCP. */
    readonly sign: 'allow' | 'deny'
  }
}

export const DEFAULT_POLICY: UserPolicy = { legacy: 'refuse', mcp: { sign: 'allow' } }

const MAX_CONFIG_BYTES = 65_536
const SETTINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['legacy', ['refuse', 'allow']],
  ['mcp.sign', ['allow', 'deny']],
])

export function userConfigPath(userSpace: string): string {
  return join(userSpace, '.ai', 'config', 'rye.toml')
}

/** Reads the policy; defaults where nothing is said. Throws `CONFIG_INVALID` naming file, key and allowed values. */
export async function loadPolicy(userSpace: string): Promise<UserPolicy> {
  const path = userConfigPath(userSpace)
  const file = readFile(path, { maxBytes: MAX_CONFIG_BYTES })
  if (file === undefined) return DEFAULT_POLICY
  const settings = await readSettings(path, file.bytes.toString('utf8'))
  // Each value was checked against the table of its setting.
  const legacy = (settings.get('legacy') ?? DEFAULT_POLICY.legacy) as UserPolicy['legacy']
  const sign = (settings.get('mcp.sign') ?? DEFAULT_POLICY.mcp.sign) as UserPolicy['mcp']['sign']
  return { legacy, mcp: { sign } }
}

async function readSettings(path: string, text: string): Promise<Map<string, string>> {
  const { parse } = await import('smol-toml')
  let document: unknown
  try {
    document = parse(text)
  } catch (error) {
    const why = String(error instanceof Error ? error.message : error).split('\n')[0]!
    throw new AppError('CONFIG_INVALID', `\`${path}\` is not valid TOML: ${shown(why)}`, { cause: error })
  }
  const settings = new Map<string, string>()
  for (const [key, value] of flatten(document)) {
    const allowed = SETTINGS.get(key)
    if (allowed === undefined) {
      const close = nearest(key, SETTINGS.keys())[0]
      throw new AppError('CONFIG_INVALID', `\`${path}\`: unknown key \`${shown(key)}\``, {
        hint: close ? `did you mean \`${close}\`?` : `known keys: ${[...SETTINGS.keys()].join(', ')}`,
      })
    }
    if (typeof value !== 'string' || !allowed.includes(value)) {
      const expected = allowed.map(word => `"${word}"`).join(' or ')
      const found = shown(JSON.stringify(value) ?? String(value))
      throw new AppError(
        'CONFIG_INVALID',
        `\`${path}\`: expected \`${key}\` to be ${expected}, got \`${found}\``,
      )
    }
    settings.set(key, value)
  }
  return settings
}

/** `section.key` and value of each setting. A section that no setting lies in counts as a key of its own. */
function flatten(document: unknown): [string, unknown][] {
  if (!isRecord(document)) throw new Error('unreachable: a TOML document is a table')
  return Object.entries(document).flatMap(([name, value]): [string, unknown][] => {
    const isSection = [...SETTINGS.keys()].some(key => key.startsWith(`${name}.`))
    if (!isSection || !isRecord(value)) return [[name, value]]
    return Object.entries(value).map(([key, inner]) => [`${name}.${key}`, inner])
  })
}

function shown(text: string): string {
  return escapeHidden(text.slice(0, 120), { oneLine: true })
}
