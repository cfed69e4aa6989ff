// Which proxy to use for an address, if any, by the user's `.npmrc` or the usual variables.
import { lastOf, type NpmSettings } from './npmrc.ts'

type Variables = Readonly<Record<string, string | undefined>>

export function findProxy(
  url: URL,
  { layers, variables }: { readonly layers: readonly NpmSettings[]; readonly variables: Variables },
): URL | undefined {
  const setting = (...names: string[]) => {
    for (const name of names) for (const layer of layers) if (lastOf(layer, name)) return lastOf(layer, name)
    return undefined
  }
  const variable = (...names: string[]) =>
    names.map(name => variables[name] ?? variables[name.toLowerCase()]).find(value => value)
  const excluded = setting('noproxy', 'no-proxy') ?? variable('NO_PROXY')
  if (excluded !== undefined && isExcluded(url.hostname, excluded)) return undefined
  const found =
    url.protocol === 'https:'
      ? (setting('https-proxy', 'proxy') ?? variable('HTTPS_PROXY', 'HTTP_PROXY'))
      : (setting('proxy') ?? variable('HTTP_PROXY'))
  if (found === undefined || found === 'false') return undefined
  const text = found.includes('://') ? found : `http://${found}`
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? new URL(text) : undefined
}

/** An entry matches a name and everything below it; `*` matches every host. */
function isExcluded(host: string, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .map(entry => entry.toLowerCase().replace(/^\*?\./, ''))
    .some(entry => entry !== '' && (entry === '*' || entry === host || host.endsWith(`.${entry}`)))
}
