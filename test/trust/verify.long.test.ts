import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import { makeLine, sign } from '../../src/trust/sign.ts'
import { printSignatureLine } from '../../src/trust/signature-line.ts'
import type { SignedFile } from '../../src/trust/types.ts'
import { verify } from '../../src/trust/verify.ts'
import { contextWith, key, NOW, samples, stranger, XML_MARKS } from './samples.ts'

const context = contextWith()
const options = { timestamp: NOW, format: 'v2' } as const

function signed(file: SignedFile, with_: Partial<Parameters<typeof sign>[2]> = {}): SignedFile {
  const { bytes, detached } = sign(file, key, { ...options, ...with_ })
  return { ...file, bytes, ...(detached && { detached }) }
}

/** The parts of an item that an attacker can change: its file, and the signature beside it. */
function parts(file: SignedFile): ('bytes' | 'detached')[] {
  return file.detached === undefined ? ['bytes'] : ['bytes', 'detached']
}

function edit(file: SignedFile, change: (text: string) => string): SignedFile {
  const before = Buffer.from(file.bytes).toString('latin1')
  const after = change(before)
  expect(after).not.toBe(before)
  return { ...file, bytes: Buffer.from(after, 'latin1') }
}

const statusOf = (file: SignedFile) => verify(file, context).status

describe.each(Object.entries(samples))('a signed %s', (_, plain) => {
  const item = signed(plain)

  it('verifies', () => {
    expect(verify(item, context)).toEqual({
      status: 'verified',
      format: 'v2',
      coverage: 'full',
      hash: sha256Hex(plain.bytes),
      signer: key.fingerprint,
      timestamp: NOW,
    })
  })

  it('is refused after any change of one byte at any offset', () => {
    const accepted: string[] = []
    for (const part of parts(item)) {
      const bytes = item[part]!
      for (let offset = 0; offset < bytes.length; offset++) {
        const was = bytes[offset]!
        const values = new Set([was ^ 1, was ^ 0x20, was ^ 0x80, 10, 13, 0])
        for (const value of values) {
          if (value === was) continue
          const changed = Buffer.from(bytes)
          changed[offset] = value
          if (statusOf({ ...item, [part]: changed }) === 'verified')
            accepted.push(`${part}[${offset}] = ${value}`)
        }
      }
    }
    expect(accepted).toEqual([])
  })

  it('is refused after the loss of any byte, and after a CR or LF more at any offset', () => {
    const accepted: string[] = []
    for (const part of parts(item)) {
      const bytes = item[part]!
      for (let offset = 0; offset < bytes.length; offset++) {
        const [before, here] = [bytes.subarray(0, offset), bytes.subarray(offset)]
        for (const between of [[13], [10], [13, 10]]) {
          const changed = Buffer.concat([before, Buffer.from(between), here])
          if (statusOf({ ...item, [part]: changed }) === 'verified')
            accepted.push(`${between} at ${part}[${offset}]`)
        }
        const changed = Buffer.concat([before, here.subarray(1)])
        if (statusOf({ ...item, [part]: changed }) === 'verified') accepted.push(`${part}[${offset}]`)
      }
    }
    expect(accepted).toEqual([])
  })

  it('is refused after any line is inserted, deleted or swapped with another', () => {
    const accepted: string[] = []
    for (const part of parts(item)) {
      const lines = Buffer.from(item[part]!)
        .toString('latin1')
        .split(/(?<=\n)/)
      const tryLines = (what: string, changed: string[]) => {
        if (changed.join('') === lines.join('')) return
        const bytes = Buffer.from(changed.join(''), 'latin1')
        if (statusOf({ ...item, [part]: bytes }) === 'verified') accepted.push(`${part}: ${what}`)
      }
      for (let at = 0; at <= lines.length; at++) {
        for (const extra of ['\n', '# note\n', '#!/bin/sh\n', ...new Set(lines)])
          tryLines(`insert ${JSON.stringify(extra)} at ${at}`, lines.toSpliced(at, 0, extra))
        if (at < lines.length) tryLines(`delete ${at}`, lines.toSpliced(at, 1))
        for (let other = at + 1; other < lines.length; other++)
          tryLines(`swap ${at}, ${other}`, lines.with(at, lines[other]!).with(other, lines[at]!))
      }
    }
    expect(accepted).toEqual([])
  })

  it('verifies under no other id, type, extension, provenance or time', () => {
    expect(statusOf({ ...item, extension: '.sh' })).toBe('tampered')
    expect(statusOf({ ...item, id: `${item.id}2` })).toBe('tampered')
    expect(statusOf({ ...item, type: item.type === 'tool' ? 'config' : 'tool' })).toBe('tampered')
    const line = (change: (text: string) => string): SignedFile => {
      const part = item.detached === undefined ? 'bytes' : 'detached'
      const text = Buffer.from(item[part]!).toString('latin1')
      return { ...item, [part]: Buffer.from(change(text), 'latin1') }
    }
    expect(statusOf(line(text => text.replace(key.fingerprint, `${key.fingerprint}|rye@anyone`)))).toBe(
      'tampered',
    )
    expect(statusOf(line(text => text.replace(NOW, '2026-02-01T12:00:00Z')))).toBe('tampered')
  })

  it('is untrusted when its key is unknown, and tampered when it is changed as well', () => {
    const nobody = contextWith({ keys: new Map() })
    expect(verify(item, nobody)).toMatchObject({
      status: 'untrusted',
      signer: key.fingerprint,
      coverage: 'full',
    })
    const changed = Buffer.concat([item.bytes, Buffer.from('x')])
    expect(verify({ ...item, bytes: changed }, nobody).status).toBe('tampered')
  })

  it('is tampered when the line names a trusted key that did not make the signature', () => {
    const { bytes, detached } = sign(plain, stranger, options)
    const claim = (part: Uint8Array) =>
      Buffer.from(
        Buffer.from(part).toString('latin1').replace(stranger.fingerprint, key.fingerprint),
        'latin1',
      )
    const forged = { ...plain, bytes: claim(bytes), ...(detached && { detached: claim(detached) }) }
    expect(statusOf(forged)).toBe('tampered')
  })
})

