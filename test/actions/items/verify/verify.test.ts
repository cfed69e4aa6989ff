import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findAction } from '../../../../src/actions/table.ts'
import { describeKey, printIdentity } from '../../../../src/trust/identity-document.ts'
import { generateKey } from '../../../../src/trust/key.ts'
import {
  type Answer,
  knowledge,
  placeKey,
  type Scratch,
  scratch,
  skill,
  TEST_KEY,
  tool,
} from '../../../workspace/scratch.ts'

async function exitStatus(answer: Answer): Promise<number> {
  return (await findAction('verify')!.load()).exitStatus!(answer)
}

function statuses(answer: Answer): Record<string, string> {
  return Object.fromEntries(
    answer.items.map((item: Answer) => [`${item.item_type}:${item.item_id}`, item.status]),
  )
}

/** One item of each wanted status. */
async function plant(wanted: readonly string[]): Promise<Scratch> {
  const made = await scratch()
  const file = '.ai/tools/untrusted.py'
  if (wanted.includes('untrusted')) {
    placeKey(made, generateKey())
    made.write(file, tool('untrusted'))
    await made.sign('untrusted')
    const { keys } = await made.run('keys list')
    for (const key of keys) await made.run('keys remove', { fingerprint: key.fingerprint })
    placeKey(made, TEST_KEY)
  }
  made.write('.ai/tools/verified.py', tool('verified'))
  await made.sign('verified')
  if (wanted.includes('tampered')) {
    made.write('.ai/tools/tampered.py', tool('tampered'))
    await made.sign('tampered')
    made.write('.ai/tools/tampered.py', `${made.read('.ai/tools/tampered.py')}#\n`)
  }
  if (wanted.includes('malformed')) {
    made.write('.ai/tools/malformed.py', tool('malformed'))
    await made.sign('malformed')
    made.write('.ai/tools/malformed.py', made.read('.ai/tools/malformed.py').replace('signed:2', 'signed:x'))
  }
  if (wanted.includes('unsigned')) made.write('.ai/tools/unsigned.py', tool('unsigned'))
  return made
}

describe('the exit status', () => {
  it.each([
    [[], 0],
    [['tampered'], 1],
    [['malformed'], 1],
    [['tampered', 'malformed'], 1],
    [['untrusted'], 2],
    [['tampered', 'untrusted'], 3],
    [['unsigned'], 4],
    [['malformed', 'unsigned'], 5],
    [['untrusted', 'unsigned'], 6],
    [['tampered', 'untrusted', 'unsigned', 'malformed'], 7],
  ])('of %j is %i', async (wanted: string[], status) => {
    const made = await plant(wanted)
    const answer = await made.run('verify', { targets: [made.project] })
    expect(statuses(answer)).toEqual(
      Object.fromEntries(['verified', ...wanted].map(word => [`tool:${word}`, word])),
    )
    expect(answer.counts).toEqual({
      verified: 1,
      tampered: 0,
      untrusted: 0,
      unsigned: 0,
      malformed: 0,
      ...Object.fromEntries(wanted.map(word => [word, 1])),
    })
    expect(await exitStatus(answer)).toBe(status)
  })
})

describe('an answer of verify', () => {
  it('has every field of the contract', async () => {
    const made = await plant(['tampered'])
    const { items } = await made.run('verify', { targets: ['tool:verified', 'tool:tampered'] })
    expect(items[0]).toEqual({
      path: made.path('.ai/tools/verified.py'),
      item_type: 'tool',
      item_id: 'verified',
      status: 'verified',
      format: 'v2',
      coverage: 'full',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      signer: TEST_KEY.fingerprint,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    })
    expect(items[1]).toMatchObject({ status: 'tampered', reason: expect.any(String) })
  })

  it('speaks of everything that the project sees, settings included, keys and user settings not', async () => {
    const made = await scratch({
      '.ai/knowledge/a.md': knowledge('a'),
      '.ai/config/web.yaml': 'version: "1.0.0"\ncategory: ""\n',
      'user:.ai/tools/mine.py': tool('mine'),
      'user:.ai/config/rye.toml': 'legacy = "refuse"\n',
    })
    const all = statuses(await made.run('verify'))
    expect(all).toMatchObject({
      'knowledge:a': 'unsigned',
      'config:web': 'unsigned',
      'tool:mine': 'unsigned',
    })
    expect(all['tool:rye/core/primitives/mcp']).toBe('verified')
    expect(Object.keys(all).filter(ref => ref.startsWith('config:'))).toEqual(['config:web'])
    expect(Object.keys(statuses(await made.run('verify', { item_type: 'config' })))).toEqual(['config:web'])
  })

  it('trusts a key for one call', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    const other = generateKey()
    placeKey(made, other)
    await made.sign('a')
    await made.run('keys remove', { fingerprint: other.fingerprint })
    const key = made.write('other.toml', printIdentity(describeKey(other.publicPem, 'other')))
    expect(statuses(await made.run('verify', { targets: ['a'] }))).toEqual({ 'tool:a': 'untrusted' })
    expect(statuses(await made.run('verify', { targets: ['a'], trust: [key] }))).toEqual({
      'tool:a': 'verified',
    })
    expect(statuses(await made.run('verify', { targets: ['a'] }))).toEqual({ 'tool:a': 'untrusted' })
    expect(await made.run('verify', { targets: ['a'], trust: ['/no/such.toml'] })).toMatchObject({
      code: 'KEY_MISSING',
    })
  })
})

