import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSkillUri } from '../../../src/surfaces/mcp/skill-uri.ts'

describe('the address of a skill', () => {
  it('is read as its decoded segments', () => {
    expect(parseSkillUri('skill://pdf/SKILL.md')).toEqual(['pdf', 'SKILL.md'])
    expect(parseSkillUri('skill://team/pdf')).toEqual(['team', 'pdf'])
    expect(parseSkillUri('skill://pdf/a%20b/%C3%BC.md')).toEqual(['pdf', 'a b', 'ü.md'])
    expect(parseSkillUri('skill://pdf/100%25')).toEqual(['pdf', '100%'])
  })

  it.each([
    'skill://',
    'skill:///etc/passwd',
    'skill://../../etc/passwd',
    'skill://pdf/../../etc/passwd',
    'skill://pdf/./SKILL.md',
    'skill://pdf/%2e%2e/%2E%2E/etc/passwd',
    'skill://pdf/..%2f..%2fetc%2fpasswd',
    'skill://pdf/..%5c..%5cetc',
    'skill://pdf//SKILL.md',
    'skill://pdf/',
    'skill://pdf/SKILL.md%00.png',
    'skill://pdf/SKILL.md?x=1',
    'skill://pdf/SKILL.md#x',
    'skill://pdf/%',
    'skill://pdf/%ff',
    'file:///etc/passwd',
    'Skill://pdf/SKILL.md',
    'pdf/SKILL.md',
    '',
    `skill://pdf/${'a'.repeat(20_000)}`,
  ])('is refused when it is %j', uri => {
    expect(parseSkillUri(uri)).toBeUndefined()
  })

  it('never has a segment that could leave its folder', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '/',
      '%2e',
      '%2F',
      '%5C',
      '\\',
      '%00',
      '%',
      'a',
      '%252e',
      '?',
      '#',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
        const segments = parseSkillUri(`skill://${pieces.join('')}`) ?? []
        expect(segments.filter(segment => /^\.{0,2}$|[/\\\0]/.test(segment))).toEqual([])
      }),
    )
  })
})