it('says when only line endings differ, as a checkout on another system makes them', () => {
  const crlf = edit(signed(samples['tool with a shebang']!), text => text.replaceAll('\n', '\r\n'))
  expect(verify(crlf, context)).toMatchObject({
    status: 'tampered',
    reason: expect.stringContaining('CRLF'),
  })
})

describe('bad input is never verified:', () => {
  const directive = signed(samples.directive!)
  const shebang = signed(samples['tool with a shebang']!)
  const knowledge = signed(samples['knowledge with front matter']!)
  const lineOf = (file: SignedFile) =>
    /^.*rye:signed.*\n/m.exec(Buffer.from(file.bytes).toString('latin1'))![0]

  it.each<[string, string, SignedFile]>([
    ['trailing junk on line 1', 'malformed', edit(directive, text => text.replace('-->', '--> junk'))],
    ['a second signature line', 'malformed', edit(directive, text => lineOf(directive) + text)],
    ['a second signature line at the end', 'malformed', edit(directive, text => text + lineOf(directive))],
    [
      'a placeholder behind the signature',
      'malformed',
      edit(shebang, text =>
        text.replace(lineOf(shebang), line => `${line}# rye:signed:${NOW}:placeholder:unsigned:unsigned\n`),
      ),
    ],
    ['a signature after content', 'malformed', edit(directive, text => `# Title\n${text}`)],
    [
      'a signature before the shebang',
      'malformed',
      edit(shebang, text => lineOf(shebang) + text.replace(lineOf(shebang), '')),
    ],
    ['a byte order mark before it', 'malformed', edit(directive, text => `\xef\xbb\xbf${text}`)],
    ['lines that end in CR alone', 'malformed', edit(directive, text => text.replaceAll('\n', '\r'))],
    ['a signature line without an end', 'malformed', edit(directive, text => text.split('\n')[0]!)],
    [
      'upper-case hex',
      'malformed',
      edit(directive, text =>
        text.replace(key.fingerprint, key.fingerprint.toUpperCase().replace(/^\d+$/, 'A')),
      ),
    ],
    [
      'a first line of megabytes',
      'malformed',
      edit(directive, text => text.replace(' -->', 'x'.repeat(2e6))),
    ],
    [
      'text changed before the XML block',
      'tampered',
      edit(directive, text => text.replace('Before', 'Behind')),
    ],
    [
      'steps changed after the XML block',
      'tampered',
      edit(directive, text => text.replace('Ship it', 'Drop it')),
    ],
    ['a changed shebang', 'tampered', edit(shebang, text => text.replace('python3', 'python2'))],
    ['changed front matter', 'tampered', edit(knowledge, text => text.replace('Old style', 'New style'))],
    [
      'a rye:unsigned note slipped in',
      'tampered',
      edit(shebang, text => text.replace(lineOf(shebang), line => `${line}# rye:unsigned\n`)),
    ],
    ['no signature', 'unsigned', samples.directive!],
    [
      'a kiwi-mcp line',
      'unsigned',
      edit(samples.directive!, text => `<!-- kiwi-mcp:validated:x -->\n${text}`),
    ],
    [
      'a placeholder',
      'unsigned',
      edit(
        samples['yaml tool']!,
        text => `# rye:signed:2026-02-04T23:57:39Z:placeholder:unsigned:unsigned\n${text}`,
      ),
    ],
    ['an empty file', 'unsigned', { ...samples.directive!, bytes: new Uint8Array() }],
    ['an id outside the grammar', 'malformed', { ...directive, id: '../site/deploy' }],
    ['an id with a line feed', 'malformed', { ...directive, id: 'site/deploy\nx' }],
    ['an extension with a line feed', 'malformed', { ...directive, extension: '.md\nx' }],
    ['a missing sidecar', 'unsigned', samples['json tool']!],
    [
      'a sidecar with more than its line',
      'malformed',
      (file => ({
        ...file,
        detached: Buffer.concat([file.detached!, Buffer.from('x\n')]),
      }))(signed(samples['json tool']!)),
    ],
  ])('%s is %s', (_, status, file) => {
    expect(statusOf(file)).toBe(status)
  })

  it('a timestamp in the future is malformed, one within the clock skew is not', () => {
    expect(statusOf(signed(samples.config!, { timestamp: '2026-03-01T12:04:59Z' }))).toBe('verified')
    expect(statusOf(signed(samples.config!, { timestamp: '2026-03-01T12:05:01Z' }))).toBe('malformed')
  })

  it('a signature moved from another item is tampered', () => {
    const stolen = lineOf(directive)
    const other = edit(samples['fenced knowledge']!, text => stolen + text)
    expect(statusOf(other)).toBe('tampered')
  })

  it('a signature covered together with a second one is malformed, although its hash is right', () => {
    const covered = Buffer.concat([Buffer.from('# Title\n'), directive.bytes])
    const line = makeLine({ ...directive, file: 'deploy.md' }, covered, key, options)
    const bytes = Buffer.concat([Buffer.from(`${printSignatureLine(line, XML_MARKS)}\n`), covered])
    expect(statusOf({ ...directive, bytes })).toBe('malformed')
  })

  it('an old signature of one type does not serve another, although it covers every byte', () => {
    const { bytes } = sign({ ...samples.directive!, type: 'knowledge' }, key, { ...options, format: 'v1' })
    const moved = { ...samples.directive!, bytes }
    expect(verify({ ...moved, type: 'knowledge' }, context)).toMatchObject({
      status: 'verified',
      format: 'v1',
    })
    expect(verify(moved, contextWith({ policy: { legacy: 'allow' } })).status).toBe('tampered')
  })

  it('no bytes at all make it throw', () => {
    const text = fc.array(
      fc.constantFrom(
        '#!',
        '\n',
        '\r',
        '<!-- ',
        ' -->',
        '# ',
        'rye:signed:',
        lineOf(directive),
        '\xef\xbb\xbf',
        'x',
      ),
    )
    fc.assert(
      fc.property(text, fc.constantFrom(...Object.values(samples)), (pieces, file) => {
        const bytes = Buffer.from(pieces.join(''), 'latin1')
        const verdict = verify({ ...file, id: 'some/other', bytes, detached: bytes }, context)
        expect(verdict.status).not.toBe('verified')
        expect(verdict.reason).toBeTypeOf('string')
      }),
    )
  })
})

