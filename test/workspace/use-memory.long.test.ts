// An item that has gone back is reported wherever it is used, and refused where the user's settings say so.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Answer, directive, knowledge, type Scratch, scratch, skill, tool } from './scratch.ts'

const FIRST = '2026-01-01T00:00:00Z'
const SECOND = '2026-01-02T00:00:00Z'

/** A scratch project whose clock is set by hand. */
async function atTime(
  files: Readonly<Record<string, string>>,
): Promise<Scratch & { at(time: string): void }> {
  let now = FIRST
  const made = await scratch(files, { now: () => new Date(now) })
  return {
    ...made,
    at: time => {
      now = time
    },
  }
}

/** Signed, used, edited, signed a day later, used, and put back as it was first. */
async function rolledBack([path, before, after]: readonly [string, string, string], item: string) {
  const made = await atTime({ [path]: before })
  const source = path.startsWith('user:') ? { source: 'user' } : {}
  await made.sign(item, source)
  const old = made.read(path)
  made.at(SECOND)
  made.write(path, after)
  await made.sign(item, source)
  const use = (input: object = {}) => made.run('load', { item_id: item, ...source, ...input })
  expect(await use()).toMatchObject({ status: 'success', trust: { timestamp: SECOND } })
  made.write(path, old)
  return { made, old, use }
}

const refuse = (made: Scratch) => made.write('user:.ai/config/rye.toml', 'rollback = "refuse"\n')
const FROM = { version: '2.0.0', timestamp: SECOND }
const TOOL = ['.ai/tools/a.py', tool('a'), tool('a', { version: '2.0.0' })] as const

describe('an older tool', () => {
  it('is shown by every answer that shows its verdict', async () => {
    const { made, use } = await rolledBack(TOOL, 'tool:a')
    const warning = expect.stringMatching(/`tool:a` is older .*version 2\.0\.0, signed 2026-01-02/)
    const trust = { status: 'verified', timestamp: FIRST, rolled_back_from: FROM }
    expect(await use()).toMatchObject({ trust, warning })
    expect(await use({ view: 'summary' })).toMatchObject({ view: 'summary', warning })
    expect(await made.run('show', { item_id: 'tool:a' })).toMatchObject({ trust })
    const { items } = await made.run('verify', { targets: ['tool:a'] })
    expect(items).toMatchObject([trust])
    for (const detail of ['brief', 'full']) {
      const { results } = await made.run('search', { query: 'What a does', detail })
      expect(results.find((result: Answer) => result.id === 'a')).toMatchObject({
        trust: { status: 'verified', rolled_back_from: FROM },
        preview: expect.any(String),
      })
    }
    const { checks } = await made.run('doctor')
    expect(checks).toContainEqual({
      name: 'older',
      status: 'note',
      message: expect.stringContaining('tool:a@project: it is older than what was used before'),
      fix: 'rye sign tool:a',
    })
    const dry = await made.run('execute', { item_id: 'tool:a', dry_run: true, trace: true })
    expect(dry).toMatchObject({ status: 'validation_passed', warning })
    expect(dry.trace.elements[0]).toMatchObject({ rolled_back_from: FROM })
  })

  it('is refused under that policy, and what takes its place is not', async () => {
    const { made, use } = await rolledBack(TOOL, 'tool:a')
    refuse(made)
    const refused = {
      status: 'error',
      code: 'ITEM_ROLLED_BACK',
      error: expect.stringContaining('version 2.0.0'),
      trust: { status: 'verified', rolled_back_from: FROM },
    }
    expect(await use()).toMatchObject(refused)
    expect(await made.run('execute', { item_id: 'tool:a' })).toMatchObject(refused)
    const { results } = await made.run('search', { query: 'What a does' })
    expect(results.find((result: Answer) => result.id === 'a')).toMatchObject({ preview: '' })
    const { checks } = await made.run('doctor')
    expect(checks).toContainEqual(expect.objectContaining({ name: 'older', status: 'problem' }))
    made.write('.ai/tools/a.py', tool('a', { version: '2.0.0' }))
    await made.sign('tool:a')
    expect(await use()).not.toHaveProperty('warning')
  })

  it('is accepted by a person who signs it by its id, and by nothing else', async () => {
    const { made, old, use } = await rolledBack(TOOL, 'tool:a')
    refuse(made)
    const denied = { code: 'ITEM_ROLLED_BACK', hint: expect.stringContaining('rye sign tool:a') }
    expect(await made.run('sign', { item_id: 'tool:a' }, 'agent')).toMatchObject(denied)
    for (const caller of ['agent', 'person'] as const) {
      const batch = await made.run('sign', { item_id: '*' }, caller)
      expect(batch).toMatchObject({
        signed: [],
        failed: [{ item: 'a', error: expect.stringContaining('older') }],
      })
    }
    expect(made.read('.ai/tools/a.py')).toBe(old)
    expect(await made.run('sign', { item_id: 'tool:a' })).toMatchObject({
      status: 'signed',
      warnings: [expect.stringContaining('it is older than what was used before: version 2.0.0')],
    })
    expect(await use()).not.toHaveProperty('warning')
    // The version that was given up is a newer one again.
    made.write('.ai/tools/a.py', old)
    expect(await use()).toMatchObject({ code: 'ITEM_ROLLED_BACK' })
  })

  it('that an agent signs anew under a lower version stays older', async () => {
    const { made, use } = await rolledBack(TOOL, 'tool:a')
    made.at('2026-01-03T00:00:00Z')
    const signed = await made.run('sign', { item_id: 'tool:a' }, 'agent')
    expect(signed).toMatchObject({ status: 'signed', warnings: [expect.stringContaining('older')] })
    expect(await use()).toMatchObject({ trust: { rolled_back_from: { version: '2.0.0' } } })
  })

  it('is one only if the newer was used', async () => {
    const made = await atTime({ [TOOL[0]]: TOOL[1] })
    await made.sign('tool:a')
    const old = made.read(TOOL[0])
    made.at(SECOND)
    made.write(TOOL[0], TOOL[2])
    await made.sign('tool:a')
    made.write(TOOL[0], old)
    expect(await made.run('load', { item_id: 'tool:a' })).not.toHaveProperty('warning')
  })
})

