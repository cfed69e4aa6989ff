import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { bareRepositoryPaths, gitPaths, linkedRepository } from '../../../src/execute/sandbox/git-paths.ts'
import { holdFile } from '../../../src/execute/sandbox/guarded-file.ts'
import { temporaryFolder } from '../../files/temporary-folder.ts'

function makeRepository(names: readonly string[] = []): string {
  const project = temporaryFolder()
  mkdirSync(join(project, '.git'))
  for (const name of names) writeFileSync(join(project, '.git', name), '')
  return project
}

const rowOf = (project: string, name: string) =>
  gitPaths(project).find(({ path }) => path === join(project, '.git', name))

it.each([
  ['hooks', 'guard'],
  ['info', 'guard'],
  ['modules', 'guard'],
  ['worktrees', 'guard'],
  ['objects/info', 'guard'],
  ['config', { text: '' }],
  ['commondir', { text: '.\n' }],
  ['config.worktree', 'guard'],
])('%s is read-only, also where it is absent', (name, absent) => {
  const project = makeRepository()
  expect(rowOf(project, name)).toEqual({ path: join(project, '.git', name), mode: 'read-only', absent })
})

it.each([
  [
    'objects',
    'refs',
    'logs',
    'index',
    'index.lock',
    'packed-refs',
    'HEAD',
    'ORIG_HEAD',
    'COMMIT_EDITMSG',
    'shallow',
  ],
])('what a commit writes stays writable', (...names) => {
  const project = makeRepository(names)
  for (const name of names) expect(rowOf(project, name), name).toBeUndefined()
})

it.each(['description', 'head', 'rebase-merge', 'something-new', 'Index', 'HEADx'])(
  'whatever else is there is read-only: %s',
  name => {
    expect(rowOf(makeRepository([name]), name)).toMatchObject({ mode: 'read-only', absent: 'open' })
  },
)

it('a settings file of the worktree is kept empty where the repository reads one', () => {
  const project = makeRepository()
  writeFileSync(join(project, '.git/config'), '[extensions]\n\tworktreeConfig = true\n')
  expect(rowOf(project, 'config.worktree')?.absent).toEqual({ text: '' })
})

it('no rows where `.git` is absent, a file, a link, or a mount point of ours', () => {
  const project = temporaryFolder()
  expect(gitPaths(project)).toEqual([])
  const other = makeRepository(['config'])
  symlinkSync(join(other, '.git'), join(project, '.git'))
  expect(gitPaths(project)).toEqual([])
  chmodSync(join(other, '.git'), 0o1700)
  expect(gitPaths(other)).toEqual([])
})

it('a linked repository counts only if it names the worktree as well', () => {
  const root = temporaryFolder()
  const [worktree, directory] = [join(root, 'worktree'), join(root, 'main/.git/worktrees/w')]
  mkdirSync(worktree)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(worktree, '.git'), `gitdir: ${directory}\n`)
  expect(linkedRepository(worktree)).toEqual([])
  writeFileSync(join(directory, 'commondir'), '../..\n')
  writeFileSync(join(directory, 'gitdir'), `${join(root, 'another/.git')}\n`)
  expect(linkedRepository(worktree)).toEqual([])
  writeFileSync(join(directory, 'gitdir'), `${join(worktree, '.git')}\n`)
  expect(linkedRepository(worktree)).toEqual([directory, join(root, 'main/.git')])
  writeFileSync(join(worktree, '.git'), 'gitdir: ../main/.git/worktrees/w\n')
  expect(linkedRepository(worktree)).toEqual([])
})

it('a linked repository is one that holds the directory of the worktree, and no other folder', () => {
  const root = temporaryFolder()
  const [worktree, forged, other] = [join(root, 'own/w'), join(root, 'own/forged'), join(root, 'other')]
  for (const folder of [worktree, forged, join(other, 'worktrees')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(worktree, '.git'), `gitdir: ${forged}\n`)
  writeFileSync(join(forged, 'gitdir'), `${join(worktree, '.git')}\n`)
  for (const common of [other, '../../other', join(other, 'none'), '/', '']) {
    writeFileSync(join(forged, 'commondir'), `${common}\n`)
    expect(linkedRepository(worktree), common).toEqual([])
  }
})

it.each([
  [[], ['refs', 'objects']],
  [['refs'], ['objects']],
  [['objects'], ['refs']],
  [['refs', 'objects'], ['HEAD']],
])('a project with %j is kept from being a repository by %j', (present, parts) => {
  const project = temporaryFolder()
  for (const name of present) mkdirSync(join(project, name))
  expect(bareRepositoryPaths(project)).toEqual(
    [...parts, 'commondir'].map(name => ({ path: join(project, name), mode: 'read-only', absent: 'socket' })),
  )
})

it.each([
  [['refs', 'objects'], ['HEAD']],
  [['objects'], ['refs']],
  [[], ['refs', 'objects']],
])('a repository of which %j is left is kept from being one by %j, and stays closed', (present, parts) => {
  const project = temporaryFolder()
  for (const name of present) mkdirSync(join(project, name))
  writeFileSync(join(project, 'config'), '[core]\n\tbare = true\n')
  const rows = bareRepositoryPaths(project)
  const names = rows.map(({ path }) => path.slice(project.length + 1))
  expect(names.slice(0, parts.length)).toEqual(parts)
  expect(names).toEqual(expect.arrayContaining(['hooks', 'config', 'commondir']))
  expect(names.includes('objects/info')).toBe(present.includes('objects'))
  expect(new Set(names).size).toBe(names.length)
})

it('what another run guards is guarded, whatever else has changed', async () => {
  const project = temporaryFolder()
  const guard = holdFile(join(project, 'HEAD'), 'socket')
  expect(bareRepositoryPaths(project).map(({ path }) => basename(path))).toEqual([
    ...['refs', 'objects', 'HEAD', 'commondir'],
  ])
  await guard?.mountPoint.release()
})

it('in a project that has all the parts of a repository, what git obeys is closed and the rest is open', () => {
  const project = temporaryFolder()
  for (const name of ['refs', 'objects', 'src']) mkdirSync(join(project, name))
  writeFileSync(join(project, 'HEAD'), 'ref: refs/heads/main')
  const rows = bareRepositoryPaths(project)
  expect(rows.map(({ path }) => path)).toEqual(
    [
      ...['hooks', 'info', 'modules', 'worktrees', 'branches', 'remotes', 'objects/info'],
      ...['config', 'commondir', 'config.worktree'],
    ].map(name => join(project, name)),
  )
  expect(rows.every(({ mode, absent }) => mode === 'read-only' && absent !== 'open')).toBe(true)
})
