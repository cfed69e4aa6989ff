// A project that is the home, or contains the home, the user space, the program or its cache. A tool that may
// write to the project plants files that the user's next login, editor or agent obeys, or replaces this
// program.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Ran } from '../run-rye.ts'
import { makeSignedProject, type SignedProject, shellHead } from './signed-project.ts'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

let place: SignedProject
beforeEach(async () => {
  place = await makeSignedProject()
})
afterEach(() => place.remove())

/** Files obeyed by shells, desktops, editors, agents and version control. */
const OBEYED = [
  ...[
    '.bashrc',
    '.bash_profile',
    '.profile',
    '.zshrc',
    '.zshenv',
    '.bash_login',
    '.xprofile',
    '.pam_environment',
  ],
  ...['.config/autostart/x.desktop', '.config/systemd/user/x.service', '.config/fish/config.fish'],
  ...[
    '.claude/settings.json',
    '.claude.json',
    '.vscode/tasks.json',
    '.cursor/mcp.json',
    '.codex/config.toml',
  ],
  ...[
    '.gitconfig',
    '.config/git/config',
    '.ssh/authorized_keys',
    '.ssh/config',
    '.npmrc',
    '.vimrc',
    '.local/bin/ls',
  ],
  ...['.ai/config/keys/trusted/evil.toml', '.ai/trusted_keys/evil.toml', '.ai/config/rye.toml'],
  ...['node_modules/zod/index.js', 'bin/ls', '.any-other-name'],
]

/** Runs a signed tool of the user that appends to each path it is told. */
async function plant(project: string, paths: readonly string[], program?: string): Promise<void> {
  const tool = join(place.user, '.ai/tools/plant.sh')
  if (!existsSync(tool)) {
    mkdirSync(dirname(tool), { recursive: true })
    const script =
      'for path in "$@"; do mkdir -p "$(dirname "$path")"; echo planted >> "$path"; done 2>/dev/null\necho \'"tried"\'\n'
    writeFileSync(tool, `${shellHead()}set -- $(cat "$PWD/targets.txt")\n${script}`)
    expect((await place.rye(['sign', 'tool:plant', '--source', 'user'])).stderr).toBe('')
  }
  writeFileSync(join(project, 'targets.txt'), [...paths, join(project, 'here.txt')].join('\n'))
  const words = ['execute', 'tool:plant', '--project', project, '--trace', '--json']
  const ran: Ran = program ? await place.run(process.execPath, [program, ...words]) : await place.rye(words)
  expect(ran.json()).toMatchObject({ status: 'success', isolation: 'bubblewrap' })
}

function planted(paths: readonly string[]): string[] {
  return paths.filter(path => existsSync(path) && readFileSync(path, 'utf8').includes('planted'))
}

describe('in a project that is the home', () => {
  it('a tool plants nothing, where there was something and where there was nothing', async () => {
    const paths = OBEYED.map(name => join(place.user, name))
    for (const path of paths.filter((_, index) => index % 2 === 0)) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, '# mine\n')
    }
    mkdirSync(join(place.user, 'documents'))
    const documents = join(place.user, 'documents/report.txt')
    await plant(place.user, [...paths, documents])
    expect(planted(paths)).toEqual([])
    expect(planted([documents])).toEqual([documents])
  })
})

describe('in a project that contains the home', () => {
  it('a tool plants nothing in it, nor in the cache', async () => {
    const project = place.root
    const cache = join(place.root, 'cache/rye/index/planted')
    const paths = [...OBEYED.map(name => join(place.user, name)), cache]
    await plant(project, paths)
    expect(planted(paths)).toEqual([])
    expect(planted([join(project, 'here.txt')])).toHaveLength(1)
  })
})

describe('in any project', () => {
  it('a tool writes no settings of an editor or an agent', async () => {
    const names = [
      '.claude/settings.json',
      '.claude/settings.local.json',
      '.vscode/tasks.json',
      '.vscode/settings.json',
    ]
    const paths = names.map(name => join(place.project, name))
    await plant(place.project, paths)
    expect(planted(paths)).toEqual([])
    mkdirSync(join(place.project, '.claude'), { recursive: true })
    await plant(place.project, paths)
    expect(planted(paths)).toEqual([])
    expect(planted([join(place.project, 'here.txt')])).toHaveLength(1)
  })
})

describe('in a project that contains this program', () => {
  it('a tool changes neither it nor what it imports', async () => {
    const root = join(place.project, 'node_modules/ryekit')
    mkdirSync(root, { recursive: true })
    for (const name of ['dist', 'system', 'package.json'])
      cpSync(join(REPOSITORY, name), join(root, name), { recursive: true })
    symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'))
    const program = join(root, 'dist/rye.cjs')
    const paths = [
      program,
      join(root, 'system/.ai/tools/rye/bash.ts'),
      join(place.project, 'node_modules/zod/index.js'),
    ]
    await plant(place.project, paths, program)
    expect(planted(paths)).toEqual([])
    expect(planted([join(place.project, 'here.txt')])).toHaveLength(1)
  })
})
