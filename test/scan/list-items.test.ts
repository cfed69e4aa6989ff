import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listItems } from '../../src/scan/list-items.ts'
import { systemExtractors } from '../extract/system-extractors.ts'
import { createLibrary, type Library, ODD_CASES } from './library.ts'

const extractors = await systemExtractors()

function items(library: Library): string[] {
  return listItems(library.roots, extractors).items.map(
    item => `${item.type}:${item.id}@${item.space} ${item.path.slice(library.root.length + 1)}`,
  )
}

function skipped(library: Library): string[] {
  return listItems(library.roots, extractors).skipped.map(
    entry => `${entry.reason} ${entry.path.slice(library.root.length + 1)}`,
  )
}

describe('listing items', () => {
  it('finds each type in each space', () => {
    const library = createLibrary(
      'project/.ai/directives/rye/init.md',
      'user/.ai/tools/git/status.sh',
      'system/knowledge/rye/core/parsers.md',
      'system/config/limits.yaml',
    )
    expect(items(library)).toEqual([
      'directive:rye/init@project project/.ai/directives/rye/init.md',
      'tool:git/status@user user/.ai/tools/git/status.sh',
      'knowledge:rye/core/parsers@system system/knowledge/rye/core/parsers.md',
      'config:limits@system system/config/limits.yaml',
    ])
    expect(skipped(library)).toEqual([])
  })

  it('lists both files of one id, for precedence to decide', () => {
    const library = createLibrary('project/.ai/tools/a.sh', 'project/.ai/tools/a.py', 'user/.ai/tools/a.py')
    expect(listItems(library.roots, extractors).items.map(item => item.space + item.extension)).toEqual([
      'project.py',
      'project.sh',
      'user.py',
    ])
  })

  it('reports what is no item, but not the signature beside a JSON tool', () => {
    const library = createLibrary(
      'project/.ai/tools/notes.txt',
      'project/.ai/tools/Makefile',
      'project/.ai/tools/UPPER.PY',
      'project/.ai/tools/a.json',
      'project/.ai/tools/a.json.sig',
      'project/.ai/tools/a.py.sig',
    )
    expect(items(library)).toHaveLength(1)
    expect(skipped(library)).toEqual([
      'not-an-item project/.ai/tools/Makefile',
      'not-an-item project/.ai/tools/UPPER.PY',
      'not-an-item project/.ai/tools/a.py.sig',
      'not-an-item project/.ai/tools/notes.txt',
    ])
  })

  it('passes over names that are no ids', () => {
    const names = [
      'new\nline.md',
      'spa ce.md',
      'ünï.md',
      '.md',
      '.hidden.md',
      '-dash.md',
      `${'n'.repeat(252)}.md`,
    ]
    const library = createLibrary(
      ...names.map(name => `project/.ai/knowledge/${name}`),
      `project/.ai/knowledge/${'deep/'.repeat(60)}x.md`,
      'project/.ai/knowledge/v1.2/a.b.md',
    )
    expect(items(library)).toEqual([
      `knowledge:${'n'.repeat(252)}@project project/.ai/knowledge/${'n'.repeat(252)}.md`,
      'knowledge:v1.2/a.b@project project/.ai/knowledge/v1.2/a.b.md',
    ])
    const found = listItems(library.roots, extractors).skipped
    expect(found.map(entry => entry.reason)).toEqual(Array(7).fill('invalid-name'))
    expect(found[0]!.message).toMatch(/^the path is not an item id: /)
  })

  it('takes a folder with SKILL.md as one skill, and nothing inside it as another', () => {
    const library = createLibrary(
      'project/.ai/skills/pdf/SKILL.md',
      'project/.ai/skills/pdf/LICENSE',
      'project/.ai/skills/pdf/scripts/inner/SKILL.md',
      'project/.ai/skills/office/word/SKILL.md',
      'project/.ai/skills/README.md',
      'project/.ai/skills/SKILL.md',
      'project/.claude/skills/web/SKILL.md',
      'user/.agents/skills/pdf/SKILL.md',
    )
    expect(items(library)).toEqual([
      'skill:office/word@project project/.ai/skills/office/word/SKILL.md',
      'skill:pdf@project project/.ai/skills/pdf/SKILL.md',
      'skill:web@project project/.claude/skills/web/SKILL.md',
      'skill:pdf@user user/.agents/skills/pdf/SKILL.md',
    ])
    expect(skipped(library)).toEqual([
      'not-an-item project/.ai/skills/README.md',
      'not-an-item project/.ai/skills/SKILL.md',
    ])
  })

  it('takes `Skill.md` as well, and `SKILL.md` where both are', () => {
    const library = createLibrary(...ODD_CASES)
    expect(items(library)).toEqual([
      'skill:both@project project/.ai/skills/both/SKILL.md',
      'skill:folder@project project/.ai/skills/folder/skill.md',
      'skill:odd@project project/.ai/skills/odd/Skill.md',
    ])
  })

  it('skips a skill below a name with `_`, but counts such names inside a skill as parts', () => {
    const library = createLibrary(
      'project/.ai/skills/_drafts/pdf/SKILL.md',
      'project/.ai/skills/word/SKILL.md',
      'project/.ai/skills/word/scripts/__init__.py',
      'project/.ai/skills/word/.git/HEAD',
    )
    expect(items(library)).toEqual(['skill:word@project project/.ai/skills/word/SKILL.md'])
    expect(skipped(library)).toEqual([
      'skipped-name project/.ai/skills/word/.git',
      'skipped-name project/.ai/skills/_drafts/pdf/SKILL.md',
    ])
    const before = listItems(library.roots, extractors).items[0]!
    writeFileSync(`${library.root}/project/.ai/skills/word/scripts/__init__.py`, 'import os')
    expect(listItems(library.roots, extractors).items[0]).not.toEqual(before)
  })

  it('sees every change inside a skill, also a new name', () => {
    const library = createLibrary('project/.ai/skills/pdf/SKILL.md', 'project/.ai/skills/pdf/scripts/a.py')
    const folder = `${library.root}/project/.ai/skills/pdf`
    const state = () => {
      const { size, mtimeMs, inode } = listItems(library.roots, extractors).items[0]!
      return `${size} ${mtimeMs} ${inode}`
    }
    const states = [state()]
    expect(state()).toBe(states[0])
    renameSync(`${folder}/scripts/a.py`, `${folder}/scripts/b.py`)
    states.push(state())
    writeFileSync(`${folder}/scripts/b.py`, 'longer than before')
    states.push(state())
    writeFileSync(`${folder}/new.md`, '')
    states.push(state())
    expect(new Set(states).size).toBe(4)
  })

  it('refuses a project whose `.ai` or type folder is a link, and says so', () => {
    const library = createLibrary('user/.ai/tools/mine.sh')
    symlinkSync(`${library.root}/user/.ai`, `${library.root}/project/.ai`)
    expect(items(library)).toEqual(['tool:mine@user user/.ai/tools/mine.sh'])
    expect(skipped(library)).toEqual(['symbolic-link project/.ai'])

    const other = createLibrary('project/.ai/', 'user/.ai/tools/mine.sh')
    symlinkSync(`${other.root}/user/.ai/tools`, `${other.root}/project/.ai/tools`)
    expect(items(other)).toEqual(['tool:mine@user user/.ai/tools/mine.sh'])
    expect(skipped(other)).toEqual(['symbolic-link project/.ai/tools'])
  })

  it('follows the link by which the user keeps `.ai` elsewhere', () => {
    const library = createLibrary('dotfiles/ai/tools/mine.sh')
    symlinkSync(`${library.root}/dotfiles/ai`, `${library.root}/user/.ai`)
    const roots = library.roots
    expect(listItems(roots, extractors).items.map(item => item.id)).toEqual(['mine'])
  })

  it('passes over a type folder that is a file', () => {
    const library = createLibrary('project/.ai/tools')
    expect(items(library)).toEqual([])
  })

  it('takes another item file or extension from the extractor alone', () => {
    const skill = { ...extractors.get('skill')!, itemFile: 'ABILITY', extensions: ['.txt'] }
    const tool = { ...extractors.get('tool')!, extensions: ['.pl'] }
    const library = createLibrary('project/.ai/skills/x/ABILITY.txt', 'project/.ai/tools/y.pl')
    mkdirSync(`${library.root}/project/.ai/tools/z.pl`)
    const listing = listItems(
      library.roots,
      new Map([
        ['skill', skill],
        ['tool', tool],
      ] as const),
    )
    expect(listing.items.map(item => item.id)).toEqual(['y', 'x'])
  })
})
