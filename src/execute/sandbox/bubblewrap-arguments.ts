// Turns a sandbox into an argument vector. Pure: the mounts say what is visible where, and
// `describe-sandbox.ts` decides that.
// The most specific path wins: mounts are made from the root downwards, whatever their kind.

/**
 * What a tool finds at a path: an empty directory of its own, nothing, the path without write access, or the
 * path itself. Mounts below a hidden directory stay visible.
 */
export type Access = 'private' | 'hidden' | 'read-only' | 'writable'

export interface Mount {
  readonly path: string
  readonly kind: 'directory' | 'file'
  readonly access: Access
}

export interface Sandbox {
  /** At most one for each path. */
  readonly mounts: readonly Mount[]
  /** Symbolic links to make in private directories. */
  readonly links: readonly { readonly path: string; readonly target: string }[]
  readonly cwd: string
  /** The size limit of each private directory. */
  readonly privateBytes?: number | undefined
  /** The descriptor from which bubblewrap reads the filter of system calls. */
  readonly filterDescriptor?: number | undefined
}

/** The most that a private directory may hold. */
const PRIVATE_BYTES = 512 * 1024 * 1024

const NAMESPACES = [
  '--unshare-user',
  // Without it a tool could make a user namespace of its own and reach more of the kernel.
  '--disable-userns',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  // A loopback of its own; what else the tool may reach is served there.
  '--unshare-net',
]

/** Everything before the command; the command and its arguments follow `--`. */
export function bubblewrapArguments(sandbox: Sandbox): string[] {
  const mounts = sandbox.mounts.filter(({ path }) => path !== '/')
  const ordered = [...mounts, ...parentsToMount(mounts)].sort((left, right) => depth(left) - depth(right))
  const size = String(Math.min(PRIVATE_BYTES, sandbox.privateBytes ?? PRIVATE_BYTES))
  return [
    ...NAMESPACES,
    ...['--cap-drop', 'ALL'],
    '--die-with-parent',
    '--new-session',
    ...['--ro-bind', '/', '/'],
    // `/dev` is a file system in memory that could take half of the machine's. Only what is mounted inside it
    // can be written to.
    ...['--dev', '/dev', '--size', size, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--proc', '/proc'],
    ...ordered.flatMap(mount => mountArguments(mount, size)),
    ...sandbox.links.flatMap(({ path, target }) => ['--symlink', target, path]),
    // Last, because what is mounted inside needs a directory there first.
    ...ordered.filter(isHiddenDirectory).flatMap(({ path }) => ['--remount-ro', path]),
    ...(sandbox.filterDescriptor === undefined ? [] : ['--seccomp', String(sandbox.filterDescriptor)]),
    ...['--setenv', 'TMPDIR', '/tmp'],
    ...['--chdir', sandbox.cwd],
    '--',
  ]
}

function mountArguments({ path, kind, access }: Mount, size: string): string[] {
  switch (access) {
    case 'private':
      return ['--size', size, '--tmpfs', path]
    case 'hidden':
      return kind === 'file' ? ['--ro-bind', '/dev/null', path] : ['--tmpfs', path]
    case 'read-only':
      return ['--ro-bind', path, path]
    case 'writable':
      return ['--bind', path, path]
  }
}

// A mount point cannot be renamed, but the directory around it can: `mv .ai old; mkdir -p .ai/config` would
// give an unprotected `.ai/config`. So every directory between a writable root and a protected path becomes a
// mount point too.
function parentsToMount(mounts: readonly Mount[]): Mount[] {
  const found = new Map<string, Mount>()
  for (const { path, access } of mounts) {
    const above = access === 'writable' ? undefined : nearestAbove(mounts, path)
    if (above?.access !== 'writable') continue
    const names = path.slice(above.path.length + 1).split('/')
    for (let count = 1; count < names.length; count++) {
      const parent = `${above.path}/${names.slice(0, count).join('/')}`
      found.set(parent, { path: parent, kind: 'directory', access: 'writable' })
    }
  }
  return [...found.values()]
}

/** The most specific mount that a path lies in, not counting a mount at the path itself. */
export function nearestAbove(mounts: Iterable<Mount>, path: string): Mount | undefined {
  let nearest: Mount | undefined
  for (const mount of mounts) {
    if (isInside(path, mount.path) && mount.path.length >= (nearest?.path.length ?? 0)) nearest = mount
  }
  return nearest
}

function isHiddenDirectory({ kind, access }: Mount): boolean {
  return access === 'hidden' && kind === 'directory'
}

function depth({ path }: Mount): number {
  return path.split('/').length
}

/** Whether `path` lies below `root`; a path is not inside itself. */
export function isInside(path: string, root: string): boolean {
  return path.startsWith(root === '/' ? root : `${root}/`) && path !== root
}
