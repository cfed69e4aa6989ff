import { describe, expect, it } from 'vitest'
import {
  bubblewrapArguments,
  isInside,
  type Sandbox,
} from '../../../src/execute/sandbox/bubblewrap-arguments.ts'

const PLAIN: Sandbox = {
  emptied: ['/tmp'],
  readable: [],
  writable: ['/p'],
  protected: [],
  network: false,
  cwd: '/p',
}

function text(parts: Partial<Sandbox> = {}): string {
  return bubblewrapArguments({ ...PLAIN, ...parts }).join(' ')
}

describe('bubblewrapArguments', () => {
  it('is this vector for a plain project', () => {
    expect(text()).toBe(
      [
        '--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net',
        '--cap-drop ALL --die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc',
        '--size 536870912 --tmpfs /tmp --bind /p /p --setenv TMPDIR /tmp --chdir /p --',
      ].join(' '),
    )
  })

  it.each([
    ['a network', { network: true }, '--ro-bind-try /run/systemd/resolve /run/systemd/resolve'],
    ['a readable path', { readable: ['/tmp/s'] }, '--tmpfs /tmp --ro-bind /tmp/s /tmp/s --bind /p /p'],
    [
      'a hidden directory',
      { protected: [{ path: '/h/.ssh', kind: 'directory', mode: 'hidden' }] },
      '--tmpfs /h/.ssh --remount-ro /h/.ssh',
    ],
    [
      'a hidden file',
      { protected: [{ path: '/h/.netrc', kind: 'file', mode: 'hidden' }] },
      '--ro-bind /dev/null /h/.netrc',
    ],
    [
      'a read-only path',
      { protected: [{ path: '/h/.bashrc', kind: 'file', mode: 'read-only' }] },
      '--bind /p /p --ro-bind /h/.bashrc /h/.bashrc',
    ],
    [
      'a protected path in the project, with the directories around it mounted too',
      { protected: [{ path: '/p/a/b/c', kind: 'directory', mode: 'read-only' }] },
      '--bind /p /p --bind /p/a /p/a --bind /p/a/b /p/a/b --ro-bind /p/a/b/c /p/a/b/c',
    ],
  ] as const)('adds %s', (_, parts, expected) => {
    expect(text(parts)).toContain(expected)
  })

  it('without a network there is none, with one it is shared', () => {
    expect(text()).toContain('--unshare-net')
    expect(text({ network: true })).not.toContain('--unshare-net')
  })

  it('the root directory as a project is not made writable', () => {
    expect(text({ writable: ['/'] })).not.toContain('--bind / /')
  })

  it('a neighbour with the same beginning is not inside', () => {
    expect(isInside('/project-evil/x', '/project')).toBe(false)
    expect(isInside('/project/x', '/project')).toBe(true)
    expect(isInside('/project', '/project')).toBe(false)
  })
})
