// Signatures of the older system, made here by an independent implementation of its recipe: Python reads, cuts
// and hashes the text; Node signs the hex digits.
import { spawnSync } from 'node:child_process'
import { sign as signEd25519 } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sign } from '../../src/trust/sign.ts'
import type { SignedFile } from '../../src/trust/types.ts'
import { verify } from '../../src/trust/verify.ts'
import { contextWith, HASH_MARKS, key, NOW, SLASH_MARKS, XML_MARKS } from '../trust/samples.ts'

const RECIPE = String.raw`
import hashlib, io, json, re, sys

def old_hash(kind, raw, prefix):
    text = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8").read()
    if kind == "directive":
        start = re.search(r"<directive[^>]*>", text).start()
        text = text[start:text.rindex("</directive>") + len("</directive>")].strip()
    elif kind == "knowledge":
        text = re.sub(r"^<!-- (?:rye|kiwi-mcp):(?:validated|signed):[^>]+-->\n", "", text)
        if text.startswith("---"):
            end = text.find("---", 3)
            if end != -1:
                text = text[end + 3:].strip()
    else:
        text = re.sub(r"^#!/[^\n]*\n", "", text)
        text = re.sub("^" + re.escape(prefix) + r" (?:rye|kiwi-mcp):(?:validated|signed):[^\n]+\n", "", text)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()

print(json.dumps([old_hash(k, bytes.fromhex(h), p) for k, h, p in json.load(sys.stdin)]))
`

/** What the older system would hash, for files with or without their signature line. */
function oldHashes(files: readonly SignedFile[]): string[] {
  const input = files.map(file => [file.type, Buffer.from(file.bytes).toString('hex'), file.format.prefix])
  const run = spawnSync('python3', ['-c', RECIPE], { input: JSON.stringify(input), encoding: 'utf8' })
  if (run.status !== 0)
    throw new Error(`python3 is needed for this test and failed: ${run.stderr || run.error}`)
  return JSON.parse(run.stdout)
}

const BLOCK = '<directive name="d" version="1.0.0">\n  <metadata/>\n</directive>'
const cases: [string, Omit<SignedFile, 'bytes'>, string, 'full' | 'partial'][] = [
  [
    'a directive',
    { type: 'directive', id: 'a/d', extension: '.md', format: XML_MARKS },
    `# D\n\n${BLOCK}\n\nSteps.\n`,
    'partial',
  ],
  [
    'a directive that is its block',
    { type: 'directive', id: 'a/d', extension: '.md', format: XML_MARKS },
    BLOCK,
    'full',
  ],
  [
    'fenced knowledge',
    { type: 'knowledge', id: 'a/k', extension: '.md', format: XML_MARKS },
    '# K\n```yaml\nname: k\n```\nä\n',
    'full',
  ],
  [
    'knowledge with front matter',
    { type: 'knowledge', id: 'a/k', extension: '.md', format: XML_MARKS },
    '---\nname: k\n---\n\n\x1c Body \x85\n',
    'partial',
  ],
  [
    'knowledge with an open front matter',
    { type: 'knowledge', id: 'a/k', extension: '.md', format: XML_MARKS },
    '---\nname: k\n',
    'full',
  ],
  ['a python tool', { type: 'tool', id: 'a/t', extension: '.py', format: HASH_MARKS }, 'print(1)\n', 'full'],
  [
    'a tool with a shebang',
    { type: 'tool', id: 'a/t', extension: '.py', format: HASH_MARKS },
    '#!/usr/bin/python3\nprint(1)\n',
    'partial',
  ],
  [
    'a javascript tool',
    { type: 'tool', id: 'a/j', extension: '.js', format: SLASH_MARKS },
    'export const a = 1\n',
    'full',
  ],
  [
    'a yaml tool with an unsigned note',
    { type: 'tool', id: 'a/y', extension: '.yaml', format: HASH_MARKS },
    '# rye:unsigned\na: 1\n',
    'full',
  ],
  ['a config', { type: 'config', id: 'a/c', extension: '.yaml', format: HASH_MARKS }, 'a: 1', 'full'],
]
const hashes = oldHashes(cases.map(([, file, text]) => ({ ...file, bytes: Buffer.from(text) })))

