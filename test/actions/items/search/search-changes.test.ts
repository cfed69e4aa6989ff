import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { knowledge, scratch, skill } from '../../../workspace/scratch.ts'
import { found, ids, SHIP, searchAsAgent } from './search-library.ts'

describe('a library that changes under a server', () => {
  it('sees a file edited, added, renamed and deleted between two searches', async () => {
    const made = await scratch(SHIP, { key: false })
    const agent = async (query: string) =>
      ids(await searchAsAgent(made, { query, source: 'project', match: 'all' }))
    expect(await agent('flour')).toEqual(['kitchen/bread'])

    made.write('.ai/knowledge/kitchen/bread.md', knowledge('kitchen/bread', { body: 'Now with barley.' }))
    expect(await agent('flour')).toEqual([])
    expect(await agent('barley')).toEqual(['kitchen/bread'])

    made.write('.ai/knowledge/kitchen/deep/er/soup.md', knowledge('kitchen/deep/er/soup', { body: 'leek' }))
    expect(await agent('leek')).toEqual(['kitchen/deep/er/soup'])
    made.write('.ai/knowledge/kitchen/deep/er/stew.md', knowledge('kitchen/deep/er/stew', { body: 'turnip' }))
    expect(await agent('turnip')).toEqual(['kitchen/deep/er/stew'])

    renameSync(made.path('.ai/knowledge/kitchen/bread.md'), made.path('.ai/knowledge/kitchen/loaf.md'))
    expect(await agent('barley')).toEqual(['kitchen/loaf'])

    rmSync(made.path('.ai/knowledge/kitchen/loaf.md'))
    expect(await agent('barley')).toEqual([])
    renameSync(made.path('.ai/knowledge/kitchen'), made.path('.ai/knowledge/pantry'))
    expect(await agent('leek')).toEqual(['pantry/deep/er/soup'])
    rmSync(made.path('.ai/knowledge/pantry'), { recursive: true })
    expect(await agent('leek')).toEqual([])
  })

  it('sees a file replaced by one of the same size and time', async () => {
    const made = await scratch({}, { key: false })
    const path = made.write('.ai/knowledge/a.md', knowledge('a', { body: 'apple' }))
    const time = new Date('2024-01-01')
    utimesSync(path, time, time)
    expect(await found(made, 'apple')).toEqual(['a'])
    writeFileSync(`${path}.new`, knowledge('a', { body: 'grape' }))
    utimesSync(`${path}.new`, time, time)
    renameSync(`${path}.new`, path)
    expect(await found(made, 'grape')).toEqual(['a'])
  })

  it('sees the first item of a project that had no folder for it', async () => {
    const made = await scratch({}, { key: false })
    const agent = async () => ids(await searchAsAgent(made, { query: 'apple', source: 'project' }))
    expect(await agent()).toEqual([])
    made.write('.ai/knowledge/a.md', knowledge('a', { body: 'apple' }))
    expect(await agent()).toEqual(['a'])
    mkdirSync(made.path('.claude'))
    made.write('.claude/skills/fruit/SKILL.md', skill('fruit', 'apple'))
    expect((await agent()).sort()).toEqual(['a', 'fruit'])
  })

  it('answers many searches at once', async () => {
    const made = await scratch(SHIP, { key: false })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => searchAsAgent(made, { query: 'flour', source: 'project' })),
    )
    expect(new Set(answers.map(answer => ids(answer).join()))).toEqual(new Set(['kitchen/bread']))
  })

  it('a search that comes while the index is refreshed sees what was written before it', async () => {
    const made = await scratch(SHIP, { key: false })
    const first = searchAsAgent(made, { query: 'flour' })
    made.write('.ai/knowledge/late.md', knowledge('late', { body: 'latecomer' }))
    const second = searchAsAgent(made, { query: 'latecomer', source: 'project' })
    await first
    expect(ids(await second)).toEqual(['late'])
  })
})
