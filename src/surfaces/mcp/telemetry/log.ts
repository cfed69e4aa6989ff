// The log of a server, on standard error: lines for a person, or a JSON object a line for a program that collects them. Tokens are taken
// out of whatever is written, also of errors that others have made.
import type { Writable } from 'node:stream'
import { escapeHidden } from '../../../base/index.ts'

export interface Log {
  /** Something that happened once: `listening`, `draining`. For a person, `name: text`. */
  say(name: string, text: string): void
  /** One call that has ended; not for people, who would have to read past it. */
  call(facts: Readonly<Record<string, string | number | undefined>>): void
  error(thrown: unknown): void
}

export function createLog(output: Pick<Writable, 'write'>, format: 'text' | 'json', now: () => Date): Log {
  const write = (text: string) => output.write(`${redact(text)}\n`)
  if (format === 'text') {
    return {
      // A token is printed once, for the person who started the server.
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

/** Tokens as we make them, and whatever stands where a token stands. */
export function redact(text: string): string {
  return text
    .replace(/\brye_[\w-]{43}/g, 'rye_[removed]')
    .replace(/\b(bearer)\s+[^\s"'\\]+/gi, '$1 [removed]')
}
