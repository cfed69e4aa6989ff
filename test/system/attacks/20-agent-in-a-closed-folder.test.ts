// An agent names as its project a folder that tools of other projects may not change: in a repository, among
// an editor's settings, in the home, in the system. Its tools would write there, and a sandbox would let
// them.
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { answerOf, connectStdio, ERAS } from '../mcp-world.ts'
import { makePlace, type Place } from '../run-rye.ts'

let place: Place
let client: Awaited<ReturnType<typeof connectStdio>>['client']
beforeEach(async () => {
  place = makePlace()
  onTestFinished(() => place.remove())
  place.environment.XDG_CONFIG_HOME = join(place.root, 'elsewhere/settings')
  place.environment.XDG_DATA_HOME = join(place.root, 'elsewhere/data')
  place.environment.ZDOTDIR = join(place.root, 'elsewhere/shell')
  const programs = [
    'tools',
    'conda/bin',
    'other/condabin',
    'mine/bin',
    'team/bin',
    'new/node_modules/.bin',
    'new/env/bin',
  ]
  place.environment.PATH += programs.map(name => `:${join(place.root, 'elsewhere', name)}`).join('')
  const world = { root: place.root, project: place.project, env: place.environment, write: () => {} }
  client = (await connectStdio(world, ERAS[0][1])).client
})

const ask = async (name: string, input: object, project: string) =>
  answerOf(await client.callTool({ name, arguments: { ...input, project_path: project } }))

const write = (project: string) =>
  ask(
    'execute',
    { item_id: 'rye/file-system/write', parameters: { file_path: 'planted', content: 'planted' } },
    project,
  )

function folder(name: string): string {
  const path = join(place.root, name)
  mkdirSync(path, { recursive: true })
  return path
}

async function expectRefused(folders: readonly string[]): Promise<void> {
  for (const path of folders) {
    expect({ path, ...(await write(path)) }).toMatchObject({
      path,
      code: 'POLICY_DENIED',
      error: expect.stringContaining('cannot be the project of an agent'),
    })
    expect(readdirSync(path)).not.toContain('planted')
    expect(existsSync(join(path, '.ai'))).toBe(false)
  }
}

async function expectWritten(folders: readonly string[]): Promise<void> {
  for (const path of folders) expect({ path, ...(await write(path)) }).toMatchObject({ status: 'success' })
}

describe('an agent takes no project', () => {
  it('in a repository, or among what editors and agents obey', async () => {
    const names = ['.git/hooks', '.claude/hooks', '.vscode', '.ai/config', '.github/workflows', '.husky']
    await expectRefused(names.map(name => folder(`project/${name}`)).filter(path => !path.includes('/.ai/')))
    expect(await write(folder('project/.ai/config'))).toMatchObject({ code: 'POLICY_DENIED' })
  })

  it('among keys, settings and programs of the home', async () => {
    const names = ['.ssh/keys', '.claude', '.config/systemd/user', '.config/autostart', '.aws/sso/cache']
    const more = ['.gnupg', '.local/bin', '.mozilla/firefox', '.cache/uv', '.vim/plugin']
    await expectRefused([...names, ...more].map(name => folder(`user/${name}`)))
  })

  it('among settings and data that lie elsewhere', async () => {
    await expectRefused(
      ['settings', 'settings/systemd/user', 'data/applications'].map(name => folder(`elsewhere/${name}`)),
    )
  })

  it('among programs and settings that a variable names', async () => {
    await expectRefused(['shell', 'shell/functions', 'tools'].map(name => folder(`elsewhere/${name}`)))
  })

  it('among what was installed with programs, or around them', async () => {
    folder('elsewhere/conda/bin')
    const names = ['conda/lib/python3.12/site-packages', 'conda/share', 'conda', 'other/bin', 'other/lib']
    await expectRefused(names.map(name => folder(`elsewhere/${name}`)))
    // Programs of a project are its own, and beside those of a user there are projects.
    folder('elsewhere/team/.git/hooks')
    // `npx` names the packages of the folder where it was started, and so does an active environment.
    writeFileSync(join(folder('elsewhere/new/env'), 'pyvenv.cfg'), '')
    const projects = ['team', 'team/lib/parser', 'mine/app', 'mine/work', 'new']
    await expectWritten(projects.map(name => folder(`elsewhere/${name}`)))
  })

  it('around projects of the user, unless a person makes it one', async () => {
    folder('work/team/app/.git/hooks')
    await expectRefused([folder('work'), folder('work/team')])
    await expectWritten([folder('work/team/app'), folder('work/team/app/src')])
    expect((await place.rye(['init', folder('work')])).status).toBe(0)
    await expectWritten([folder('work')])
  })

  it('in a bare repository', async () => {
    const repository = folder('repo.git')
    for (const name of ['objects', 'refs', 'hooks']) folder(`repo.git/${name}`)
    writeFileSync(join(repository, 'HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(join(repository, 'config'), '[core]\n\tbare = true\n')
    await expectRefused([repository, join(repository, 'hooks')])
    await expectWritten([folder('repo.git/main')])
  })

  it('by another spelling of its path', async () => {
    const ssh = folder('user/.ssh')
    symlinkSync(ssh, join(place.project, 'link'))
    symlinkSync(place.root, join(place.project, 'up'))
    for (const path of ['link', 'link/', 'up/user/.ssh', '../user/./.ssh//', 'src/../link/.'])
      expect(await write(`${folder('project/src').slice(0, -4)}/${path}`)).toMatchObject({
        code: 'POLICY_DENIED',
      })
    expect(readdirSync(ssh)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('in the system', async () => {
    for (const path of ['/', '/etc', '/usr/bin', '/var', '/dev', '/proc/self/root/etc', '/sys', '/opt'])
      expect(await ask('search', { query: 'bash' }, path)).toMatchObject({ code: 'POLICY_DENIED' })
  })

  it('for any of its tools', async () => {
    const hooks = folder('project/.git/hooks')
    for (const [name, input] of [
      ['search', { query: 'bash' }],
      ['load', { item_id: 'rye/bash', destination: 'project' }],
      ['sign', { item_id: '*' }],
    ] as const)
      expect(await ask(name, input, hooks)).toMatchObject({ code: 'POLICY_DENIED' })
    expect(readdirSync(hooks)).toEqual([])
  })
})

describe('other folders', () => {
  it('are projects of an agent, also below a folder with a dot and in checkouts of clients', async () => {
    const names = [
      'user/.worktrees/x',
      'user/.cursor/worktrees/x',
      'project/.claude/worktrees/x',
      'project/src',
    ]
    await expectWritten(names.map(folder))
  })

  it('a person may work in any', async () => {
    const ran = await place.rye(['search', 'bash', '--project', folder('user/.config/nvim'), '--json'])
    expect(ran.json().total).toBeGreaterThan(0)
  })
})
