// The environment and settings of every git call: no settings but ours, no programs from the repository, no
// password prompts, and one protocol. The person's own settings are not read: a helper or a rewritten address
// there would run on behalf of a stranger's source.
import { delimiter } from 'node:path'
import { absoluteFolders } from '../../base/index.ts'
import type { GitAddress } from '../address/source-address.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What a connection needs: the person's ssh keys, proxies, certificates. `HOME` is for ssh and `.netrc`. */
const KEPT = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SSH_AUTH_SOCK', 'TMPDIR', 'SYSTEMROOT'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'],
] as const

const SSH = [
  ...['ssh', '-o BatchMode=yes', '-o ClearAllForwardings=yes', '-o PermitLocalCommand=no'],
  ...['-o ForwardAgent=no', '-o ConnectTimeout=20'],
].join(' ')

export function gitEnvironment(own: Environment, protocol: GitProtocol): Record<string, string> {
  const kept = KEPT.flatMap(name => (own[name] === undefined ? [] : [[name, own[name]] as const]))
  return {
    ...Object.fromEntries(kept),
    ...(own.PATH !== undefined && { PATH: absoluteFolders(own.PATH).join(delimiter) }),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_SSH_COMMAND: SSH,
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
  }
}

export type GitProtocol = 'https' | 'http' | 'ssh' | 'file'

export function protocolOf({ url }: Pick<GitAddress, 'url'>): GitProtocol {
  const [, found] = /^(https|http|ssh|file):/.exec(url) ?? []
  // `user@host:path` is ssh.
  return (found as GitProtocol | undefined) ?? 'ssh'
}

/** Settings for every call, before its command. */
export const GIT_SETTINGS: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'credential.helper=',
  'fetch.recurseSubmodules=false',
  'fetch.fsckObjects=false',
  // Everything received goes into one pack file, whose size is watched.
  'fetch.unpackLimit=1',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'http.followRedirects=initial',
  'transfer.bundleURI=false',
  'protocol.version=2',
].flatMap(setting => ['-c', setting])
