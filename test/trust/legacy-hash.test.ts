import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import { legacyHash } from '../../src/trust/legacy-hash.ts'

const hashOf = (type: Parameters<typeof legacyHash>[0], text: string) => legacyHash(type, Buffer.from(text))

describe('the hash of the older system', () => {
  it.each<[string, Parameters<typeof legacyHash>[0], string, string]>([
    [
      'a directive from its first opening to its last closing tag',
      'directive',
      'before\n<directive name="a">\n</directive>\nbetween\n<directive>\n</directive>\nafter\n',
      '<directive name="a">\n</directive>\nbetween\n<directive>\n</directive>',
    ],
    [
      'a directive that is its block alone',
      'directive',
      '<directive></directive>',
      '<directive></directive>',
    ],
    ['knowledge below its front matter', 'knowledge', '---\nname: a\n---\n\nText\n', 'Text'],
    ['knowledge without front matter as it is', 'knowledge', '\nText\n', '\nText\n'],
    ['knowledge whose front matter has no end as it is', 'knowledge', '---\nText\n', '---\nText\n'],
    ['knowledge with nothing below its front matter', 'knowledge', '---\n---\n \n', ''],
    ['a tool as it is', 'tool', '\nx = 1\n', '\nx = 1\n'],
    ['a tool without its shebang', 'tool', '#!/bin/sh\necho\n', 'echo\n'],
    ['a config without its shebang', 'config', '#!/bin/sh\na: 1\n', 'a: 1\n'],
    ['a byte order mark like any other character', 'tool', '\ufeffx = 1\n', '\ufeffx = 1\n'],
  ])('is that of %s', (_, type, text, hashed) => {
    expect(hashOf(type, text)).toBe(sha256Hex(hashed))
  })

  it('strips what Python takes for a space, and nothing else', () => {
    for (const space of ['\t', '\n', '\v', '\f', '\x1c', '\x1f', ' ', '\x85', '\xa0', '\u2028', '\u3000'])
      expect(hashOf('knowledge', `---\n---${space}a${space}b${space}`)).toBe(sha256Hex(`a${space}b`))
    for (const other of ['\ufeff', '\u200b', '\0'])
      expect(hashOf('knowledge', `---\n---${other}a${other}`)).toBe(sha256Hex(`${other}a${other}`))
  })

  it.each<[string, Parameters<typeof legacyHash>[0], string]>([
    ['a directive without its block', 'directive', 'text\n'],
    ['a directive that is not closed', 'directive', '<directive name="a">\n'],
    ['a directive that is closed before it is opened', 'directive', '</directive>\n<directive>\n'],
    ['a directive that is never opened', 'directive', 'text</directive>\n'],
    ['a tool with a shebang that it did not know', 'tool', '#! /bin/sh\necho\n'],
    ['a tool that is a shebang without an end', 'tool', '#!/bin/sh'],
    ['a skill', 'skill', 'text\n'],
  ])('does not exist for %s', (_, type, text) => {
    expect(hashOf(type, text)).toBeUndefined()
  })

  it('does not exist for bytes that are not UTF-8', () => {
    for (const type of ['directive', 'knowledge', 'tool', 'config'] as const)
      expect(legacyHash(type, Buffer.from('<directive>\xff</directive>\n', 'latin1'))).toBeUndefined()
  })

  it('is that of a view into larger memory', () => {
    const memory = new Uint8Array(Buffer.from('..x = 1\n..'))
    expect(legacyHash('tool', memory.subarray(2, 8))).toBe(sha256Hex('x = 1\n'))
  })
})
