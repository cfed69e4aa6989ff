import { symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { itemRoots } from '../../src/scan/item-roots.ts'
import { temporaryTree } from './temporary-tree.ts'

function shown(root: string, places: Parameters<typeof itemRoots>[0], type: string): string[] {
  return itemRoots(places)
    .filter(found => found.type === type)
    .map(
      found =>
        `${found.space}${found.folder} ${[found.base, ...found.segments].join('/').slice(root.length + 1)}`,
    )
}

describe('the roots of items', () => {
  it('are a folder for each type in each space, and the skill folders of other clients', () => {
    const root = temporaryTree({ 'project/': '', 'user/': '', 'home/': '', 'system/': '' })
    const places = {
      projectPath: `${root}/project`,
      userSpace: `${root}/user`,
      home: `${root}/home`,
      systemRoot: `${root}/system`,
    }
    expect(shown(root, places, 'tool')).toEqual([
      'project0 project/.ai/tools',
      'user0 user/.ai/tools',
      'system0 system/tools',
    ])
    expect(shown(root, places, 'config')).toHaveLength(3)
    expect(shown(root, places, 'skill')).toEqual([
      'project0 project/.ai/skills',
      'user0 user/.ai/skills',
      'system0 system/skills',
      'project1 project/.claude/skills',
      'user1 home/.claude/skills',
      'project2 project/.agents/skills',
      'user2 home/.agents/skills',
    ])
  })

  it('are those that projects share when there is no project', () => {
    const root = temporaryTree({ 'home/.ai/tools/a.sh': '' })
    const home = `${root}/home`
    const places = { projectPath: undefined, userSpace: home, home, systemRoot: `${root}/system` }
    expect(shown(root, places, 'skill')).toEqual([
      'user0 home/.ai/skills',
      'system0 system/skills',
      'user1 home/.claude/skills',
      'user2 home/.agents/skills',
    ])
  })

  it('belong to the project alone when the project is the home directory, by whatever path', () => {
    const root = temporaryTree({ 'home/.ai/tools/a.sh': '' })
    symlinkSync('home', `${root}/link`)
    const places = {
      projectPath: `${root}/link`,
      userSpace: `${root}/home`,
      home: `${root}/home`,
      systemRoot: root,
    }
    expect(shown(root, places, 'tool')).toEqual(['project0 home/.ai/tools', 'system0 tools'])
    expect(shown(root, places, 'skill').filter(line => line.startsWith('user'))).toEqual([])
  })
})
