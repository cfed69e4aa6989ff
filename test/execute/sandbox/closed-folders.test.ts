import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { findClosedFolder } from '../../../src/execute/sandbox/closed-folders.ts'
import { temporaryFolder } from '../../files/temporary-folder.ts'

let root: string
let home: string
beforeEach(() => {
  root = temporaryFolder()
  home = folder('home')
})

function folder(...names: string[]): string {
  const path = join(root, ...names)
  mkdirSync(path, { recursive: true })
  return path
}

const closedAt = (path: string, places = {}) => findClosedFolder(path, { home, ...places })?.path

describe('in a home', () => {
  it.each([
    ...['.ssh', '.ssh/keys', '.gnupg', '.aws/sso/cache', '.kube', '.mozilla/firefox/profile', '.thunderbird'],
    ...[
      '.config',
      '.config/autostart',
      '.config/systemd/user',
      '.config/any-program',
      '.claude',
      '.claude/agents',
    ],
    ...['.local', '.local/bin', '.local/share', '.local/share/applications', '.cargo', '.cargo/bin', '.nvm'],
    ...[
      '.vim/plugin',
      '.oh-my-zsh/custom',
      '.bashrc.d',
      '.cursor',
      '.codex/skills',
      '.ai',
      '.ai/config/keys',
    ],
    ...[
      '.cache',
      '.cache/tmp-project',
      '.npm/_npx',
      'bin',
      'node_modules/x',
      'go/bin',
      'go',
      'snap',
      'Library',
    ],
    ...['Library/LaunchAgents', 'Library/Application Support/x', '.vscode/extensions', '.git/hooks'],
  ])('%s is closed', name => {
    expect(closedAt(folder('home', name))).toBeDefined()
  })

  it.each([
    ...['work/project', 'go/src/example.org/x', '.worktrees/x', '.dotfiles', 'projects/bin', 'work/.config'],
    ...['.claude/worktrees/x', '.cursor/worktrees/p/x', '.codex/worktrees/1/p', 'Library/CloudStorage/p'],
    ...['.local/share/opencode/worktree/1/p', 'binary'],
  ])('%s is open', name => {
    expect(closedAt(folder('home', name))).toBeUndefined()
  })

  it('the home itself is closed, and nothing of it that is closed is opened by a folder inside', () => {
    expect(closedAt(home)).toBe(home)
    const inside = folder('home/.ssh/.cursor/worktrees/x')
    expect(closedAt(inside)).toBe(join(home, '.ssh'))
  })

  it('a folder is known by where its link leads', () => {
    const settings = folder('data/settings/systemd/user')
    symlinkSync(join(root, 'data/settings'), join(home, '.config'))
    expect(closedAt(settings)).toBe(join(home, '.config'))
    expect(closedAt(folder('data/project'))).toBeUndefined()
    expect(closedAt(folder('data'))).toBeUndefined()
  })

  it('settings and data that lie elsewhere are closed there', () => {
    const places = { configHome: folder('c'), dataHome: folder('d') }
    expect(closedAt(folder('c'), places)).toBe(places.configHome)
    expect(closedAt(folder('c/systemd/user'), places)).toBe(places.configHome)
    expect(closedAt(folder('d/applications'), places)).toBe(places.dataHome)
    expect(closedAt(folder('d/opencode/worktree/1'), places)).toBeUndefined()
    expect(closedAt(folder('e'), places)).toBeUndefined()
  })

  it('what a variable names is closed, but for a home', () => {
    const places = { obeyed: [folder('tools/bin'), home, join(root, 'absent')] }
    expect(closedAt(folder('tools/bin/x'), places)).toBe(places.obeyed[0])
    expect(closedAt(folder('tools'), places)).toBeUndefined()
    expect(closedAt(folder('home/project'), places)).toBeUndefined()
  })

  it('a folder for temporary files that a variable names has projects', () => {
    const temporary = realpathSync('/tmp')
    const project = mkdtempSync(join(temporary, 'rye-closed-'))
    onTestFinished(() => rmSync(project, { recursive: true }))
    for (const places of [{ obeyed: [temporary] }, { configHome: temporary, dataHome: temporary }]) {
      expect(closedAt(project, places)).toBeUndefined()
      expect(closedAt(project, { obeyed: [temporary, project] })).toBe(project)
    }
  })

  it('a home that holds all settings, or lies in them, has projects', () => {
    const project = folder('home/project')
    expect(closedAt(project, { configHome: home, dataHome: root })).toBeUndefined()
    expect(closedAt(home, { configHome: home })).toBe(home)
  })
})

