// Archives as sources: read in memory, and rejected as a whole when any entry leads elsewhere.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Entry, tar } from '../../system/hostile-archive.ts'
import { type Scratch, scratch, skill } from '../../workspace/scratch.ts'
import { makeRepository } from './repository.ts'

interface ZipEntry {
  readonly name: string
  readonly data?: string
  /** Kind and permissions, as Unix has them. */
  readonly mode?: number
  readonly size?: number
  readonly flags?: number
  readonly sum?: number
}

/** An archive as an attacker would write it: nothing is checked. */
function zip(entries: readonly ZipEntry[], comment = ''): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const {
    name,
    data = '',
    mode = 0o100644,
    size = Buffer.byteLength(data),
    flags = 0x800,
    sum = crc32(data),
  } of entries) {
    const packed = deflateRawSync(data)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central[5] = 3
    central.writeUInt16LE(flags, 8)
    central.writeUInt16LE(8, 10)
    central.writeUInt32LE(sum, 16)
    central.writeUInt32LE(packed.length, 20)
    central.writeUInt32LE(size, 24)
    central.writeUInt16LE(Buffer.byteLength(name), 28)
    central.writeUInt32LE((mode << 16) >>> 0, 38)
    central.writeUInt32LE(offset, 42)
    parts.push(local, Buffer.from(name), packed)
    directory.push(central, Buffer.from(name))
    offset += 30 + Buffer.byteLength(name) + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...parts, ...directory, end, Buffer.from(comment)])
}

function place(made: Scratch, name: string, bytes: Uint8Array): string {
  writeFileSync(join(made.root, name), bytes)
  return join(made.root, name)
}

async function added(made: Scratch, source: string) {
  const { digest } = await made.run('add', { source, dry_run: true })
  return made.run('add', { source, accept: [digest] })
}