describe('so is', () => {
  it.each([
    ['knowledge', '.ai/knowledge/k.md', knowledge('k'), `${knowledge('k')}More.\n`],
    ['directive', '.ai/directives/d.md', directive('d'), `${directive('d')}\nMore.\n`],
    ['tool', 'user:.ai/tools/u.py', tool('u'), tool('u', { description: 'More' })],
  ])('an older %s at %s, by its time alone', async (type, path, before, after) => {
    const id = /([a-z])\.\w+$/.exec(path)![1]!
    const { made } = await rolledBack([path, before, after], `${type}:${id}`)
    const use = () => made.run('execute', { item_id: `${type}:${id}`, dry_run: type === 'tool' })
    expect(await use()).toMatchObject({ warning: expect.stringContaining(SECOND) })
    refuse(made)
    expect(await use()).toMatchObject({ code: 'ITEM_ROLLED_BACK' })
  })

  it('an older skill, as a whole', async () => {
    const made = await atTime({ '.ai/skills/s/SKILL.md': skill('s'), '.ai/skills/s/a.txt': 'one\n' })
    await made.sign('skill:s')
    const old = made.read('.ai/skills/s/SKILL.sig')
    made.at(SECOND)
    made.write('.ai/skills/s/a.txt', 'two\n')
    await made.sign('skill:s')
    await made.run('execute', { item_id: 'skill:s' })
    made.write('.ai/skills/s/a.txt', 'one\n')
    made.write('.ai/skills/s/SKILL.sig', old)
    const answer = await made.run('execute', { item_id: 'skill:s' })
    expect(answer).toMatchObject({ status: 'success', warning: expect.stringContaining(SECOND) })
    refuse(made)
    const to = { item_id: 's', to: 'claude' }
    expect(await made.run('skills install', to)).toMatchObject({ code: 'ITEM_ROLLED_BACK' })
  })

  it('an older item of the user space, from whichever project it is used', async () => {
    const { made } = await rolledBack(
      ['user:.ai/tools/u.py', tool('u'), tool('u', { version: '3.0.0' })],
      'tool:u',
    )
    made.write('../other/README', '')
    const project_path = join(made.root, 'other')
    expect(await made.run('load', { item_id: 'tool:u', project_path })).toMatchObject({
      trust: { rolled_back_from: { version: '3.0.0' } },
    })
  })

  it('an older file beside a tool that imports it', async () => {
    const helper = '.ai/tools/helper.py'
    const body = 'import helper\nreturn {"value": helper.VALUE}'
    const made = await atTime({ '.ai/tools/a.py': tool('a', { body }), [helper]: 'VALUE = 1\n' })
    await made.sign('*')
    const old = made.read(helper)
    made.at(SECOND)
    made.write(helper, 'VALUE = 2\n')
    await made.sign('tool:helper')
    const plan = () => made.run('execute', { item_id: 'tool:a', dry_run: true })
    expect(await plan()).not.toHaveProperty('warning')
    made.write(helper, old)
    expect(await plan()).toMatchObject({
      status: 'validation_passed',
      warning: expect.stringContaining('`file:helper.py` is older'),
    })
    refuse(made)
    expect(await plan()).toMatchObject({ code: 'ITEM_ROLLED_BACK' })
  })

  it('an older override of an extractor, which is then ignored', async () => {
    const id = 'rye/core/extractors/knowledge/knowledge_extractor'
    const path = `.ai/tools/${id}.yaml`
    const made = await atTime({ '.ai/knowledge/k.md': knowledge('k') })
    const { content } = await made.run('load', { item_id: `tool:${id}@system` })
    made.write(path, content)
    await made.sign(`tool:${id}`)
    const old = made.read(path)
    made.at(SECOND)
    made.write(path, `${content}# more\n`)
    await made.sign(`tool:${id}`)
    await made.sign('knowledge:k')
    await made.run('load', { item_id: 'knowledge:k' })
    made.write(path, old)
    expect(await made.run('load', { item_id: 'knowledge:k' })).toMatchObject({
      warning: expect.stringContaining(`\`tool:${id}\` is older`),
    })
    refuse(made)
    const { diagnostics } = await made.run('list')
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: 'extractor-ignored', message: expect.stringContaining('is older') }),
    )
  })
})

