import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import type { SigningKey } from '../../src/trust/key.ts'
import { foreignSignature } from '../../src/trust/prior-signature.ts'
import { sign } from '../../src/trust/sign.ts'
import { signSkill, skillChanges } from '../../src/trust/skill-manifest.ts'
import type { SignedFile } from '../../src/trust/types.ts'
import { verify } from '../../src/trust/verify.ts'
import { contextWith, key, NOW, samples, stranger } from './samples.ts'

const context = contextWith({ policy: { legacy: 'allow' } })
const plain = samples['tool with a shebang']!
const json = samples['json tool']!

function signedBy(by: SigningKey, format: 'v1' | 'v2' = 'v2', file = plain): SignedFile {
  return { ...file, bytes: sign(file, by, { timestamp: NOW, format }).bytes }
}

const edited = (file: SignedFile, change: (text: string) => string): SignedFile => ({
  ...file,
  bytes: Buffer.from(change(Buffer.from(file.bytes).toString('latin1')), 'latin1'),
})

const lineOf = (file: SignedFile) => /# rye:signed:.*/.exec(Buffer.from(file.bytes).toString('latin1'))![0]

const withLine = (fields: string) => edited(plain, text => text.replace('\n', `\n# rye:signed:${fields}\n`))

function changed(file: SignedFile): SignedFile {
  return { ...file, bytes: Buffer.concat([file.bytes, Buffer.from('more\n')]) }
}

function claiming(file: SignedFile): SignedFile {
  return edited(file, text => text.replace(stranger.fingerprint, key.fingerprint))
}

const foreign = (file: SignedFile, trust = context) =>
  foreignSignature({ ...file, verdict: verify(file, trust) }, key.fingerprint, trust.keys)

describe('an item may be signed', () => {
  it.each<[string, SignedFile]>([
    ['when it is new', plain],
    ['again with the same key', signedBy(key)],
    ['after it was changed by whoever has the key', changed(signedBy(key))],
    ['when its old signature covers all of it', signedBy(key, 'v1', samples['python tool']!)],
    ['when its line is the example of a manual', withLine('TIMESTAMP:HASH:SIG:FP')],
    ['when its line is a placeholder', withLine('2026-02-04T23:57:39Z:placeholder:unsigned:unsigned')],
    ['when its line is abridged', withLine('2026-02-15T07:11:41Z:e972...:S2FT...==:440443d0858f0199')],
    ['when its line ends early', withLine('2026-02-15T07:32:49Z:5d4a...')],
    ['when its signature file is an example', { ...json, detached: Buffer.from('# rye:signed:SIG\n') }],
  ])('%s', (_, file) => {
    expect(foreign(file)).toBeUndefined()
  })

  it('when it is the system item of its name', () => {
    const manifest = new Map([['tool:demo/run.py', [sha256Hex(plain.bytes)]]])
    expect(foreign(plain, contextWith({ manifest }))).toBeUndefined()
  })
})

describe('an item would be taken over', () => {
  it.each<[string, SignedFile, RegExp]>([
    ['when a stranger signed it', signedBy(stranger), /a key that is not trusted.*unchanged since/],
    ['when it was changed after that', changed(signedBy(stranger)), /changed since/],
    ['when its line names our key, and a stranger signed it', claiming(signedBy(stranger)), /names your key/],
    ['when such an item was changed', changed(claiming(signedBy(stranger))), /names your key/],
    ['when our signature is of another item', { ...signedBy(key), id: 'demo/other' }, /names your key/],
    ['when our old signature covers other content', changed(signedBy(key, 'v1')), /names your key/],
    [
      'when it has two signatures',
      { ...plain, bytes: Buffer.concat([signedBy(key).bytes, signedBy(key).bytes]) },
      /cannot be read/,
    ],
    [
      "when a stranger's line was made unreadable",
      edited(signedBy(stranger), text => text.replace('rye:signed:2', 'rye:signed:x')),
      /cannot be read/,
    ],
    [
      'when only the signature in it is whole',
      edited(signedBy(stranger), text => text.replace(/[0-9a-f]{64}/, 'HASH')),
      /cannot be read/,
    ],
    [
      'when only the hash in it is whole',
      edited(signedBy(stranger), text => text.replace(/:[\w-]{86}==/, ':SIG')),
      /cannot be read/,
    ],
    [
      "when a stranger's line follows an example",
      withLine(`A:B:C:D\n${lineOf(signedBy(stranger))}`),
      /cannot be read/,
    ],
    [
      "when a stranger's signature file has more than its line",
      {
        ...json,
        detached: Buffer.concat([
          sign(json, stranger, { timestamp: NOW, format: 'v2' }).detached!,
          Buffer.from('more\n'),
        ]),
      },
      /cannot be read/,
    ],
  ])('%s', (_, file, reason) => {
    expect(foreign(file)).toMatch(reason)
  })

  it('when our old signature covers a part of it', () => {
    expect(foreign(signedBy(key, 'v1'), contextWith())).toMatch(/names your key/)
  })
})

it('what differs from the signed list of a skill is told file by file', () => {
  const files = new Map(['SKILL.md', 'a', 'b'].map(path => [path, sha256Hex(path)]))
  const { bytes } = signSkill({ id: 'pdf', files }, stranger, { timestamp: NOW })
  const now = new Map([...files, ['a', sha256Hex('x')], ['c', sha256Hex('c')]])
  now.delete('b')
  expect(skillChanges({ id: 'pdf', files: now, signature: bytes })).toEqual([
    'changed: `a`',
    'removed: `b`',
    'added: `c`',
  ])
  expect(skillChanges({ id: 'pdf', files, signature: bytes })).toEqual([])
  expect(skillChanges({ id: 'pdf', files, signature: Buffer.from('# nothing\n') })).toEqual([])
  expect(skillChanges({ id: 'pdf', files })).toEqual([])
})
