// Reading one file of a skill verified earlier: which checks may be skipped, and what makes the whole skill
// be verified again.
import { renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { KnownSkills } from '../../../src/surfaces/mcp/known-skills.ts'
import { listSkills, readSkillFile } from '../../../src/surfaces/mcp/skill-catalogue.ts'
import type { SharedView } from '../../../src/workspace/types.ts'
import { rewriteInPlace } from '../../files/rewrite-in-place.ts'
import { type Scratch, scratch, skill, TEST_KEY } from '../../workspace/scratch.ts'

const URI = 'skill://team/pdf/scripts/read.py'
const SCRIPT = '.ai/skills/team/pdf/scripts/read.py'
const OTHER = '.ai/skills/team/pdf/references/a.md'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Times of files cannot be set back, but a while can pass. */
function later(): void {
  vi.setSystemTime(Date.now() + 60_000)
}

async function served(maxFiles?: number) {
  const made = await scratch({
    '.ai/skills/team/pdf/SKILL.md': skill('pdf'),
    [SCRIPT]: 'print(1)\n',
    [OTHER]: '# A\n',
  })
  await made.sign('team/pdf', { item_type: 'skill' })
  for (const path of [SCRIPT, OTHER]) utimesSync(made.path(path), 1e9, 1e9)
  later()
  const known = new KnownSkills(maxFiles)
  let wholes = 0
  const read = async (uri = URI) => {
    const workspace = await made.library.open(made.project)
    const view: SharedView = {
      ...workspace,
      read(found) {
        wholes++
        return workspace.read(found)
      },
    }
    return Buffer.from((await readSkillFile(view, uri, known)).bytes).toString('utf8')
  }
  return { made, read, known, wholes: () => wholes }
}

describe('a file of a skill that was verified', () => {
  it('is read alone the next time, with the same bytes and the same verdict', async () => {
    const { made, known, read, wholes } = await served()
    expect(await read()).toBe('print(1)\n')
    expect(wholes()).toBe(1)
    expect(await read()).toBe('print(1)\n')
    expect(await read('skill://team/pdf/references/a.md')).toBe('# A\n')
    expect(await read('skill://team/pdf/SKILL.sig')).toBe(made.read('.ai/skills/team/pdf/SKILL.sig'))
    expect(wholes()).toBe(1)
    const view = await made.library.open(made.project)
    const { meta } = await readSkillFile(view, URI, known)
    expect(meta).toEqual((await readSkillFile(view, URI, new KnownSkills())).meta)
  })

  it('is not left behind by a call that began before a key was removed', async () => {
    const { made, known } = await served()
    const early = await made.library.open(made.project)
    await made.run('keys remove', { fingerprint: TEST_KEY.fingerprint })
    later()
    const late = await made.library.open(made.project)
    const slow: SharedView = {
      ...early,
      read(found) {
        const item = early.read(found)
        // Another client asks for a file of the same skill while this one is still being admitted.
        known.read(late, found, 'scripts/read.py', undefined)
        return item
      },
    }
    expect(Buffer.from((await readSkillFile(slow, URI, known)).bytes).toString()).toBe('print(1)\n')
    await expect(readSkillFile(late, URI, known)).rejects.toMatchObject({ code: 'ITEM_UNTRUSTED' })
  })

  it('is verified whole every time while a file is too young for its times to prove anything', async () => {
    const { made, read, wholes } = await served()
    vi.setSystemTime(statSync(made.path(SCRIPT)).ctimeMs + 100)
    await read()
    await read()
    expect(wholes()).toBe(2)
  })

  it.each<[string, (made: Scratch) => void]>([
    ['the file has other bytes of the same length and time', made => rewrite(made, SCRIPT, 'print(2)\n')],
    ['another file has other bytes of the same length and time', made => rewrite(made, OTHER, '# B\n')],
    ['a file was added', made => made.write('.ai/skills/team/pdf/extra.md', 'x')],
    ['a file is gone', made => rmSync(made.path(OTHER))],
    ['a file is a link now', made => replaceByLink(made)],
    ['two files have changed places', made => swap(made)],
    ['the signature is gone', made => rmSync(made.path('.ai/skills/team/pdf/SKILL.sig'))],
  ])('is refused when %s', async (_what, change) => {
    const { made, read } = await served()
    await read()
    change(made)
    later()
    await expect(read()).rejects.toMatchObject({ code: expect.stringMatching(/^ITEM_/) })
    await expect(read()).rejects.toMatchObject({ code: expect.stringMatching(/^ITEM_/) })
  })

  it('is refused when its signer is trusted no longer', async () => {
    const { made, read } = await served()
    await read()
    rmSync(made.path('user:.ai/config/keys/trusted'), { recursive: true })
    await expect(read()).rejects.toMatchObject({ code: 'ITEM_UNTRUSTED' })
  })

  it('is verified whole when it changed after its folder was looked at', async () => {
    const { made, known } = await served()
    const view = await made.library.open(made.project)
    const found = view.find({ type: 'skill', id: 'team/pdf' })
    const stamp = known.stamp(found)
    await readSkillFile(view, URI, known)
    expect(known.read(view, found, 'scripts/read.py', stamp)).toBeDefined()
    rewrite(made, SCRIPT, 'print(2)\n')
    expect(known.read(view, found, 'scripts/read.py', stamp)).toBeUndefined()
  })

  it('is read from the skill that wins, not from the one that won before', async () => {
    const { made, read, wholes } = await served()
    made.write('user:.ai/skills/team/pdf/SKILL.md', skill('pdf'))
    made.write('user:.ai/skills/team/pdf/scripts/read.py', 'print("user")\n')
    await made.sign('team/pdf', { item_type: 'skill', source: 'user' })
    later()
    await read()
    rmSync(made.path('.ai/skills/team/pdf'), { recursive: true })
    expect(await read()).toBe('print("user")\n')
    expect(wholes()).toBe(2)
  })

  it('is forgotten when others take its place, and read all the same', async () => {
    const { made, read, wholes } = await served(10)
    const names = Array.from({ length: 6 }, (_, index) => `s${index}`)
    for (const name of names) made.write(`.ai/skills/${name}/SKILL.md`, skill(name))
    await made.sign('*', { item_type: 'skill' })
    later()
    await read()
    for (const name of names) await read(`skill://${name}/SKILL.md`)
    const before = wholes()
    expect(await read()).toBe('print(1)\n')
    expect(wholes()).toBe(before + 1)
  })
})

function rewrite(made: Scratch, path: string, text: string): void {
  rewriteInPlace(made.path(path), text)
}

function replaceByLink(made: Scratch): void {
  const elsewhere = made.write('elsewhere.py', 'print(1)\n')
  rmSync(made.path(SCRIPT))
  symlinkSync(elsewhere, made.path(SCRIPT))
}

function swap(made: Scratch): void {
  renameSync(made.path(SCRIPT), made.path('keep'))
  renameSync(made.path(OTHER), made.path(SCRIPT))
  renameSync(made.path('keep'), made.path(OTHER))
}

/** What is served and what not, and how many skills were read for it. */
async function listCounting(made: Scratch, known: KnownSkills) {
  const workspace = await made.library.open(made.project)
  let read = 0
  const view: SharedView = {
    ...workspace,
    read(found) {
      read++
      return workspace.read(found)
    },
  }
  const { skills, omitted } = await listSkills(view, undefined, new AbortController().signal, { known })
  return { skills, read, omitted: omitted.map(({ code }) => code) }
}

describe('a listing', () => {
  it('reads one that it refuses once, too, until it is written, signed or trusted', async () => {
    const { made, known } = await served()
    const list = () => listCounting(made, known)
    made.write('.ai/skills/open/SKILL.md', skill('open'))
    made.write('.ai/skills/wrong_name/SKILL.md', '# A name that clients refuse\n')
    await made.sign('wrong_name', { item_type: 'skill' })
    later()
    const first = await list()
    expect(first).toMatchObject({
      skills: { length: 1 },
      read: 3,
      omitted: ['ITEM_UNSIGNED', 'VALIDATION_FAILED'],
    })
    expect(await list()).toEqual({ ...first, read: 0 })
    made.write('.ai/skills/wrong_name/SKILL.md', '# It still is one\n')
    later()
    expect(await list()).toMatchObject({ read: 1, omitted: ['ITEM_UNSIGNED', 'ITEM_TAMPERED'] })
    await made.sign('open', { item_type: 'skill' })
    later()
    expect(await list()).toMatchObject({ skills: { length: 2 }, read: 1, omitted: ['ITEM_TAMPERED'] })
    await made.run('keys remove', { fingerprint: TEST_KEY.fingerprint })
    later()
    expect(await list()).toMatchObject({ skills: [], read: 3 })
  })

  it('reads a skill once while nothing of it is written, and refuses it when something is', async () => {
    const { made, known } = await served()
    const list = () => listCounting(made, known)
    const first = await list()
    expect(first).toMatchObject({ skills: { length: 1 }, read: 1 })
    expect(await list()).toEqual({ ...first, read: 0 })
    rewriteInPlace(made.path(OTHER), '# B\n')
    expect(await list()).toMatchObject({ skills: [], read: 1, omitted: ['ITEM_TAMPERED'] })
    rewriteInPlace(made.path(OTHER), '# A\n')
    later()
    expect(await list()).toMatchObject({ skills: { length: 1 }, read: 1 })
    await made.run('keys remove', { fingerprint: TEST_KEY.fingerprint })
    later()
    expect(await list()).toMatchObject({ skills: [], omitted: ['ITEM_UNTRUSTED'] })
  })
})