describe('a system item', () => {
  const file = samples.directive!
  const manifest = new Map([['directive:site/deploy.md', ['0'.repeat(64), sha256Hex(file.bytes)]]])
  const system = contextWith({ manifest, keys: new Map() })

  it('verifies by its digest, without any signature', () => {
    expect(verify(file, system)).toMatchObject({ status: 'verified', format: 'manifest', signer: 'system' })
  })

  it('does not verify under another id or type, nor with another byte', () => {
    expect(verify({ ...file, id: 'site/other' }, system).status).toBe('unsigned')
    expect(verify({ ...file, type: 'knowledge' }, system).status).toBe('unsigned')
    expect(verify({ ...file, extension: '.sh' }, system).status).toBe('unsigned')
    const changed = verify(
      edit(file, text => `${text} `),
      system,
    )
    expect(changed).toMatchObject({ status: 'unsigned', reason: expect.stringContaining('system item') })
  })

  it('may be replaced by a file that the user signed', () => {
    const own = signed({ ...file, bytes: Buffer.from('other text\n') })
    expect(verify(own, contextWith({ manifest })).format).toBe('v2')
  })
})

it('an ordinary line that mentions signatures is content like any other', () => {
  const text =
    'Docs\n\n    <!-- rye:signed:TIMESTAMP:HASH:SIG:FP -->\n<!-- rye:signed:TIMESTAMP:HASH:SIG:FP -->\n'
  const file = { ...samples['fenced knowledge']!, id: 'docs/signing', bytes: Buffer.from(text) }
  expect(Buffer.from(signed(file).bytes).toString()).toContain(text)
  expect(statusOf(signed(file))).toBe('verified')
})