describe('in a project', () => {
  it.each([
    ...['.git', '.git/hooks', '.git/worktrees/x', '.GIT/hooks', '.ai', '.ai/config', '.ai/tools', '.vscode'],
    ...[
      '.claude',
      '.claude/hooks',
      '.Claude',
      '.cursor/rules',
      '.idea',
      '.husky/_',
      '.devcontainer',
      '.githooks',
    ],
    ...['.github/workflows', '.github/workflows/x', 'deep/folder/.git/hooks'],
  ])('%s is closed', name => {
    expect(closedAt(folder('project', name))).toBeDefined()
  })

  it.each([
    ...[
      '.',
      'src',
      '.github',
      '.worktrees/x',
      '.claude/worktrees/x',
      'objects',
      'hooks',
      'refs',
      'modules/x',
    ],
    ...['.gitlab', 'git', '.git-worktrees/x', '.aider', 'config'],
  ])('%s is open', name => {
    expect(closedAt(folder('project', name))).toBeUndefined()
  })

  it('a checkout of a client has what is closed in any project', () => {
    expect(closedAt(folder('project/.claude/worktrees/x/.git/hooks'))).toBe(
      join(root, 'project/.claude/worktrees/x/.git'),
    )
  })
})

describe('in a repository without a folder `.git` around it', () => {
  beforeEach(() => {
    for (const name of ['objects/info', 'refs/heads', 'hooks', 'info', 'worktrees/x', 'main'])
      folder('repo.git', name)
    writeFileSync(join(root, 'repo.git/HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(join(root, 'repo.git/config'), '[core]\n\tbare = true\n')
  })

  it.each(['.', 'objects', 'refs/heads', 'hooks', 'Hooks', 'info', 'worktrees/x'])('%s is closed', name => {
    expect(closedAt(folder('repo.git', name))).toBe(join(root, 'repo.git'))
  })

  it('a worktree in it is open, and one beside it', () => {
    expect(closedAt(join(root, 'repo.git/main'))).toBeUndefined()
    writeFileSync(join(folder('worktree'), '.git'), `gitdir: ${join(root, 'repo.git/worktrees/x')}\n`)
    expect(closedAt(join(root, 'worktree'))).toBeUndefined()
  })

  it('it stays closed when its parts are taken away', () => {
    cpSync(join(root, 'repo.git/config'), join(folder('damaged'), 'config'))
    expect(closedAt(folder('damaged/hooks'))).toBe(join(root, 'damaged'))
  })
})

describe.skipIf(process.platform === 'win32')('in the system', () => {
  it.each([
    ...['/', '/etc', '/usr', '/usr/bin', '/usr/lib', '/bin', '/var', '/var/lib', '/dev', '/proc'],
    ...['/proc/self', '/sys', '/home', '/opt', '/root'],
  ])('%s is closed', path => {
    expect(closedAt(path)).toBeDefined()
  })

  it.each(['/tmp', '/var/tmp', '/usr/src', '/srv', '/mnt'])('%s is open', path => {
    expect(closedAt(path)).toBeUndefined()
  })

  it('what lies in the home of an account of the system is open, and the system is not when the home is the root', () => {
    expect(closedAt('/usr/share', { home: '/usr/share' })).toBe('/usr/share')
    expect(closedAt(dirname('/usr/share/doc/x'), { home: '/usr/share' })).toBeUndefined()
    expect(closedAt('/etc', { home: '/' })).toBeDefined()
  })
})
