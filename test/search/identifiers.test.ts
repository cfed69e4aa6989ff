// Identifiers: however their words are joined, in the question or the text, they are the same words.
import { describe, expect, it } from 'vitest'
import { useMemoryLibrary } from './memory-library.ts'
import { idsOf } from './sqlite/library.ts'

const library = useMemoryLibrary()

const SPELLINGS = {
  camel: 'getUserName',
  pascal: 'GetUserName',
  snake: 'get_user_name',
  kebab: 'get-user-name',
  dotted: 'get.user.name',
  spaced: 'get user name',
}

describe('an identifier', () => {
  it.each(Object.values(SPELLINGS))('written `%s` finds every spelling of it', query => {
    const drafts = Object.entries(SPELLINGS).map(([id, text]) => ({
      id,
      fields: { content: [`call ${text} now`] },
    }))
    library.fill('project', ...drafts)
    expect(idsOf(library.search(query, { match: 'all' })).sort()).toEqual(Object.keys(SPELLINGS).sort())
  })

  it('in camelCase asks for its words in their order, side by side', () => {
    library.fill(
      'project',
      { id: 'turned', fields: { content: ['name user get'] } },
      { id: 'apart', fields: { content: ['get the user a name'] } },
      { id: 'some', fields: { content: ['get user'] } },
      { id: 'inflected', fields: { content: ['gets users names'] } },
    )
    expect(idsOf(library.search('getUserName', { match: 'all' }))).toEqual(['inflected'])
  })
})
