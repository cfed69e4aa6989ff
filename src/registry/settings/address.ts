// Addresses of registries, and what lies below one. A token belongs to an address including its path, since
// one host may serve many tenants. An address that some server might read as another one is refused unparsed.
import { AppError, quoteText } from '../../base/index.ts'

const MOST_ENCODED = 5

/** The address of a registry, with a slash at its end. Throws `INVALID_INPUT`. */
export function readRegistryAddress(text: string): URL {
  const url = parseAddress(text)
  if (url.search !== '' || url.hash !== '')
    throw refuse(`expected an address without \`?\` and \`#\`, got ${quoteText(text, 200)}`)
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** An address from a person, a registry or a redirect, relative to `from`. Throws `INVALID_INPUT`. */
export function parseAddress(text: string, from?: URL): URL {
  const shown = quoteText(text, 200)
  if (!/^[!-~]*$/.test(text))
    throw refuse(`expected a URL of plain characters, got ${shown}: percent-encode blanks and others`)
  if (hasDotSegments(text))
    throw refuse(`expected an address without \`.\` and \`..\` in its path, got ${shown}`)
  const url = URL.canParse(text, from?.href) ? new URL(text, from) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refuse(`expected a URL that begins with https://, got ${shown}`)
  if (url.username !== '' || url.password !== '') throw refuse('a URL must not contain a user or a password')
  return url
}

/** Whether `url` is `base` or below it: same scheme, host and port, and a path that begins with its path. */
export function isBelow(url: URL, base: URL): boolean {
  return url.origin === base.origin && url.pathname.startsWith(base.pathname)
}

/** Whether a path contains dot segments, plain or percent-encoded once or several times. */
function hasDotSegments(text: string): boolean {
  let path = text.replace(/^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]*/i, '').replace(/[?#].*$/s, '')
  for (let round = 0; round < MOST_ENCODED; round++) {
    if (path.split(/[/\\;]/).some(segment => segment === '.' || segment === '..')) return true
    const decoded = path.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    if (decoded === path) return false
    path = decoded
  }
  return true
}

function refuse(message: string): AppError {
  return new AppError('INVALID_INPUT', message)
}