describe('a memory that cannot be read', () => {
  it('is said with each use, and nothing is used under the strict policy', async () => {
    const { made, use } = await rolledBack(TOOL, 'tool:a')
    const path = join(made.library.states.find(made.project)!.path, 'used-items.json')
    writeFileSync(path, 'x')
    const warning = expect.stringContaining('cannot tell what was used before')
    expect(await use()).toMatchObject({ status: 'success', warning })
    const found = await made.run('search', { query: 'What a does' })
    expect(found).toMatchObject({ warning })
    const { checks } = await made.run('doctor')
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'used items', status: 'problem', fix: `mv ${path} ${path}.broken` }),
    )
    refuse(made)
    expect(await use()).toMatchObject({
      code: 'FILE_UNREADABLE',
      hint: expect.stringContaining('rye doctor'),
    })
    expect(await made.run('load', { item_id: 'rye/bash' })).toMatchObject({ status: 'success' })
    expect(await made.run('search', { query: 'What a does' })).toMatchObject({ warning })
  })
})

describe('a memory that is full', () => {
  it('forgets what was not used for longest, and nothing under the strict policy', async () => {
    const { made, use } = await rolledBack(TOOL, 'tool:a')
    const path = join(made.library.states.find(made.project)!.path, 'used-items.json')
    const [a] = JSON.parse(readFileSync(path, 'utf8')).items
    const others = Array.from({ length: 9_999 }, (_, at) => ({ ...a, item: `tool:other/${at}` }))
    writeFileSync(path, JSON.stringify({ version: 1, items: [a, ...others] }))
    made.write('.ai/knowledge/new.md', knowledge('new'))
    await made.sign('knowledge:new')
    const another = () => made.run('load', { item_id: 'knowledge:new' })
    refuse(made)
    expect(await another()).toMatchObject({
      code: 'POLICY_DENIED',
      error: expect.stringContaining('`knowledge:new` cannot be remembered as used'),
    })
    expect(await use()).toMatchObject({ code: 'ITEM_ROLLED_BACK' })
    made.write('user:.ai/config/rye.toml', '')
    expect(await another()).toMatchObject({
      status: 'success',
      warning: expect.stringMatching(/^no longer remembered as used in .*: 1 item$/),
    })
    expect((await use()).warning).not.toContain('is older')
  })
})
