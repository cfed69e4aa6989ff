import { describe, expect, it } from 'vitest'
import { type NamedPath, readAddress, withRef } from '../../../src/sources/address/read-address.ts'
import { prefixOf, printAddress } from '../../../src/sources/address/source-address.ts'

const nothing = (path: string): NamedPath => ({ path: `/here/${path}`, kind: 'nothing' })
const git = (url: string, more: object = {}) => ({ kind: 'git', url, ...more })

describe('an address', () => {
  it.each([
    ['acme/skills', git('https://github.com/acme/skills.git')],
    [
      'acme/skills/office/pdf#v2',
      git('https://github.com/acme/skills.git', { path: 'office/pdf', ref: 'v2' }),
    ],
    ['github:acme/skills', git('https://github.com/acme/skills.git')],
    ['github:acme/skills.git#v2', git('https://github.com/acme/skills.git', { ref: 'v2' })],
    ['gitlab:acme/skills/pdf', git('https://gitlab.com/acme/skills.git', { path: 'pdf' })],
    [
      'bitbucket:acme/skills/a/b#main',
      git('https://bitbucket.org/acme/skills.git', { path: 'a/b', ref: 'main' }),
    ],
    ['https://github.com/acme/skills', git('https://github.com/acme/skills')],
    [
      'https://github.com/acme/skills/tree/main/office/pdf',
      git('https://github.com/acme/skills.git', { ref: 'main', path: 'office/pdf' }),
    ],
    [
      'https://github.com/acme/skills/blob/main/pdf/SKILL.md',
      git('https://github.com/acme/skills.git', { ref: 'main', path: 'pdf' }),
    ],
    ['https://gitlab.com/a/b/c/-/tree/v1/x', git('https://gitlab.com/a/b/c.git', { ref: 'v1', path: 'x' })],
    [
      'https://codeberg.org/a/b/src/branch/main/x',
      git('https://codeberg.org/a/b.git', { ref: 'main', path: 'x' }),
    ],
    [
      'https://bitbucket.org/a/b/src/main/x',
      git('https://bitbucket.org/a/b.git', { ref: 'main', path: 'x' }),
    ],
    ['https://example.org/x.git#release-1', git('https://example.org/x.git', { ref: 'release-1' })],
    ['https://example.org/x.git//a/b', git('https://example.org/x.git', { path: 'a/b' })],
    ['git+https://example.org/x.git', git('https://example.org/x.git')],
    ['ssh://git@example.org/a/x.git', git('ssh://git@example.org/a/x.git')],
    ['git@example.org:a/x.git#main', git('git@example.org:a/x.git', { ref: 'main' })],
    ['file:///srv/x.git', git('file:///srv/x.git')],
    ['http://127.0.0.1:8080/x.git', git('http://127.0.0.1:8080/x.git')],
    ['npm:tools', { kind: 'npm', package: 'tools' }],
    ['npm:@team/tools@^1.2', { kind: 'npm', package: '@team/tools', ref: '^1.2' }],
  ])('%s', (text, expected) => {
    const address = readAddress(text, nothing)
    expect(address).toEqual(expected)
    const { ref, ...plain } = { ref: undefined, ...address }
    expect(withRef(readAddress(printAddress(address, '/here'), nothing), ref)).toEqual({
      ...plain,
      ...(ref && { ref }),
    })
  })

  it.each(['github:acme', 'github:', 'gitlab:-x/y', 'github:a/b#-x', 'github:a/b/../c', 'github:a/b\nc'])(
    'of a forge is refused: %j',
    text => expect(() => readAddress(text, nothing)).toThrow(/^expected|is not a source/),
  )

  it('is what lies under the name, if something does', () => {
    const folder = (path: string): NamedPath => ({ path: `/here/${path}`, kind: 'folder' })
    const file = (path: string): NamedPath => ({ path: `/here/${path}`, kind: 'file' })
    expect(readAddress('acme/skills', folder)).toEqual({ kind: 'folder', path: '/here/acme/skills' })
    expect(readAddress('x.tgz', file)).toEqual({ kind: 'archive', path: '/here/x.tgz' })
    expect(() => readAddress('x.exe', file)).toThrow('is no archive')
  })

  it.each([
    ...[
      '',
      '--upload-pack=touch x',
      '-x',
      'ext::sh -c touch% x',
      'fd::17',
      'git://example.org/x',
      'ftp://example.org/x',
    ],
    ...[
      'https://user:secret@example.org/x.git',
      'https://token@example.org/x.git',
      'http://example.org/x.git',
    ],
    ...[
      'ssh://-oProxyCommand=x/y',
      '-oProxyCommand=x:y',
      'git@-oProxyCommand:y',
      'ssh://git@-x/y',
      'file://host/x',
    ],
    ...[
      'https://example.org/x?token=1',
      'a\nb',
      './nothing',
      '~/nothing',
      '/nothing',
      'https://example.org/x.tgz',
    ],
    ...[
      'acme/skills#--upload-pack=x',
      'acme/skills#-x',
      'acme/skills#a..b',
      'acme/skills/../x',
      'https://example.org/a/b/tree/main/..%2fx',
    ],
    ...['acme/skills#a b', 'acme/skills#a:b', 'acme/skills#@{-1}', 'acme/skills#x.lock', 'one-word'],
  ])('%j is refused', text => {
    expect(() => readAddress(text, nothing)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
  })

  it('is refused without its password being repeated', () => {
    for (const text of [
      'https://ann:s3cret@bad host/x',
      'ftp://s3cret@example.org/x',
      'https://a:s3/cret@[x/y',
    ])
      expect(() => readAddress(text, nothing)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('s3') }),
      )
  })

  it.each([
    ['acme/skills', 'acme'],
    ['npm:@team/tools', 'team'],
    ['npm:tools', 'tools'],
    ['git@example.org:ann/x.git', 'ann'],
    ['file:///srv/my skills.git', 'my-20skills'],
    ['rye/skills', 'rye-source'],
  ])('%s names its items %s', (text, prefix) => {
    expect(prefixOf(readAddress(text, nothing))).toBe(prefix)
  })
})
