// Explains a refusal: what the registry said, and what fixes it.
import { isRecord } from '../../base/index.ts'
import type { Registry } from '../settings/choose-registry.ts'
import { line } from './packument.ts'
import type { Answer } from './send.ts'

export function explainAnswer({ credentials }: Registry, answer: Answer): string {
  const { status, headers, url } = answer
  const said = reasonIn(answer.body)
  const name = credentials?.name
  const wantsPassword = /\botp\b/i.test(headers['www-authenticate'] ?? '') || /one-time pass/i.test(said)
  const fixes: Readonly<Record<number, string>> = {
    401: name ? `${name} is not accepted` : 'set NPM_TOKEN to a token of this registry, or log in with npm',
    402: 'a package with a scope is private unless access is public',
    403: name ? `${name} may not do this, or the version exists` : 'set NPM_TOKEN, or log in with npm',
    404: 'no such package here, or none that you may see',
    409: 'somebody published at the same time: look at it with show, then try again',
    413: 'the bundle is too large for this registry',
  }
  const fix = wantsPassword
    ? 'it wants a one-time password: a person gives it to the command with `--otp CODE`'
    : (fixes[status] ?? (status >= 500 ? 'try again later' : ''))
  const fact = `${url.hostname} answered ${status}${said === '' ? '' : ` (${said})`}`
  return fix === '' ? fact : `${fact}; ${fix}`
}

const MOST_READ = 100_000

/** The reason in the answer: a field of its JSON, or its first line. */
function reasonIn(body: Buffer): string {
  let found: unknown
  try {
    found = body.length <= MOST_READ ? JSON.parse(body.toString('utf8')) : undefined
  } catch {
    // Not JSON: the first line is used, unless it is a web page.
  }
  if (isRecord(found)) return line(found.error ?? found.message ?? found.reason)
  const text = body.toString('utf8', 0, 2000).trim()
  return text.startsWith('<') ? '' : line(text.split('\n')[0])
}
