// Scopes, filters and fields leave items out and never rank, and totals are exact.
import { beforeEach, describe, expect, it } from 'vitest'
import { readFields } from '../../src/query/fields.ts'
import { readFilters } from '../../src/query/filters.ts'
import { parseScope } from '../../src/query/scope.ts'
import { useMemoryLibrary } from './memory-library.ts'
import { idsOf } from './sqlite/library.ts'

const library = useMemoryLibrary()

describe('a restriction', () => {
  beforeEach(() => {
    library.fill(
      'project',
      {
        id: 'rye/core/a',
        type: 'tool',
        version: '1.2.0',
        fields: { content: ['word'], category: ['rye/core'], tags: ['web', 'http'] },
      },
      {
        id: 'rye/core-extra/b',
        type: 'tool',
        version: '0.9.0',
        fields: { content: ['word'], category: ['rye/core-extra'] },
      },
      { id: 'rye/core', type: 'directive', fields: { content: ['word'] }, date: Date.UTC(2024, 5, 1) },
    )
  })

  it('to a scope keeps to namespaces', () => {
    expect(idsOf(library.search('word', { scope: parseScope('tool.rye.core.*') }))).toEqual(['rye/core/a'])
    expect(idsOf(library.search('*', { scope: parseScope('directive') }))).toEqual(['rye/core'])
    expect(idsOf(library.search('*', { scope: parseScope('*.rye.core') })).sort()).toEqual([
      'rye/core',
      'rye/core/a',
    ])
  })

  it('by filters gives exact totals', () => {
    const filtered = (request: Parameters<typeof readFilters>[0]) =>
      library.search('word', { filters: readFilters(request) })
    expect(idsOf(filtered({ filters: { version: '>=1.0' } }))).toEqual(['rye/core/a'])
    expect(filtered({ tags: ['http', 'other'] })).toMatchObject({ total: 1 })
    expect(idsOf(filtered({ date_from: '2024-01-01', date_to: '2024-12-31' }))).toEqual(['rye/core'])
    expect(filtered({ filters: { constructor: 'x', __proto__: 'y' } }).total).toBe(0)
    for (const name of ['a"b', "a'b", "x') --", 'a.b', '$', '', 'a\\b', '[0]', 'a\u0000b']) {
      expect(filtered({ filters: { [name]: 'x' } }).total).toBe(0)
      expect(filtered({ filters: { [name]: '!x' } }).total).toBe(3)
    }
  })

  it('by fields looks into these fields only, at words as written', () => {
    expect(idsOf(library.search('*', { fields: readFields({ category: 'extra' }) }))).toEqual([
      'rye/core-extra/b',
    ])
    expect(library.search('*', { fields: readFields({ content: 'words' }) }).total).toBe(0)
  })
})