describe('what is verified', () => {
  it('a file, by its place', async () => {
    const made = await plant([])
    const path = made.path('.ai/tools/verified.py')
    expect(statuses(await made.run('verify', { targets: [path] }))).toEqual({ 'tool:verified': 'verified' })
    made.write('.ai/tools/other.py', made.read('.ai/tools/verified.py'))
    expect(statuses(await made.run('verify', { targets: [made.path('.ai/tools/other.py')] }))).toEqual({
      'tool:other': 'tampered',
    })
  })

  it('a file elsewhere, when its type is named', async () => {
    const made = await plant([])
    const path = made.write('loose/verified.py', made.read('.ai/tools/verified.py'))
    expect(await made.run('verify', { targets: [path] })).toMatchObject({
      code: 'INVALID_INPUT',
      hint: 'give it with --type T',
    })
    expect(statuses(await made.run('verify', { targets: [path], item_type: 'tool' }))).toEqual({
      'tool:verified': 'verified',
    })
  })

  it('a tree with several .ai folders, each project by itself', async () => {
    const made = await plant(['tampered'])
    cpSync(made.path('.ai'), join(made.root, 'trees/one/.ai'), { recursive: true })
    cpSync(made.path('.ai'), join(made.root, 'trees/deep/er/two/.ai'), { recursive: true })
    cpSync(made.path('.ai'), join(made.root, 'trees/node_modules/three/.ai'), { recursive: true })
    const answer = await made.run('verify', { targets: [join(made.root, 'trees')] })
    expect(answer.counts).toMatchObject({ verified: 2, tampered: 2 })
    const only = await made.run('verify', { targets: [join(made.root, 'trees')], item_type: 'skill' })
    expect(only.items).toEqual([])
  })

  it('a folder inside .ai, and nothing beside it', async () => {
    const made = await scratch({
      '.ai/tools/a.py': tool('a'),
      '.ai/tools/ops/b.py': tool('ops/b'),
      '.ai/knowledge/c.md': knowledge('c'),
    })
    const in_ = async (path: string) =>
      Object.keys(statuses(await made.run('verify', { targets: [made.path(path)] })))
    expect((await in_('.ai')).sort()).toEqual(['knowledge:c', 'tool:a', 'tool:ops/b'])
    expect((await in_('.ai/tools')).sort()).toEqual(['tool:a', 'tool:ops/b'])
    expect(await in_('.ai/tools/ops')).toEqual(['tool:ops/b'])
  })

  it('files beside a tool that it names, and no drafts', async () => {
    const made = await scratch({
      '.ai/tools/ops/a.py': `from _lib import help\n${tool('ops/a')}`,
      '.ai/tools/ops/_lib.py': 'from _deep import more\n',
      '.ai/tools/ops/_deep.py': 'more = 1\n',
      '.ai/tools/ops/_draft.py': 'draft = 1\n',
      '.ai/tools/ops/__pycache__/a.py': 'x = 1\n',
      '.ai/tools/pack/__init__.py': '',
      '.ai/tools/pack/_in/part.py': 'x = 1\n',
      '.ai/knowledge/_lib.md': 'a draft\n',
    })
    const helpers = { 'tool:ops/_lib': 'unsigned', 'tool:ops/_deep': 'unsigned' }
    const all = { 'tool:ops/a': 'unsigned', ...helpers }
    const pack = { 'tool:pack/__init__': 'unsigned', 'tool:pack/_in/part': 'unsigned' }
    const verified = async (...targets: string[]) => statuses(await made.run('verify', { targets }))
    expect(await verified(made.path('.ai'))).toEqual({ ...all, ...pack })
    expect(await verified('tool:ops/*')).toEqual(all)
    expect(statuses(await made.run('verify'))).toMatchObject({ ...all, ...pack })
    expect(await made.sign('*')).toMatchObject({ total: 5 })
    made.write('.ai/tools/ops/_lib.py', `${made.read('.ai/tools/ops/_lib.py')}# more\n`)
    expect(await verified(made.path('.ai/tools/ops'))).toEqual({
      'tool:ops/a': 'verified',
      'tool:ops/_lib': 'tampered',
      'tool:ops/_deep': 'verified',
    })
    const { checks } = await made.run('doctor')
    expect(checks).toContainEqual({
      name: 'tampered',
      status: 'problem',
      message: expect.stringContaining('read it with `rye show tool:ops/_lib@project --content`'),
      fix: 'rye sign tool:ops/_lib',
    })
  })

  it('what a pattern means, which says when it means nothing here and deeper folders were meant', async () => {
    const made = await scratch({ '.ai/tools/mcp/fs/read.py': tool('mcp/fs/read') })
    const hintOf = async (action: string, input: object) => (await made.run(action, input)).hint
    expect(await hintOf('verify', { targets: ['mcp/*'] })).toBe("'mcp/**' matches")
    expect(await hintOf('sign', { item_id: 'mcp/*' })).toBe("looked in the project space; 'mcp/**' matches")
    expect(await hintOf('sign', { item_id: 'mcp/rea?' })).toContain("'mcp/**/rea?' matches")
    expect(await hintOf('sign', { item_id: 'fs/*' })).toContain("'**/fs/*' matches")
    expect(await hintOf('sign', { item_id: 'ftp/*' })).toContain('rye list')
  })

  it('nothing by an empty text, and everything by none', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    expect(await made.run('verify', { targets: [''] })).toMatchObject({ code: 'INVALID_INPUT' })
    expect((await made.run('verify', { targets: [], item_type: 'tool' })).items).toContainEqual(
      expect.objectContaining({ item_id: 'a' }),
    )
  })

  it('a project that lies below another .ai folder', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    made.write('.ai/vendored/app/.ai/tools/b.py', tool('b'))
    const answer = await made.run('verify', { targets: [made.path('.ai/vendored/app')] })
    expect(statuses(answer)).toEqual({ 'tool:b': 'unsigned' })
  })

  it('skills, also of other clients', async () => {
    const made = await scratch({
      '.ai/skills/one/SKILL.md': skill('one'),
      '.claude/skills/two/SKILL.md': skill('two'),
      '.agents/skills/three/SKILL.md': skill('three'),
    })
    await made.sign('*', { reviewed: true })
    expect(statuses(await made.run('verify', { targets: [made.project] }))).toEqual({
      'skill:one': 'verified',
      'skill:two': 'verified',
      'skill:three': 'verified',
    })
    made.write('.claude/skills/two/extra.txt', 'x')
    expect(statuses(await made.run('verify', { targets: [made.path('.claude/skills/two')] }))).toEqual({
      'skill:two': 'tampered',
    })
    for (const [path, id] of [
      ['.ai/skills/one/SKILL.md', 'skill:one'],
      ['.agents/skills/three/SKILL.md', 'skill:three'],
    ] as const)
      expect(statuses(await made.run('verify', { targets: [made.path(path)] }))).toEqual({ [id]: 'verified' })
  })

  it('a file of a skill that is not its item is no item', async () => {
    const made = await scratch({
      '.ai/skills/one/SKILL.md': skill('one'),
      '.ai/skills/one/references/x.md': '# x\n',
    })
    expect(
      await made.run('verify', { targets: [made.path('.ai/skills/one/references/x.md')] }),
    ).toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  it('a link is not followed', async () => {
    const made = await plant([])
    symlinkSync(made.path('.ai/tools/verified.py'), made.path('.ai/tools/link.py'))
    const answer = await made.run('verify', { targets: [made.path('.ai/tools/link.py')] })
    expect(answer.items[0]).toMatchObject({
      status: 'malformed',
      reason: expect.stringContaining('symbolic link'),
    })
  })

  it.each([
    ['/no/such/place', 'FILE_UNREADABLE'],
    ['nothing/here', 'ITEM_NOT_FOUND'],
    ['bad id', 'FILE_UNREADABLE'],
    ['tool:../x', 'FILE_UNREADABLE'],
  ])('%s is %s', async (target, code) => {
    const made = await scratch()
    expect(await made.run('verify', { targets: [target] })).toMatchObject({ status: 'error', code })
  })
})

it('a pattern names items by their ids', async () => {
  const made = await scratch({
    '.ai/tools/a/one.py': tool('a/one'),
    '.ai/tools/a/two.py': tool('a/two'),
    '.ai/knowledge/a/one.md': knowledge('a/one'),
    '.ai/tools/b/one.py': tool('b/one'),
  })
  const ids = async (target: string) => Object.keys(statuses(await made.run('verify', { targets: [target] })))
  expect((await ids('a/*')).sort()).toEqual(['knowledge:a/one', 'tool:a/one', 'tool:a/two'])
  expect(await ids('tool:a/t*')).toEqual(['tool:a/two'])
  expect(await made.run('verify', { targets: ['nothing/*'] })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
})
