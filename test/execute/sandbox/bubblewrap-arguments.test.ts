import { describe, expect, it } from 'vitest'
import {
  bubblewrapArguments,
  isInside,
  type Mount,
  type Sandbox,
} from '../../../src/execute/sandbox/bubblewrap-arguments.ts'

const TMP = { path: '/tmp', kind: 'directory', access: 'private' } as const
const PROJECT = { path: '/p', kind: 'directory', access: 'writable' } as const
const PLAIN: Sandbox = { mounts: [TMP, PROJECT], links: [], cwd: '/p' }

function text(parts: Partial<Sandbox> = {}): string {
  return bubblewrapArguments({ ...PLAIN, ...parts }).join(' ')
}

function withMount(path: string, access: Mount['access'], kind: Mount['kind'] = 'directory'): string {
  return text({ mounts: [{ path, kind, access }, ...PLAIN.mounts] })
}

describe('bubblewrapArguments', () => {
  it('is this vector for a plain project', () => {
    expect(text()).toBe(
      [
        '--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net',
        '--cap-drop ALL --die-with-parent --new-session --ro-bind / /',
        '--dev /dev --size 536870912 --tmpfs /dev/shm --remount-ro /dev --proc /proc',
        '--size 536870912 --tmpfs /tmp --bind /p /p --setenv TMPDIR /tmp --chdir /p --',
      ].join(' '),
    )
  })

  it.each([
    ['a readable path', '/tmp/s', 'read-only', 'directory', '--bind /p /p --ro-bind /tmp/s /tmp/s --setenv'],
    ['a hidden directory', '/h', 'hidden', 'directory', '--tmpfs /h --size'],
    ['a hidden file', '/h/.netrc', 'hidden', 'file', '--ro-bind /dev/null /h/.netrc'],
    [
      'a protected path in the project, with the directories around it mounted too',
      '/p/a/b/c',
      'read-only',
      'directory',
      '--bind /p /p --bind /p/a /p/a --bind /p/a/b /p/a/b --ro-bind /p/a/b/c /p/a/b/c',
    ],
    [
      'a private directory in the project in the same way',
      '/p/a/b',
      'private',
      'directory',
      '--bind /p/a /p/a --size 536870912 --tmpfs /p/a/b',
    ],
  ] as const)('adds %s', (_, path, access, kind, expected) => {
    expect(withMount(path, access, kind)).toContain(expected)
  })

  it('closes a hidden directory after everything was mounted inside', () => {
    const mounts: Mount[] = [
      { path: '/h/x', kind: 'directory', access: 'writable' },
      { path: '/h', kind: 'directory', access: 'hidden' },
    ]
    expect(text({ mounts })).toContain('--tmpfs /h --bind /h/x /h/x --remount-ro /h --setenv')
  })

  it('makes file systems in memory no larger than a run may be', () => {
    expect(text({ privateBytes: 1024 })).toContain('--size 1024 --tmpfs /tmp')
    expect(text({ privateBytes: 1024 })).toContain('--size 1024 --tmpfs /dev/shm')
    expect(text({ privateBytes: 2 ** 40 })).toContain('--size 536870912 --tmpfs /tmp')
  })

  it('names the descriptor of a filter', () => {
    expect(text({ filterDescriptor: 5 })).toContain('--seccomp 5 --setenv')
  })

  it('a link leads to a home that is elsewhere', () => {
    expect(text({ links: [{ path: '/home/ada', target: '/data/ada' }] })).toContain(
      '--symlink /data/ada /home/ada',
    )
  })

  it('the network of the machine is never shared', () => {
    expect(text()).toContain('--unshare-net')
  })

  it('the root directory as a project is not made writable', () => {
    expect(withMount('/', 'writable')).not.toContain('--bind / /')
  })

  it('a neighbour with the same beginning is not inside', () => {
    expect(isInside('/project-evil/x', '/project')).toBe(false)
    expect(isInside('/project/x', '/project')).toBe(true)
    expect(isInside('/project', '/project')).toBe(false)
  })
})
