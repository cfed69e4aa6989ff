import { describe, expect, it } from 'vitest'
import { completeItem } from '../../src/surfaces/cli/completion/items.ts'

const named = (...ids: string[]) => ids.map(item_id => ({ item_type: 'tool', item_id }))

describe('completing the name of an item', () => {
  it('offers each name once, in order, by id or by type and id', () => {
    const items = [...named('b/x', 'a/x', 'a/x'), { item_type: 'skill', item_id: 'a/x' }]
    expect(completeItem(items, '')).toEqual(['a/x', 'b/x'])
    expect(completeItem(items, 'a')).toEqual(['a/x'])
    expect(completeItem(items, 's')).toEqual([])
    expect(completeItem(items, 'skill:')).toEqual(['skill:a/x'])
    expect(completeItem(items, 'tool:b')).toEqual(['tool:b/x'])
  })

  it('offers folders where there are many names', () => {
    const many = named(...Array.from({ length: 101 }, (_, number) => `a/b${number % 2}/n${number}`), 'c')
    expect(completeItem(many, '')).toEqual(['a/', 'c'])
    expect(completeItem(many, 'a/')).toEqual(['a/b0/', 'a/b1/'])
    expect(completeItem(many, 'a/b0/')).toHaveLength(51)
    expect(completeItem(many, 'tool:a')).toEqual(['tool:a/'])
  })

  it('offers nothing that a shell could read as more than a word', () => {
    const odd = [
      '$(x)',
      '`x`',
      'a b',
      "it's",
      '*',
      '?',
      '-rf',
      '~',
      'a\nb',
      'a;b',
      '!x',
      'a"b',
      'a\\b',
      '',
      '\u001b[2J',
    ]
    expect(completeItem(named(...odd), '')).toEqual([])
  })
})
