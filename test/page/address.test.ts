// What addresses mean, including bookmarks from earlier.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressIn, projectOf, readAddress } from '../../page/address.ts'
import { entryName, nextOf, readName } from '../../page/review/entry.ts'

describe('the project of an address', () => {
  const inProject = (project: string) => projectOf({ page: 'overview', rest: [], params: { project } }, 2)

  it('is the first where none is named, and one of those that there are', () => {
    expect([projectOf(readAddress('/', ''), 2), inProject(''), inProject('0'), inProject('1')]).toEqual([
      ...[0, 0, 0, 1],
    ])
  })

  it.each(['2', '7', '-1', '1.5', '1e0', ' 1', '0x1', 'shop', '99999999999999999999', '__proto__'])(
    'is none where it says %j',
    text => {
      expect(inProject(text)).toBeUndefined()
    },
  )

  it('is kept by the address of the same page in it', () => {
    fc.assert(
      fc.property(fc.constantFrom('overview', 'search', 'review', 'map'), fc.nat(20), (page, project) => {
        const { pathname, search } = new URL(addressIn(page, project), 'http://127.0.0.1')
        const address = readAddress(pathname, search)
        expect([address.page, projectOf(address, 21)]).toEqual([page, project])
      }),
    )
  })
})

describe('the queue of what waits', () => {
  const entry = (item_id: string) => ({ item_type: 'tool', item_id, space: 'project' })
  const queue = ['a', 'b', 'c'].map(entry)
  const afterIt = (name: string, of = queue) => nextOf(of, name)?.item_id

  it('goes on from each to the next, and from the last to the first', () => {
    expect(['a', 'b', 'c'].map(id => afterIt(entryName(entry(id))))).toEqual(['b', 'c', 'a'])
  })

  it('begins where what is shown is not in it, and has no next where nothing else waits', () => {
    expect([
      afterIt('tool:x@project'),
      afterIt('', []),
      afterIt(entryName(entry('a')), queue.slice(0, 1)),
    ]).toEqual([...['a', undefined, undefined]])
  })

  it('names what it reads, and reads nothing else', () => {
    expect(readName('tool:a/b@project')).toEqual(entry('a/b'))
    for (const text of ['', 'a', 'tool:a', 'a@project', ':a@project', 'tool:@project', 'tool:a@'])
      expect(readName(text)).toBeUndefined()
  })
})
