// From what a person typed to a source. Everything that becomes an argument of git is checked here: an
// address has one of a few forms, and neither it nor a ref can begin with a dash, so none can be read as an
// option or name a program to run.
import { AppError, isLoopback, quoteText } from '../../base/index.ts'
import type { GitAddress, SourceAddress } from './source-address.ts'

/** What a name stands for on this machine. */
export interface NamedPath {
  /** Absolute. */
  readonly path: string
  readonly kind: 'folder' | 'file' | 'nothing'
}

const REF = /^[A-Za-z0-9_][A-Za-z0-9_./+-]{0,199}$/
const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/
const SCP =
  /^(?:(?<user>[A-Za-z0-9_][A-Za-z0-9_.-]*)@)?(?<host>[A-Za-z0-9][A-Za-z0-9.-]*):(?<path>[A-Za-z0-9_~/][\w.~/+-]*)$/
const SHORT =
  /^(?<repository>[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9_.-]+)(?:\/(?<path>[^#]+))?(?:#(?<ref>.+))?$/
/** As package managers write it. Groups inside groups need a web address: the repository's end is unknown. */
const FORGE = /^(?<forge>github|gitlab|bitbucket):(?!\/\/)(?<short>.*)$/s
const FORGES: Readonly<Record<string, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
}
const PACKAGE = /^npm:(?<name>(?:@[^@/\s]+\/)?[^@/\s]+)(?:@(?<range>.+))?$/
const ARCHIVE = /\.(?:tgz|tar\.gz|tar|zip)$/i

/** Web addresses of folders on forges: repository, ref, path. Tried in this order. */
const WEB_FORMS = [
  /^\/(?<repository>.+?)\/-\/(?:tree|blob)\/(?<ref>[^/]+)(?:\/(?<path>.*))?$/,
  /^\/(?<repository>[^/]+\/[^/]+)\/(?:tree|blob)\/(?<ref>[^/]+)(?:\/(?<path>.*))?$/,
  /^\/(?<repository>[^/]+\/[^/]+)\/src\/(?:branch|tag|commit)\/(?<ref>[^/]+)(?:\/(?<path>.*))?$/,
  /^\/(?<repository>[^/]+\/[^/]+)\/src\/(?<ref>[^/]+)(?:\/(?<path>.*))?$/,
] as const

/** Throws `INVALID_INPUT`. As with git, an existing path of that name comes first. */
export function readAddress(text: string, lookUp: (path: string) => NamedPath): SourceAddress {
  if (text === '' || text.length > 2000 || /[\p{Cc}\u2028\u2029]/u.test(text)) throw notASource(text)
  const named = PACKAGE.exec(text)?.groups
  if (named) {
    const { name = '', range } = named
    return { kind: 'npm', package: name, ...(range !== undefined && { ref: range }) }
  }
  const ofForge = FORGE.exec(text)?.groups
  if (ofForge) {
    const { forge = '', short = '' } = ofForge
    const address = readShort(short, FORGES[forge])
    if (address) return address
    throw new AppError(
      'INVALID_INPUT',
      `expected \`${forge}:owner/repo[/path][#ref]\`, got ${quoteText(text, 200)}`,
    )
  }
  const bare = text.replace(/^git\+(?=https?:|ssh:|file:)/, '')
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(bare)) return readUrl(bare)
  // `ext::sh -c ...` and the like are programs, not addresses.
  if (text.includes('::')) throw notASource(text)
  const here = lookUp(text)
  if (here.kind === 'folder') return { kind: 'folder', path: here.path }
  if (here.kind === 'file') {
    if (ARCHIVE.test(text)) return { kind: 'archive', path: here.path }
    throw new AppError(
      'INVALID_INPUT',
      `${quoteText(text, 200)} is no archive: expected .tgz, .tar.gz, .tar or .zip`,
    )
  }
  if (/^(?:\.{0,2}\/|~|\.{1,2}$)/.test(text))
    throw new AppError('INVALID_INPUT', `there is no folder or archive ${quoteText(here.path, 300)}`)
  return readShort(text) ?? readScp(text)
}

/** Adds a ref that a person gave separately. */
export function withRef(address: SourceAddress, ref: string | undefined): SourceAddress {
  if (ref === undefined) return address
  if (address.kind === 'folder' || address.kind === 'archive')
    throw new AppError(
      'INVALID_INPUT',
      '`ref` only applies to git and npm: a folder or an archive has no refs',
    )
  return { ...address, ref: address.kind === 'git' ? checkRef(ref) : ref }
}

function readUrl(text: string): GitAddress {
  const url = parseUrl(text)
  const { protocol, hostname, username, password, hash } = url
  const isHttp = protocol === 'https:' || protocol === 'http:'
  if (!isHttp && protocol !== 'ssh:' && protocol !== 'file:') throw notASource(text)
  if (protocol === 'http:' && !isLoopback(hostname))
    throw new AppError(
      'INVALID_INPUT',
      'expected https: anybody on the network path can change what http carries',
    )
  if (password !== '' || (username !== '' && protocol !== 'ssh:') || url.search !== '')
    throw new AppError(
      'INVALID_INPUT',
      'expected an address without a password or a query: the lock keeps it',
      {
        hint: 'use ssh, or put the credentials into ~/.netrc',
      },
    )
  const isPlain = protocol === 'file:' ? hostname === '' : HOST.test(hostname) || isLoopback(hostname)
  if (!isPlain || !/^[\w]*$/.test(username.replaceAll(/[.-]/g, ''))) throw notASource(text)
  const ref = hash === '' ? undefined : decode(hash.slice(1), text)
  const web = isHttp ? readWebForm(url, text) : undefined
  if (web) return gitAddress(web.url, web.ref, web.path)
  if (isHttp && ARCHIVE.test(url.pathname))
    throw new AppError('INVALID_INPUT', 'expected a repository, got the address of an archive', {
      hint: 'download it first, and add the file',
    })
  // Our own form of a folder in a repository: `.../skills.git//folder`.
  const [, path, inside] = /^(.+?)\/\/+(.+)$/.exec(url.pathname) ?? []
  const host = `${protocol}//${username === '' ? '' : `${username}@`}${url.host}`
  return gitAddress(`${host}${path ?? url.pathname}`.replace(/\/$/, ''), ref, inside && decode(inside, text))
}

function readWebForm({ protocol, host, pathname }: URL, text: string) {
  for (const form of WEB_FORMS) {
    const found = form.exec(pathname)?.groups
    if (!found) continue
    const { repository = '', ref = '', path } = found
    const url = `${protocol}//${host}/${repository.replace(/\.git$/, '')}.git`
    return { url, ref: decode(ref, text), path: path === undefined ? undefined : decode(path, text) }
  }
  return undefined
}

function readShort(text: string, host = 'github.com'): GitAddress | undefined {
  const found = SHORT.exec(text)?.groups
  if (!found) return undefined
  const { repository = '', path, ref } = found
  return gitAddress(`https://${host}/${repository.replace(/\.git$/, '')}.git`, ref, path)
}

function readScp(text: string): GitAddress {
  const hash = text.indexOf('#')
  const [address, ref] = hash === -1 ? [text, undefined] : [text.slice(0, hash), text.slice(hash + 1)]
  const [, repository = address, inside] = /^(.+?[^:/])\/\/+(.+)$/.exec(address) ?? []
  if (!SCP.test(repository)) throw notASource(text)
  return gitAddress(repository, ref, inside)
}

function gitAddress(url: string, ref: string | undefined, path: string | undefined): GitAddress {
  const inside = path === undefined ? '' : checkPath(path)
  return {
    kind: 'git',
    url,
    ...(ref !== undefined && { ref: checkRef(ref) }),
    ...(inside !== '' && { path: inside }),
  }
}

function checkRef(ref: string): string {
  const isBad = !REF.test(ref) || /\.\.|\/\/|\/\.|\.lock(?:\/|$)|[/.]$/.test(ref)
  if (!isBad) return ref
  throw new AppError('INVALID_INPUT', `expected a branch, a tag or a commit, got ${quoteText(ref, 200)}`)
}

/** Checks a folder in a repository. A skill may also be named by its file. */
function checkPath(path: string): string {
  const segments = path.split('/').filter(segment => segment !== '')
  if (/^skill\.md$/i.test(segments.at(-1) ?? '')) segments.pop()
  if (segments.some(segment => segment === '.' || segment === '..') || /[\\\p{Cc}]/u.test(path))
    throw new AppError('INVALID_INPUT', `expected a folder of the repository, got ${quoteText(path, 200)}`)
  return segments.join('/')
}

function parseUrl(text: string): URL {
  try {
    return new URL(text)
  } catch {
    throw notASource(text)
  }
}

function decode(text: string, whole: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw notASource(whole)
  }
}

function notASource(text: string): AppError {
  // A possible password is not repeated: messages are kept and passed on.
  const shown = text.replace(/(?<=:\/\/).*@/, '...@')
  return new AppError('INVALID_INPUT', `${quoteText(shown, 200)} is not a source`, {
    hint: 'expected a folder, an archive, owner/repo[/path][#ref] of GitHub (gitlab:..., bitbucket:... for others), npm:NAME[@RANGE], or a git address with https, ssh or file',
  })
}
