import { describe, expect, it } from 'vitest'
import { itemsOf } from '../../../src/registry/index.ts'
import { systemExtractors } from '../../extract/system-extractors.ts'

const extractors = await systemExtractors()

function found(...paths: string[]) {
  const { items, strays } = itemsOf(new Map(paths.map(path => [path, new Uint8Array()])), extractors)
  return { items: items.map(({ ref, path, paths: own }) => [ref, path, own.length]), strays }
}

describe('a skill of a bundle', () => {
  it('is the folder around its main file, in whatever case that is', () => {
    const paths = ['skills/tea/Skill.md', 'skills/tea/notes.md', 'skills/a/b/skill.md', 'skills/pdf/SKILL.md']
    expect(found(...paths)).toEqual({
      items: [
        ['skill:a/b', 'skills/a/b/skill.md', 1],
        ['skill:pdf', 'skills/pdf/SKILL.md', 1],
        ['skill:tea', 'skills/tea/Skill.md', 2],
      ],
      strays: [],
    })
  })

  it('is one, where two names differ in nothing but case', () => {
    expect(found('skills/tea/skill.md', 'skills/tea/SKILL.md')).toEqual({
      items: [['skill:tea', 'skills/tea/SKILL.md', 2]],
      strays: [],
    })
  })

  it('has what looks like another skill in it as a part', () => {
    expect(found('skills/tea/SKILL.md', 'skills/tea/green/SKILL.md')).toEqual({
      items: [['skill:tea', 'skills/tea/SKILL.md', 2]],
      strays: [],
    })
  })

  it('is none without a folder of its own', () => {
    expect(found('skills/SKILL.md', 'skills/tea/notes.md', 'tools/SKILL.md')).toMatchObject({
      items: [],
      strays: ['skills/SKILL.md', 'skills/tea/notes.md', 'tools/SKILL.md'],
    })
  })
})
