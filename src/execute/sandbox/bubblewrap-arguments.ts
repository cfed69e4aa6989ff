// A sandbox as an argument vector. Pure: `Sandbox` states what is on disk, `isolation.ts` finds it out.
// Order matters: a later mount hides an earlier one, so protected paths come after everything writable.

/** A mount over a protected path: an empty one, or the path itself without write access. */
export interface ProtectedMount {
  readonly path: string
  readonly kind: 'directory' | 'file'
  readonly mode: 'hidden' | 'read-only'
}

export interface Sandbox {
  /** Directories replaced by empty private ones: `/tmp`, `/run` ... */
  readonly emptied: readonly string[]
  /** Paths below emptied directories that stay visible. */
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  readonly protected: readonly ProtectedMount[]
  readonly network: boolean
  readonly cwd: string
}

const TMP_BYTES = 512 * 1024 * 1024

const NAMESPACES = [
  '--unshare-user',
  // Without it a tool could make a user namespace of its own and reach more of the kernel.
  '--disable-userns',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
]

// Name resolution lives below /run on many systems; without a network there is nothing to resolve.
const RESOLVER_PATHS = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager']

/** Everything before the command; the command and its arguments follow `--`. */
export function bubblewrapArguments(sandbox: Sandbox): string[] {
  const writable = sandbox.writable.filter(path => path !== '/')
  return [
    ...NAMESPACES,
    ...(sandbox.network ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL'],
    '--die-with-parent',
    '--new-session',
    ...['--ro-bind', '/', '/'],
    ...['--dev', '/dev'],
    ...['--proc', '/proc'],
    ...sandbox.emptied.flatMap(path => ['--size', String(TMP_BYTES), '--tmpfs', path]),
    ...(sandbox.network ? RESOLVER_PATHS.flatMap(path => ['--ro-bind-try', path, path]) : []),
    ...sandbox.readable.flatMap(path => ['--ro-bind', path, path]),
    ...writable.flatMap(path => ['--bind', path, path]),
    ...parentsToMount(sandbox.protected, writable).flatMap(path => ['--bind', path, path]),
    ...sandbox.protected.flatMap(mountArguments),
    ...['--setenv', 'TMPDIR', '/tmp'],
    ...['--chdir', sandbox.cwd],
    '--',
  ]
}

function mountArguments({ path, kind, mode }: ProtectedMount): string[] {
  if (mode === 'read-only') return ['--ro-bind', path, path]
  if (kind === 'file') return ['--ro-bind', '/dev/null', path]
  return ['--tmpfs', path, '--remount-ro', path]
}

// A mount point cannot be renamed, but the directory around it can: `mv .ai old; mkdir -p .ai/config` would give an
// unprotected `.ai/config`. So every directory between a writable root and a protected path becomes a mount point too.
function parentsToMount(mounts: readonly ProtectedMount[], writable: readonly string[]): string[] {
  const found = new Set<string>()
  for (const { path } of mounts) {
    for (const root of writable) {
      if (!isInside(path, root)) continue
      const names = path.slice(root.length + 1).split('/')
      for (let depth = 1; depth < names.length; depth++)
        found.add(`${root}/${names.slice(0, depth).join('/')}`)
    }
  }
  return [...found].sort((left, right) => left.length - right.length)
}

/** Whether `path` lies below `root`; a path is not inside itself. */
export function isInside(path: string, root: string): boolean {
  return path.startsWith(root === '/' ? root : `${root}/`) && path !== root
}