describe('an archive', () => {
  it('as a forge packs it gives its items, and is locked with its digest', async () => {
    const made = await scratch()
    const repository = makeRepository({ 'pdf/SKILL.md': skill('pdf'), 'docx/SKILL.md': skill('docx') })
    for (const format of ['tar.gz', 'zip', 'tar']) {
      const bytes = execFileSync('git', ['archive', `--format=${format}`, '--prefix=skills-main/', 'HEAD'], {
        cwd: repository.path,
      })
      const source = place(made, `skills.${format}`, bytes)
      const listed = await made.run('add', { source, list: true })
      expect(listed.items).toMatchObject([
        { item: 'skill:docx', from: 'docx/SKILL.md' },
        { item: 'skill:pdf' },
      ])
    }
    expect(await added(made, join(made.root, 'skills.zip'))).toMatchObject({
      status: 'added',
      source: '../skills.zip',
    })
    expect(made.read('.ai/rye.lock')).toMatch(
      /^source \.\.\/skills\.zip\n {2}resolved [0-9a-f]{64}\n {2}integrity sha256-[0-9a-f]{64}$/m,
    )
    expect(await made.run('load', { item_id: 'skill:pdf' })).toMatchObject({ status: 'success' })
  })

  it('of the folder in which somebody stands gives its items', async () => {
    const made = await scratch()
    const { path } = makeRepository({ 'pdf/SKILL.md': skill('pdf'), '.ai/tools/x.txt': 'x' })
    execFileSync('tar', ['czf', join(made.root, 'here.tgz'), '--exclude=.git', '.'], { cwd: path })
    const source = join(made.root, 'here.tgz')
    expect((await made.run('add', { source, list: true })).items).toMatchObject([{ from: 'pdf/SKILL.md' }])
  })

  it.each([
    ['the folder that the skill is named after', 'pdf/', 'skill:pdf'],
    ['a folder of a forge', 'pdf-main/', 'skill:good'],
    ['a folder of npm', 'package/', 'skill:good'],
    ['no folder', '', 'skill:good'],
  ])('of one skill in %s gives it a name', async (_, folder, item) => {
    const made = await scratch()
    const entries = ['SKILL.md', 'references/a.md'].map(name => ({
      name: folder + name,
      data: name === 'SKILL.md' ? skill('pdf') : '# A\n',
    }))
    const source = place(made, 'good.zip', zip(entries))
    expect((await made.run('add', { source, list: true })).items).toMatchObject([{ item }])
    const tarred = place(made, 'good.tgz', gzipSync(tar(entries)))
    expect((await made.run('add', { source: tarred, list: true })).items).toMatchObject([{ item }])
    await added(made, source)
    expect(await made.run('load', { item_id: `${item}/references/a.md` })).toMatchObject({ content: '# A\n' })
  })

  it.each([
    ['another key', 'other', '---\nmetadata:\n  name: other\nname: pdf\ndescription: d\n---\n', 'skill:good'],
    ['the text', 'other', '---\nname: pdf\ndescription: d\n---\n\nname: other\n', 'skill:good'],
    ['a comment', 'pdf', '---\r\nname: pdf # of files\r\ndescription: d\r\n---\r\n', 'skill:pdf'],
    ['a name of ours', 'rye', '---\nname: rye\ndescription: d\n---\n', 'skill:good'],
  ])('of one skill is named by its front matter alone, beside %s', async (_, folder, data, item) => {
    const made = await scratch()
    const source = place(made, 'good.zip', zip([{ name: `${folder}/SKILL.md`, data }]))
    expect((await made.run('add', { source, list: true })).items).toMatchObject([{ item }])
  })

  it('of one skill keeps the name that the lock has for it', async () => {
    const made = await scratch()
    await added(made, place(made, 'good.zip', zip([{ name: 'x/SKILL.md', data: skill('pdf') }])))
    place(made, 'good.zip', zip([{ name: 'pdf/SKILL.md', data: `${skill('pdf')}More.\n` }]))
    expect(await made.run('update', { dry_run: true })).toMatchObject({
      sources: [{ items: [{ item: 'skill:good' }] }],
    })
  })

  const good: Entry = { name: 'a/SKILL.md', data: skill('a') }

  it.each<[string, Entry]>([
    ['a link', { name: 'a/x', type: '2', link: '/etc/passwd' }],
    ['a hard link', { name: 'a/x', type: '1', link: 'a/SKILL.md' }],
    ['a device', { name: 'a/x', type: '3' }],
    ['a name that climbs', { name: '../x' }],
    ['a name that climbs from the folder itself', { name: './../x' }],
    ['an empty name', { name: './' }],
    ['a dot in a name', { name: '././x' }],
    ['one file twice', { name: './a/SKILL.md' }],
    ['an absolute name', { name: '/x' }],
    ['two names for one file', { name: 'a/skill.MD' }],
    ['a size that does not fit', { name: 'a/x', size: '77777777777\0' }],
  ])('with %s is refused as a whole', async (_, entry) => {
    const made = await scratch()
    const source = place(made, 'x.tgz', gzipSync(tar([good, entry])))
    expect(await made.run('add', { source })).toMatchObject({ code: 'ITEM_MALFORMED' })
  })

  const file: ZipEntry = { name: 'a/SKILL.md', data: skill('a') }

  it.each<[string, readonly ZipEntry[]]>([
    ['a link', [file, { name: 'a/x', data: '/etc/passwd', mode: 0o120777 }]],
    ['a device', [file, { name: 'a/x', mode: 0o020644 }]],
    ['a name that climbs', [file, { name: 'a/../../x', data: 'x' }]],
    ['an absolute name', [file, { name: '/x', data: 'x' }]],
    ['a name with a backslash', [file, { name: 'a\\..\\x', data: 'x' }]],
    ['two names for one file', [file, { name: 'A/skill.md', data: 'x' }]],
    ['more bytes than it says', [{ ...file, size: 10 }]],
    ['another content than it says', [{ ...file, sum: 1 }]],
    ['an encrypted file', [{ ...file, flags: 1 }]],
  ])('of zip with %s is refused as a whole', async (_, entries) => {
    const made = await scratch()
    expect(await made.run('add', { source: place(made, 'x.zip', zip(entries)) })).toMatchObject({
      code: 'ITEM_MALFORMED',
    })
  })

  it('of zip may have a comment, and nothing else behind it', async () => {
    const made = await scratch()
    expect(await made.run('add', { source: place(made, 'x.zip', zip([file], 'a commit')) })).toMatchObject({
      status: 'review',
    })
    const longer = Buffer.concat([zip([file]), Buffer.from('more')])
    expect(await made.run('add', { source: place(made, 'y.zip', longer) })).toMatchObject({
      code: 'ITEM_MALFORMED',
    })
  })
})
