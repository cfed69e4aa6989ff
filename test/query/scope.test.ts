import { describe, expect, test } from 'vitest'
import { parseScope } from '../../src/query/scope.ts'

describe('a scope', () => {
  test.each([
    ['directive', 'directive', ''],
    ['tool', 'tool', ''],
    ['knowledge', 'knowledge', ''],
    ['skill', 'skill', ''],
    ['tool.*', 'tool', ''],
    ['tool*', 'tool', ''],
    ['tool.rye.core.*', 'tool', 'rye/core'],
    ['tool.rye.core*', 'tool', 'rye/core'],
    ['directive.rye.*', 'directive', 'rye'],
    ['tool.rye.file-system.*', 'tool', 'rye/file-system'],
    ['rye.fetch.directive.*', 'directive', ''],
    ['rye.fetch.tool', 'tool', ''],
    ['rye.fetch.tool.rye.core.*', 'tool', 'rye/core'],
    ['rye.fetch.knowledge.rye.core.*', 'knowledge', 'rye/core'],
    ['rye.search.skill.*', 'skill', ''],
    ['rye.*.tool.rye.*', 'tool', 'rye'],
    ['*', 'all', ''],
    ['*.rye.core.*', 'all', 'rye/core'],
    ['rye.fetch.*', 'all', ''],
    ['tool.acme/v1.2/*', 'tool', 'acme/v1.2'],
    ['tool.acme/v1.2.*', 'tool', 'acme/v1.2'],
  ])('%j means type %s below %j', (text, type, namespace) => {
    expect(parseScope(text)).toEqual({ type, namespace, self: false })
  })

  test('without a star means the item of that id too', () => {
    expect(parseScope('tool.rye.bash')).toEqual({ type: 'tool', namespace: 'rye/bash', self: true })
  })

  test.each([
    '',
    ' ',
    'tools',
    'Tool',
    'all',
    'rye',
    'rye.fetch',
    'rye.fetch.',
    'rye.sign.tool.*',
    'tool.',
    'tool..',
    'tool..*',
    'tool...rye',
    'tool.../..',
    'tool.rye..core',
    'tool.rye/../core',
    'tool./etc/passwd',
    'tool.rye/',
    'tool.rye.core.**',
    'tool.*.core',
    'tool.r*e.core',
    'tool:rye/core',
    'tool.rye core',
    'tool.rye\u0000',
    'tool.ryé',
    `tool.${'a.'.repeat(100_000)}*`,
    'x'.repeat(1 << 20),
  ])('%j is refused', text => {
    expect(() => parseScope(text)).toThrow(expect.objectContaining({ code: 'SCOPE_SYNTAX' }))
    expect(() => parseScope(text)).toThrow(/^invalid scope `.{0,83}`: .{1,250}$/)
  })

  test('that names no type suggests the nearest one', () => {
    expect(() => parseScope('tools.rye.*')).toThrow(expect.objectContaining({ hint: 'did you mean `tool`?' }))
  })
})
