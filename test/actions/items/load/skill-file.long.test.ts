// One file of a skill: only bytes on the signed list are returned, and nothing else can be named.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scratch, skill } from '../../../workspace/scratch.ts'
import { signed } from './signed-scratch.ts'

const ROOT = '.ai/skills/notes'
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0x00])

async function notes(more: Readonly<Record<string, string | Uint8Array>> = {}) {
  const made = await scratch({
    [`${ROOT}/SKILL.md`]: skill('notes'),
    [`${ROOT}/references/tone.md`]: '# Tone\n\nKind, ä.\n',
  })
  for (const [path, content] of Object.entries(more)) made.write(`${ROOT}/${path}`, content)
  await made.sign('skill:notes')
  return made
}

describe('a file of a skill', () => {
  it('is answered as it was signed, with the verdict on the skill', async () => {
    const made = await notes()
    const path = made.path(`${ROOT}/references/tone.md`)
    expect(await made.run('load', { item_id: 'skill:notes/references/tone.md' })).toEqual({
      status: 'success',
      item_type: 'skill',
      item_id: 'notes/references/tone.md',
      content: '# Tone\n\nKind, ä.\n',
      encoding: 'utf-8',
      metadata: { name: 'tone.md', path, extension: '.md' },
      path,
      source: 'project',
      mode: 'id',
      trust: expect.objectContaining({ status: 'verified', coverage: 'full' }),
      shadows: [],
    })
  })

  it.each([
    { item_id: 'notes/references/tone.md', item_type: 'skill' },
    { item_id: 'skill:notes/references/tone.md', item_type: 'skill' },
    { item_id: 'skill:notes/references/tone.md@project' },
    { item_id: 'skill:notes/references/tone.md', source: 'project' },
  ])('is named by %j as well', async request => {
    const made = await notes()
    expect(await made.run('load', request)).toMatchObject({ content: expect.stringContaining('Kind') })
    const { source, ...fetched } = request
    if (source === undefined)
      expect(await made.run('fetch', fetched)).toMatchObject({ content: expect.stringContaining('Kind') })
  })

  it('is suggested where its type was left out, and where its own name ends like a space', async () => {
    const made = await notes({ 'assets/x@project': 'content' })
    for (const action of ['load', 'execute'])
      expect(await made.run(action, { item_id: 'notes/references/tone.md' })).toMatchObject({
        code: 'ITEM_NOT_FOUND',
        hint: 'did you mean `skill:notes/references/tone.md`?',
      })
    expect(await made.run('load', { item_id: 'skill:notes/assets/x@project' })).toMatchObject({
      hint: 'did you mean `skill:notes/assets/x@project@project`?',
    })
    expect(await made.run('load', { item_id: 'skill:notes/assets/x@project@project' })).toMatchObject({
      content: 'content',
    })
  })

  it.each(['a name.md', 'übersicht.md', 'logo@2x.md', 'a:b.md', '-x.md', '.hidden', 'no-extension', '#1.md'])(
    'may be called %j, which no id may',
    async name => {
      const made = await notes({ [`assets/${name}`]: 'content' })
      expect(await made.run('load', { item_id: `skill:notes/assets/${name}` })).toMatchObject({
        content: 'content',
      })
    },
  )

  it.each(
    ['project', 'user'].flatMap(source =>
      ['.ai', '.claude', '.agents'].map(folder => [source, folder] as const),
    ),
  )('of the %s below %s/skills is read in the same way', async (source, folder) => {
    const base = `${source === 'user' ? 'user:' : ''}${folder}/skills/deep/er`
    const made = await signed({ [`${base}/SKILL.md`]: skill('er'), [`${base}/a/b.txt`]: 'found' })
    expect(await made.run('load', { item_id: 'skill:deep/er/a/b.txt' })).toMatchObject({
      content: 'found',
      source,
    })
  })

  it('that is not text comes as base64, page by page', async () => {
    const made = await notes({ 'assets/logo.png': PNG })
    const item_id = 'skill:notes/assets/logo.png'
    const whole = await made.run('load', { item_id })
    expect(whole).toMatchObject({ encoding: 'base64', content: Buffer.from(PNG).toString('base64') })
    expect(whole).not.toHaveProperty('next_offset')
    const page = await made.run('load', { item_id, offset: 1, limit: 3 })
    expect(page).toMatchObject({ encoding: 'base64', size: PNG.length, next_offset: 4 })
    expect(Buffer.from(page.content, 'base64').toString('latin1')).toBe('PNG')
    expect(await made.run('load', { item_id, offset: 99 })).toMatchObject({ content: '', size: PNG.length })
  })

  it('is never more than a page at once', async () => {
    const made = await notes({ 'assets/long.txt': 'x'.repeat(1_000_001) })
    const item_id = 'skill:notes/assets/long.txt'
    const first = await made.run('load', { item_id })
    expect(first).toMatchObject({ size: 1_000_001, next_offset: 1_000_000 })
    expect(await made.run('load', { item_id, offset: 1_000_000 })).toMatchObject({ content: 'x' })
  })

  it('is a page of 64 KB for an agent that does not say how much it wants', async () => {
    const [text, data] = ['x'.repeat(65_537), 'y'.repeat(70_000)]
    const made = await notes({ 'assets/long.txt': text, 'assets/data.bin': `\0${data}`, 'SKILL.md': data })
    const load = (item_id: string, more: object = {}) => made.run('load', { item_id, ...more }, 'agent')
    const item_id = 'skill:notes/assets/long.txt'
    expect(await load(item_id)).toMatchObject({ size: 65_537, next_offset: 65_536, content: text.slice(1) })
    expect(await load(item_id, { offset: 65_536 })).toMatchObject({ content: 'x' })
    expect((await load(item_id, { limit: 1_000_000 })).content).toBe(text)
    expect(await load('skill:notes/assets/data.bin')).toMatchObject({ size: 70_001, next_offset: 65_536 })
    expect(await load('skill:notes')).toMatchObject({ size: 70_000, next_offset: 65_536 })
    expect(await load('skill:notes/references/tone.md')).not.toHaveProperty('size')
    expect((await made.run('load', { item_id })).content).toBe(text)
  })

  it.each([{ view: 'summary' }, { destination: 'user' }])(
    'refuses %j, which is about a skill',
    async more => {
      const made = await notes()
      const answer = await made.run('load', { item_id: 'skill:notes/references/tone.md', ...more })
      expect(answer).toMatchObject({ code: 'INVALID_INPUT', error: expect.stringContaining('`skill:notes`') })
    },
  )

  it('answers for one that is not there with the nearest, or with those that are', async () => {
    const made = await notes()
    const hintFor = async (path: string) => (await made.run('load', { item_id: `skill:notes/${path}` })).hint
    expect(await hintFor('references/tones.md')).toBe('did you mean `skill:notes/references/tone.md`?')
    expect(await hintFor('tone.md')).toBe('did you mean `skill:notes/references/tone.md`?')
    expect(await hintFor('nothing/like/that')).toBe('its files: SKILL.md, references/tone.md')
  })
})

