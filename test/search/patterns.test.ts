// Words with stars: which documents a pattern finds, and that the answer says when it stands for too many
// words.
import { describe, expect, it } from 'vitest'
import { useMemoryLibrary } from './memory-library.ts'
import { idsOf } from './sqlite/library.ts'

const library = useMemoryLibrary()

describe('a pattern', () => {
  it.each([
    ['deploy*?', ['dep']],
    ['(deploy*.)', ['dep']],
    ['`deploy*`,', ['dep']],
    ['some/pa*', ['dep']],
    ['*ome/path/he*', ['dep']],
    ['path/some*', []],
    ['read_*', ['snake']],
    ['*_file', ['snake']],
    ['file_*', []],
    ['検索*', ['cjk']],
    ['索検*', []],
    ['some/*', ['dep']],
  ])('%s finds %j: marks at its ends mean nothing, others separate words', (query, ids) => {
    library.fill(
      'project',
      { id: 'dep', fields: { content: ['deployment of some/path/here'] } },
      { id: 'snake', fields: { content: ['read_file once'] } },
      { id: 'cjk', fields: { content: ['検索エンジン'] } },
    )
    expect(idsOf(library.search(query))).toEqual(ids)
  })

  it('is reported when it stands for too many words', () => {
    const words = Array.from({ length: 3000 }, (_, number) => `word${number.toString(36)}`)
    library.fill('project', { id: 'a', fields: { content: [words.join(' ')] } })
    expect(library.search('w*').capped).toEqual(['w*'])
    expect(library.search('*o*').capped).toEqual(['*o*'])
    expect(library.search('word1').capped).toEqual([])
  })
})
