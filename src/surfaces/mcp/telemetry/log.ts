// The log of a server, on standard error: lines for a person, or one JSON object per line for a program that
// collects them. Tokens are removed from everything that is written, including errors from other libraries,
// except for `say` to a person.
import type { Writable } from 'node:stream'
import { escapeHidden } from '../../../base/index.ts'

export interface Log {
  /** Something that happens once: `listening`, `draining`. For a person, `name: text`. */
  say(name: string, text: string): void
  /** One finished call; not shown to a person, who would have to read past it. */
  call(facts: Readonly<Record<string, string | number | undefined>>): void
  error(thrown: unknown): void
}

export function createLog(output: Pick<Writable, 'write'>, format: 'text' | 'json', now: () => Date): Log {
  const write = (text: string) => output.write(`${redact(text)}\n`)
  if (format === 'text') {
    return {
      // Not redacted, since a token is printed once for the person who started the server.
      say: (name, text) => output.write(`${escapeHidden(`${name}: ${text}`)}\n`),
      call: () => {},
      error: thrown => write(escapeHidden(`mcp: ${textOf(thrown)}`)),
    }
  }
  const print = (level: string, event: string, facts: object) =>
    write(JSON.stringify({ time: now().toISOString(), level, event, ...facts }))
  return {
    say: (name, text) => print('info', name, { text }),
    call: facts => print('info', 'call', facts),
    error: thrown => print('error', 'error', { text: textOf(thrown) }),
  }
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}

/** Removes tokens of the form that we make, and anything that follows `Bearer`. */
export function redact(text: string): string {
  return text
    .replace(/\brye_[\w-]{43}/g, 'rye_[removed]')
    .replace(/\b(bearer)\s+[^\s"'\\]+/gi, '$1 [removed]')
}