function oldLine(file: Omit<SignedFile, 'bytes'>, hash: string, padding: '' | '=='): string {
  const signature = signEd25519(null, Buffer.from(hash), key.privateKey).toString('base64url') + padding
  const { prefix, suffix } = file.format
  return `${prefix} rye:signed:2026-02-23T05:24:41Z:${hash}:${signature}:${key.fingerprint}${suffix && ` ${suffix}`}`
}

describe.each(cases.map((entry, index) => [...entry, hashes[index]!] as const))(
  'an old signature of %s',
  (_, file, text, coverage, hash) => {
    const shebang = /^#![^\n]*\n/.exec(text)?.[0] ?? ''
    const make = (padding: '' | '==', change = (line: string) => line) => {
      const line = change(oldLine(file, hash, padding))
      return { ...file, bytes: Buffer.from(`${shebang}${line}\n${text.slice(shebang.length)}`) }
    }

    it('is read, with and without padding, and its coverage told', () => {
      for (const padding of ['', '=='] as const) {
        const verdict = verify(make(padding), contextWith({ policy: { legacy: 'allow' } }))
        expect(verdict).toMatchObject({ status: 'verified', format: 'v1', coverage, hash })
      }
    })

    it('is taken by default only when it covers every byte, else the reason says what to do', () => {
      const verdict = verify(make('=='), contextWith())
      if (coverage === 'full') expect(verdict.status).toBe('verified')
      else
        expect(verdict).toMatchObject({
          status: 'untrusted',
          reason: expect.stringContaining('sign it again'),
        })
    })

    it('never carries a provenance that nobody signed', () => {
      const forged = make('==', line => line.replace(key.fingerprint, `${key.fingerprint}|rye@anyone`))
      expect(verify(forged, contextWith())).toMatchObject({ status: 'untrusted', coverage: 'partial' })
    })

    it('does not belong to other text, nor to an unknown key', () => {
      const changed = Buffer.from(
        Buffer.from(make('==').bytes)
          .toString()
          .replace(/name|print|export|a[:=]| /, 'x'),
      )
      expect(verify({ ...file, bytes: changed }, contextWith()).status).not.toBe('verified')
      expect(verify(make('=='), contextWith({ keys: new Map() })).status).toBe('untrusted')
    })

    it('is written as the older system writes it', () => {
      const { bytes, signature } = sign({ ...file, bytes: Buffer.from(text) }, key, {
        timestamp: NOW,
        format: 'v1',
      })
      expect(signature.hash).toBe(hash)
      expect(verify({ ...file, bytes }, contextWith({ policy: { legacy: 'allow' } }))).toMatchObject({
        status: 'verified',
        format: 'v1',
      })
    })
  },
)

describe.each([
  ['lines that end in CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
  ['one CRLF', (text: string) => text.replace('\n', '\r\n')],
  ['a lone CR in place of an LF', (text: string) => text.replace('\n', '\r')],
])('an old signature, which reads CR as LF, does not cover %s', (_, change) => {
  const file = { type: 'tool', id: 'a/t', extension: '.py', format: HASH_MARKS } as const
  const text = change('a = 1\nb = 2\n')
  const hash = oldHashes([{ ...file, bytes: Buffer.from(text) }])[0]!
  const context = contextWith({ policy: { legacy: 'allow' } })

  it.each(['\n', '\r\n'])('whatever policy says, with its own line ended by %j', ending => {
    const bytes = Buffer.from(`${oldLine(file, hash, '==')}${ending}${text}`)
    expect(verify({ ...file, bytes }, context).status).toMatch(/tampered|malformed/)
  })

  it('and none is written', () => {
    const options = { timestamp: NOW, format: 'v1' } as const
    expect(() => sign({ ...file, bytes: Buffer.from(text) }, key, options)).toThrow('v1')
  })
})

it('the older system finds the hash that we wrote, in every file signed as v1', () => {
  const written = cases.map(([, file, text]) => {
    const { bytes, signature } = sign({ ...file, bytes: Buffer.from(text) }, key, {
      timestamp: NOW,
      format: 'v1',
    })
    return { file: { ...file, bytes }, hash: signature.hash }
  })
  expect(oldHashes(written.map(({ file }) => file))).toEqual(written.map(({ hash }) => hash))
})
