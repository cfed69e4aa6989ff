import { expect, it } from 'vitest'
import { CLIENT_FILES, CLIENTS, type ClientFile } from '../../../src/actions/setup/init/client-files.ts'
import { protectedPaths } from '../../../src/execute/sandbox/protected-paths.ts'

const PATHS = protectedPaths({ home: '/home/ada', userSpace: '/home/ada', projectPath: '/srv/p' })

it.each([
  ['/home/ada/.ssh', 'hidden', 'guard'],
  ['/home/ada/.aws', 'hidden', 'guard'],
  ['/home/ada/.gnupg', 'hidden', 'guard'],
  ['/home/ada/.config/gh', 'hidden', 'open'],
  ['/home/ada/.ai/config', 'hidden', 'guard'],
  ['/home/ada/.bashrc', 'read-only', 'open'],
  ['/srv/p/.ai/config', 'read-only', 'guard'],
  ['/srv/p/.ai/rye.lock', 'read-only', 'open'],
  ['/home/ada/.ai', 'read-only', 'guard'],
  ['/home/ada/.ai/trusted_keys', 'hidden', 'guard'],
  ['/home/ada/.config/autostart', 'hidden', 'guard'],
  ['/srv/p/.vscode', 'read-only', 'guard'],
  ['/srv/p/.claude/settings.json', 'read-only', { text: '{}\n' }],
  ['/srv/p/.git', 'read-only', 'guard-only'],
])('%s is %s, and %s where it is absent', (path, mode, absent) => {
  expect(PATHS.filter(entry => entry.path === path)).toEqual([{ path, mode, absent }])
})

it.each(
  CLIENTS.flatMap(name => {
    const client: ClientFile = CLIENT_FILES[name]
    if (client.scope !== 'project') return []
    return [client.path({ home: '/h', platform: 'linux', environment: {} }), ...(client.others ?? [])]
  }),
)('%s, which names what a client starts, cannot be changed', file => {
  const covered = PATHS.some(
    ({ path, mode }) => mode === 'read-only' && `/srv/p/${file}/`.startsWith(`${path}/`),
  )
  expect(covered).toBe(true)
})

it('settings and data of programs are protected where their variables say that they are', () => {
  const places = { home: '/h', userSpace: '/h', projectPath: '/p', configHome: '/c', dataHome: '/d' }
  const paths = protectedPaths(places)
  for (const [path, absent] of [
    ['/h/.config/gh', 'open'],
    ['/c/gh', 'open'],
    ['/c/systemd', 'guard'],
    ['/d/applications', 'guard'],
  ])
    expect(paths).toContainEqual({ path, mode: 'hidden', absent })
})

it('where the user space is the project, hidden comes last and so wins', () => {
  const paths = protectedPaths({ home: '/h', userSpace: '/p', projectPath: '/p' })
  expect(paths.findLast(entry => entry.path === '/p/.ai/config')?.mode).toBe('hidden')
})

it.each([
  ['/srv/p/node_modules/ryekit', '/srv/p/node_modules'],
  ['/srv/p/node_modules/.pnpm/ryekit@1/node_modules/ryekit', '/srv/p/node_modules'],
  ['/srv/rye', '/srv/rye'],
])('a program at %s is protected with what it imports, %s', (packageRoot, path) => {
  const paths = protectedPaths({ home: '/h', userSpace: '/h', projectPath: '/srv/p', packageRoot })
  expect(paths).toContainEqual({ path, mode: 'read-only', absent: 'open' })
})