describe('what names no file of a skill', () => {
  it.each([
    ['references', 'the folder `references/`', 'files in it: `skill:notes/references/tone.md`'],
    ['references/', 'the folder `references/`', 'files in it: `skill:notes/references/tone.md`'],
    [
      '',
      'its folder',
      'name the skill itself, `skill:notes`, or one of its files: `skill:notes/SKILL.md`, `skill:notes/references/tone.md`',
    ],
  ])('a folder, %j: its files are named', async (path, got, hint) => {
    const made = await notes()
    for (const action of ['load', 'execute'])
      expect(await made.run(action, { item_id: `skill:notes/${path}` })).toMatchObject({
        code: 'ITEM_NOT_FOUND',
        error: `expected a file of the skill \`notes\`, got ${got}`,
        hint,
      })
  })

  it.each([
    ['skill:nots/', 'not found: nots', 'did you mean `notes`?'],
    ['skill:nots/@project', 'not found: nots', 'did you mean `skill:notes@project`?'],
    ['skill:notes@user/', 'no skill `notes` in the user space', '`skill:notes@project`'],
    ['skill:notes@project/', 'expected a file of the skill `notes`, got its folder', '`skill:notes@project`'],
  ])('the folder %s: it is not found, with what is meant', async (item_id, error, hint) => {
    const made = await notes()
    for (const action of ['load', 'execute'])
      expect(await made.run(action, { item_id })).toMatchObject({
        code: 'ITEM_NOT_FOUND',
        error: expect.stringContaining(error),
        hint: expect.stringContaining(hint),
      })
  })

  it('a skill without its folders: the whole id is named, with the file', async () => {
    const made = await notes()
    const folder = '.ai/skills/team/docs/forms'
    made.write(`${folder}/SKILL.md`, skill('forms'))
    made.write(`${folder}/references/tax.md`, '# Tax\n')
    await made.sign('skill:team/docs/forms')
    for (const item_id of ['skill:forms/references/tax.md', 'forms/references/tax.md'])
      for (const action of ['load', 'execute'])
        expect((await made.run(action, { item_id })).hint, item_id).toBe(
          'did you mean `skill:team/docs/forms/references/tax.md`?',
        )
    expect(await made.run('load', { item_id: 'skill:team/docs/forms/references/tax.md' })).toMatchObject({
      content: '# Tax\n',
    })
  })

  it('a heading in a file is read as the file, and not run', async () => {
    const made = await notes({ 'scripts/a.sh': 'echo ran\n', 'assets/a#b.md': 'own' })
    expect(await made.run('load', { item_id: 'skill:notes/references/tone.md#kind' })).toMatchObject({
      item_id: 'notes/references/tone.md',
      content: expect.stringContaining('Kind'),
    })
    expect(await made.run('load', { item_id: 'skill:notes/assets/a#b.md' })).toMatchObject({ content: 'own' })
    expect(await made.run('execute', { item_id: 'skill:notes/scripts/a.sh#x' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      hint: 'did you mean `skill:notes/scripts/a.sh`?',
    })
  })

  it('a space without the skill: the one that has it is named, with the file', async () => {
    const made = await notes()
    expect(await made.run('load', { item_id: 'skill:notes@user/references/tone.md' })).toMatchObject({
      error: 'no skill `notes` in the user space',
      hint: 'there is one in the project space: `skill:notes@project/references/tone.md`',
    })
    for (const named of [
      { item_id: 'skill:notes/references/tone.md@user' },
      { item_id: 'skill:notes/references/tone.md', source: 'user' },
    ])
      expect((await made.run('load', named)).hint).toBe(
        'there is one in the project space: `skill:notes@project/references/tone.md`',
      )
    const none = await made.run('load', { item_id: 'skill:nothing@user/a.md' })
    expect(none.hint).toBe('find skills with `rye search`, list them with `rye list`')
    const near = await made.run('load', { item_id: 'skill:notes@project/references/tones.md' })
    expect(near.hint).toBe('did you mean `skill:notes@project/references/tone.md`?')
  })
})

describe('what is not in the signed list', () => {
  it.each([
    '../../tools/secret.py',
    'references/../SKILL.md',
    'references/./tone.md',
    'references//tone.md',
    '/etc/passwd',
  ])('%j is no reference at all', async path => {
    const made = await notes()
    expect(await made.run('load', { item_id: `skill:notes/${path}` })).toMatchObject({ code: 'INVALID_ID' })
  })

  it.each([
    '%2e%2e/%2e%2e/secret',
    '..%2f..%2fsecret',
    'references%2ftone.md',
    'references\\tone.md',
    'References/Tone.md',
    'references/tone.md\0',
    'references/tone.md ',
    'references/to\u0000ne.md',
    'references/töne.md',
    'SKILL.sig',
    '__proto__',
    'references',
    'references/',
    'SKILL.md/',
    'references/tone.md/#x',
    '#SKILL.md',
  ])('%j is not found', async path => {
    const made = await notes()
    expect(await made.run('load', { item_id: `skill:notes/${path}` })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
    })
  })

  it.each(['load', 'execute'])('a file that was planted or changed stops %s', async action => {
    const made = await notes({ 'scripts/a.sh': 'echo signed\n' })
    const item_id = 'skill:notes/scripts/a.sh'
    made.write(`${ROOT}/scripts/b.sh`, 'echo planted\n')
    expect(await made.run(action, { item_id })).toMatchObject({ code: 'ITEM_TAMPERED' })
    expect(await made.run(action, { item_id: 'skill:notes/scripts/b.sh' })).toMatchObject({
      code: 'ITEM_TAMPERED',
    })
  })

  it('a link is no part of a skill, a file that became one is missing, and a linked skill is none', async () => {
    const made = await notes()
    made.write('secret.txt', 'secret')
    symlinkSync(made.path('secret.txt'), made.path(`${ROOT}/references/link.md`))
    expect(await made.run('load', { item_id: 'skill:notes/references/link.md' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
    })
    expect(await made.run('load', { item_id: 'skill:notes/references/tone.md' })).toMatchObject({
      status: 'success',
    })
    expect(await made.sign('notes', { item_type: 'skill' })).toMatchObject({
      warnings: [
        expect.stringContaining('references/link.md: symbolic links are not followed: it is no part'),
      ],
    })
    rmSync(made.path(`${ROOT}/references/tone.md`))
    symlinkSync(made.path('secret.txt'), made.path(`${ROOT}/references/tone.md`))
    expect(await made.run('load', { item_id: 'skill:notes/SKILL.md' })).toMatchObject({
      code: 'ITEM_TAMPERED',
    })
    mkdirSync(made.path('elsewhere'))
    made.write('elsewhere/SKILL.md', skill('linked'))
    symlinkSync(made.path('elsewhere'), made.path('.ai/skills/linked'))
    expect(await made.run('load', { item_id: 'skill:linked/SKILL.md' })).toMatchObject({ status: 'error' })
  })

  it('of an unsigned skill nothing is read', async () => {
    const made = await scratch({ [`${ROOT}/SKILL.md`]: skill('notes') })
    expect(await made.run('load', { item_id: 'skill:notes/SKILL.md' })).toMatchObject({
      code: 'ITEM_UNSIGNED',
    })
  })

  it('whatever the path says, a file of the list comes back or an error', async () => {
    const made = await notes()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async path => {
        const answer = await made.run('load', { item_id: `skill:notes/${path}` })
        if (answer.status === 'error') expect(['ITEM_NOT_FOUND', 'INVALID_ID']).toContain(answer.code)
        else expect(['notes/SKILL.md', 'notes/references/tone.md']).toContain(answer.item_id)
      }),
    )
  })
})
