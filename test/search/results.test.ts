// What a result shows: reasons, previews, and never a hidden character.
import { describe, expect, it } from 'vitest'
import { useMemoryLibrary } from './memory-library.ts'

const library = useMemoryLibrary()

describe('a result', () => {
  it('says which words matched in which field, and shows them', () => {
    library.fill('project', {
      id: 'a',
      fields: {
        title: ['Running jobs'],
        content: [`${'filler '.repeat(80)}it runs the job ${'filler '.repeat(80)}`],
      },
    })
    const [row] = library.search('run job').rows
    expect(row).toMatchObject({ matched: { title: ['running', 'jobs'], content: ['runs', 'job'] } })
    expect(row!.preview).toContain('it runs the job')
  })

  it('never shows hidden characters', () => {
    library.fill('project', {
      id: 'a',
      fields: {
        title: ['ti\u202etle'],
        description: ['de\u200bsc'],
        content: ['bo\u0007dy'],
        tags: ['t\u200dag'],
      },
    })
    expect(library.search('a').rows[0]).toMatchObject({
      title: 'ti\\u{202e}tle',
      description: 'de\\u{200b}sc',
      preview: 'bo\\u{7}dy',
      tags: ['t\\u{200d}ag'],
    })
  })

  it('has no preview that repeats its description', () => {
    library.fill('project', {
      id: 'a',
      fields: { description: ['What it does.'], content: ['what it DOES'] },
    })
    library.fill('project', { id: 'b', fields: { description: ['what it does'] } })
    expect(library.search('does').rows.map(row => row.preview)).toEqual(['', ''])
  })
})
