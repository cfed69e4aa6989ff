// What `rye doctor` says about a lock, and about items that others accepted.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sha256Hex } from '../../../src/base/index.ts'
import { acquireMutex } from '../../../src/files/index.ts'
import { generateKey } from '../../../src/trust/key.ts'
import { placeKey, type Scratch, scratch, skill, TEST_KEY, tool } from '../../workspace/scratch.ts'

/** A project with a skill and a tool of a folder beside it. */
async function project(): Promise<Scratch> {
  const made = await scratch()
  const source = join(made.root, 'vendor')
  for (const [path, text] of [
    ['pdf/SKILL.md', skill('pdf')],
    ['.ai/tools/deploy.py', tool('deploy')],
  ] as const) {
    mkdirSync(join(source, path, '..'), { recursive: true })
    writeFileSync(join(source, path), text)
  }
  const { digest } = await made.run('add', { source, dry_run: true })
  await made.run('add', { source, accept: [digest] })
  return made
}

interface Found {
  readonly name: string
  readonly message: string
}

async function checksOf(made: Scratch, ...names: string[]): Promise<Found[]> {
  const { checks } = await made.run('doctor')
  return checks.filter(({ name }: Found) => names.includes(name))
}

it('a lock is compared with the space', async () => {
  const made = await project()
  expect(await checksOf(made, 'lock')).toEqual([
    { name: 'lock', status: 'ok', message: '2 items of 1 source in place' },
  ])
  rmSync(made.path('.ai/skills/pdf'), { recursive: true })
  made.write('.ai/tools/deploy.py', tool('deploy', { description: 'mine' }))
  expect(await checksOf(made, 'lock')).toEqual([
    {
      ...{ name: 'lock', status: 'problem', fix: 'rye install' },
      message: '1 of 2 items of 1 source missing: skill:pdf',
    },
    {
      ...{ name: 'lock', status: 'note', fix: 'rye review tool:deploy@project' },
      message: '1 of 2 items of 1 source changed since: tool:deploy; to compare:',
    },
  ])
})

it.each([
  'no JSON\n',
  '{"version":1,"files":[],"removed":[],"approvals":[],"lock":""}',
  '{"version":2}',
  '{"version":2,"lock":"","files":[null],"removed":[],"approvals":[]}',
])(
  'a note of an interrupted run that cannot be read is a problem, in the words of the commands that it holds up: %s',
  async text => {
    const made = await project()
    const path = join(made.library.states.make(made.project).path, 'unfinished-change.json')
    writeFileSync(path, text)
    const refused = await made.run('install')
    expect(refused).toMatchObject({ code: 'FILE_UNREADABLE' })
    expect(refused.error).toContain(`\`${path}\` is damaged, or of another version of rye`)
    const [found] = await checksOf(made, 'unfinished')
    const fix = `mv ${path} ${path}.broken`
    expect(found).toMatchObject({ status: 'problem', message: refused.error, fix })
    expect(refused.hint).toContain(fix)
    execFileSync('/bin/sh', ['-c', fix])
    expect(await checksOf(made, 'unfinished')).toEqual([])
    expect(await made.run('install')).toMatchObject({ status: 'unchanged' })
  },
)

it.each([
  ['project', 'rye install'],
  ['user', 'rye install --to user'],
] as const)(
  'a change to the %s that was killed is a problem until the next run has finished it',
  async (to, fix) => {
    const made = await project()
    const base = to === 'user' ? made.user : made.project
    const state = made.library.states.make(base).path
    const path = join(state, 'unfinished-change.json')
    const lockFile = join(base, '.ai', 'rye.lock')
    const lock_before = existsSync(lockFile) ? sha256Hex(readFileSync(lockFile)) : null
    const note = {
      ...{ version: 2, lock: 'rye lock v1\n', lock_before, files: [], approvals: [] },
      removed: [['.ai/tools/gone.py', null]],
    }
    writeFileSync(path, JSON.stringify(note))
    const held = await acquireMutex(join(state, 'sources.lock'), { waitMs: 0, holdMs: 120_000 })
    expect(await checksOf(made, 'unfinished')).toEqual([])
    held.release()
    const [found] = await checksOf(made, 'unfinished')
    expect(found).toMatchObject({ status: 'problem', fix })
    expect(found?.message).toContain('0 files to be written, 1 to be removed, the first `.ai/tools/gone.py`')
    expect(existsSync(path)).toBe(true)
    await made.run('install', { to })
    expect(await checksOf(made, 'unfinished')).toEqual([])
  },
)

it.each([
  [
    'a conflict',
    'rye lock v1\n<<<<<<< HEAD\n',
    'line 2: a merge has left a conflict; take one side with `git',
  ],
  ['nonsense', '{}\n', 'line 1: expected `rye lock v1`, got `{}`; take it from the last commit'],
])('a lock with %s is a problem with what to do', async (_, text, message) => {
  const made = await project()
  made.write('.ai/rye.lock', text)
  expect(await checksOf(made, 'lock')).toMatchObject([
    { status: 'problem', message: expect.stringContaining(`rye.lock: the lock cannot be read: ${message}`) },
  ])
})

it('without a lock there is nothing to say', async () => {
  expect(await checksOf(await scratch(), 'lock')).toEqual([])
})

it('what a colleague accepted is for a decision about the key, and never to be signed along', async () => {
  const made = await project()
  const other = await scratch({}, { key: false })
  placeKey(other, generateKey())
  cpSync(join(made.project, '.ai'), join(other.project, '.ai'), { recursive: true })
  expect(await checksOf(other, 'untrusted', 'unsigned')).toMatchObject([
    {
      message: `skill:pdf@project: key ${TEST_KEY.fingerprint} is not trusted`,
      fix: 'rye review skill:pdf@project',
    },
    {
      message: `tool:deploy@project: key ${TEST_KEY.fingerprint} is not trusted`,
      fix: 'rye review tool:deploy@project',
    },
  ])
  await made.run('keys offer')
  cpSync(join(made.project, '.ai'), join(other.project, '.ai'), { recursive: true })
  const offered = await checksOf(other, 'untrusted', 'unsigned')
  expect(offered).toMatchObject([
    {
      message: expect.stringContaining(`2 items: key ${TEST_KEY.fingerprint} is not trusted`),
      fix: expect.stringMatching(/^rye keys trust .*\.toml$/),
    },
  ])
  // The person's own work is: it is read, then signed.
  other.write('.ai/skills/pdf/SKILL.md', skill('pdf', 'mine'))
  expect(await checksOf(other, 'unsigned')).toMatchObject([{ fix: 'rye sign skill:pdf' }])
})

it('a note whose lock somebody has changed since is none, as for the next run', async () => {
  const made = await project()
  const state = made.library.states.make(made.project).path
  const note = {
    version: 2,
    lock: 'rye lock v1\n',
    lock_before: 'f'.repeat(64),
    files: [],
    approvals: [],
    removed: [],
  }
  writeFileSync(join(state, 'unfinished-change.json'), JSON.stringify(note))
  expect(await checksOf(made, 'unfinished')).toEqual([])
})
