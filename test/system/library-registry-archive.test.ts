// `rye/registry` and archives that are damaged or hostile: what is refused, and that nothing is written.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Entry, pax, randomText, tar } from './hostile-archive.ts'
import { GREET, type HostileRegistry, integrityOf, openHostileRegistry } from './hostile-registry.ts'

let registry: HostileRegistry
beforeAll(async () => {
  registry = await openHostileRegistry()
})
beforeEach(() => registry.replies.clear())
afterAll(() => registry.close())

const tool = (name: string) => registry.tool(name)

describe('an archive', () => {
  it('that is as it should be is pulled', async () => {
    const long = `${'deep/'.repeat(40)}x.py`
    registry.offer(
      gzipSync(
        tar([
          { name: 'pax_global_header', type: 'g', data: '20 comment=anything\n' },
          { name: 'package/', type: '5' },
          tool('team/greet.py'),
          pax(`path=package/.ai/tools/${long}`),
          tool('cut.py'),
          { name: '././@LongLink', type: 'L', data: `package/.ai/tools/gnu/${long}\0` },
          tool('cut.py'),
        ]),
      ),
    )
    const answer = await registry.pull()
    expect(answer.data, JSON.stringify(answer)).toMatchObject({
      written: [`.ai/tools/${long}`, `.ai/tools/gnu/${long}`, GREET],
    })
    expect(readFileSync(join(registry.session.project, GREET))).toEqual(registry.signed)
    expect(registry.written()).toContain('rye.lock')
    for (const name of ['tools', 'rye.lock'])
      rmSync(join(registry.session.project, '.ai', name), { recursive: true })
  })

  const link = (type: string): Entry => ({ name: 'package/.ai/tools/x.py', type, link: '/etc/passwd' })
  const many = Array.from({ length: 5001 }, (_, number) => ({ name: `package/.ai/tools/n${number}.py` }))
  it.each<[string, () => Buffer, string]>([
    ['climbs out', () => tar([tool('../../../x.py')]), 'leads out of it'],
    [
      'climbs out beside its items',
      () => tar([tool('x.py'), { name: 'package/../../x' }]),
      'leads out of it',
    ],
    ['names an absolute path', () => tar([{ name: '/etc/x.py', data: 'x' }]), 'leads out of it'],
    ['names an absolute path in pax', () => tar([pax('path=/etc/x.py'), tool('x.py')]), 'leads out of it'],
    ['has backslashes', () => tar([tool('..\\..\\x.py')]), 'leads out of it'],
    ['has empty segments', () => tar([tool('a//x.py')]), 'leads out of it'],
    ['holds a symbolic link', () => tar([link('2')]), 'a link or a device'],
    ['holds a hard link', () => tar([link('1')]), 'a link or a device'],
    ['holds a device', () => tar([link('3')]), 'a link or a device'],
    ['holds a pipe', () => tar([link('6')]), 'a link or a device'],
    ['holds a sparse file', () => tar([pax('GNU.sparse.major=1'), tool('x.py')]), 'a file with holes'],
    ['holds an old sparse file', () => tar([link('S')]), 'a link or a device'],
    ['lies about a size in pax', () => tar([pax('size=99999999999'), tool('x.py')]), 'a file with holes'],
    ['has a negative size', () => tar([{ ...tool('x.py'), size: '\xff'.repeat(12) }]), 'cannot be read'],
    ['has a size past its end', () => tar([{ ...tool('x.py'), size: '00077777777\0' }]), 'is damaged'],
    ['has a broken header', () => Buffer.concat([tar([tool('x.py')]).fill('!', 0, 4)]), 'is damaged'],
    ['has a broken pax header', () => tar([{ name: 'p', type: 'x', data: '999 a=b\n' }]), 'cannot be read'],
    ['has pax without an end', () => tar([{ name: 'p', type: 'x', data: '0 a=b\n' }]), 'cannot be read'],
    ['holds one file twice', () => tar([tool('x.py'), tool('x.py')]), 'two files for one name'],
    [
      'holds names that differ in case',
      () => tar([tool('a/X.py'), tool('A/x.py')]),
      'two files for one name',
    ],
    ['holds a file below a file', () => tar([tool('x'), tool('X/y.py')]), 'below another file'],
    ['holds a hidden file', () => tar([tool('.hidden.py')]), 'expected names of letters'],
    ['holds a name of other characters', () => tar([tool('caf\u00e9.py')]), 'expected names of letters'],
    ['holds a name with a line break', () => tar([tool('a\nb.py')]), 'expected names of letters'],
    [
      'hides a .git in a skill',
      () => tar([{ name: 'package/.ai/skills/a/.git/config', data: 'x' }]),
      'expected names',
    ],
    [
      'holds a stray file for skills',
      () => tar([{ name: 'package/.ai/skills/a/x', data: 'x' }]),
      'not signed',
    ],
    ['holds too many files', () => tar(many), 'more than 5000 files'],
    ['holds a huge file', () => tar([{ ...tool('x.py'), data: randomText(11_000_000) }]), 'too large'],
    [
      'holds an unsigned item',
      () => tar([tool('x.py'), { ...tool('y.py'), data: 'x = 1\n' }]),
      '1 file is not signed',
    ],
    [
      'holds an item that was signed, and changed since',
      () => tar([{ name: `package/${GREET}`, data: Buffer.concat([registry.own, Buffer.from('x = 1\n')]) }]),
      '1 item is not what was signed',
    ],
    [
      'holds a signed item under another name',
      () => tar([{ name: 'package/.ai/tools/team/other.py', data: registry.own }]),
      '1 item is not what was signed',
    ],
    ['holds no items', () => tar([{ name: 'package/index.js', data: 'x' }]), 'holds no items'],
    [
      'holds settings only',
      () => tar([{ name: 'package/.ai/config/rye.toml', data: 'x' }]),
      'holds no items',
    ],
    ['is empty', () => Buffer.alloc(0), 'holds no items'],
    ['is no tar', () => Buffer.from('x'.repeat(600)), 'cannot be read'],
  ])('that %s is refused, and nothing is written', async (_, make, problem) => {
    registry.offer(gzipSync(make()))
    expect((await registry.pull()).error).toContain(problem)
    expect(registry.written()).toEqual([])
  })

  it('is unpacked within bounds, and only whole', async () => {
    registry.offer(gzipSync(Buffer.alloc(300_000_000)))
    expect((await registry.pull()).error).toContain('unpacks to more than')
    const whole = gzipSync(tar([tool('x.py')]))
    for (const [archive, problem] of [
      [Buffer.from('not gzip at all'), 'is not gzip'],
      [whole.subarray(0, whole.length - 9), 'is cut off'],
      [Buffer.concat([whole, whole]), 'goes on after its end'],
    ] as const) {
      registry.offer(archive)
      expect((await registry.pull()).error).toContain(problem)
    }
    expect(registry.written()).toEqual([])
  })

  it('is not looked at unless its digest is the announced one', async () => {
    const archive = gzipSync(tar([tool('x.py')]))
    registry.offer(archive, { integrity: integrityOf(Buffer.from('another')) })
    expect((await registry.pull()).error).toContain('is not what the registry announced: expected sha512-')
    const sha1 = `sha1-${createHash('sha1').update(archive).digest('base64')}`
    for (const integrity of [undefined, '', sha1, 'sha512-AAAA', 7]) {
      registry.offer(archive, { integrity })
      expect((await registry.pull()).error, String(integrity)).toContain(
        'expected an archive with a sha512 integrity',
      )
    }
    registry.offer(archive, { integrity: `${sha1} ${integrityOf(archive)}` })
    expect((await registry.pull({ dry_run: true })).status).toBe('success')
    expect(registry.written()).toEqual([])
  })
})
