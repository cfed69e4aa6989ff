import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findKnowledgeFiles } from '../../../src/skills/folders/find-knowledge-files.ts'
import { findSkillFolders } from '../../../src/skills/folders/find-skill-folders.ts'
import { SKILL_LIMITS } from '../../../src/skills/folders/walk-directory.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rye-skills-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, content: string | Uint8Array = 'x'): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

describe('skill folders', () => {
  it('are the topmost folders that hold a SKILL.md, by path', () => {
    put('b/SKILL.md')
    put('_a/SKILL.md')
    put('_a/scripts/__init__.py')
    put('group/c/SKILL.md')
    put('group/c/examples/d/SKILL.md')
    const folders = [...findSkillFolders(root).folders()]
    expect(folders.map(folder => `${folder.path} ${folder.name}`)).toEqual(['_a _a', 'b b', 'group/c c'])
    expect([...folders[0]!.files.keys()]).toEqual(['SKILL.md', 'scripts/__init__.py'])
    expect([...folders[2]!.files.keys()]).toEqual(['SKILL.md', 'examples/d/SKILL.md'])
  })

  it('are also those with a file like `Skill.md`; a folder of that name is told, and makes none', () => {
    put('a/Skill.md')
    put('b/SKILL.md/x.txt')
    mkdirSync(join(root, 'c/skill.md'), { recursive: true })
    put('a/inner/SKILL.md/x.txt')
    const tree = findSkillFolders(root)
    expect(tree.skills.map(({ path }) => path)).toEqual(['a'])
    expect(tree.diagnostics.map(found => `${found.path} ${found.code}`)).toEqual([
      'b/SKILL.md skill-structure',
      'c/skill.md skill-structure',
    ])
    expect(tree.diagnostics[0]!.message).toContain('got a folder with this name')
  })

  it('are read in the folders that were listed, not behind a link that took the place of one', () => {
    put('a/SKILL.md', 'plain')
    put('a/references/r.md', 'plain')
    put('elsewhere/r.md', 'secret')
    const tree = findSkillFolders(root)
    const documents = findKnowledgeFiles(root)
    rmSync(join(root, 'a/references'), { recursive: true })
    symlinkSync('../elsewhere', join(root, 'a/references'))
    const [skill] = [...tree.folders()]
    expect(skill!.files.get('references/r.md')).toBeUndefined()
    expect(tree.diagnostics).toMatchObject([{ path: 'a/references/r.md', code: 'unreadable' }])
    expect([...documents.files()].map(file => file.path)).toEqual(['a/SKILL.md', 'elsewhere/r.md'])
  })

  it('are looked for 32 levels deep', () => {
    put(`${'d/'.repeat(32)}SKILL.md`)
    put(`e/${'d/'.repeat(32)}SKILL.md`)
    const tree = findSkillFolders(root)
    expect([...tree.folders()].map(folder => folder.path)).toEqual(['d/'.repeat(32).slice(0, -1)])
    expect(tree.diagnostics.map(found => `${found.path} ${found.code}`)).toEqual([
      `e${'/d'.repeat(32)} too-deep`,
    ])
  })

  it('may be the directory itself', () => {
    put('SKILL.md')
    put('scripts/a.py')
    put('inner/SKILL.md')
    const [folder, ...others] = [...findSkillFolders(root).folders()]
    expect(others).toEqual([])
    expect([folder!.path, folder!.name]).toEqual(['.', root.slice(root.lastIndexOf('/') + 1)])
  })

  it('are listed whole, and read only where the scanner looks', () => {
    put('a/SKILL.md')
    put('a/assets/big.bin')
    put('a/references/r.md')
    put('a/scripts/run.sh')
    const [folder] = [...findSkillFolders(root).folders()]
    const read = [...folder!.files].filter(([, bytes]) => bytes !== undefined).map(([path]) => path)
    expect([folder!.files.size, read]).toEqual([4, ['SKILL.md', 'references/r.md']])
  })

  it('lack a folder that has scripts alone, which is reported', () => {
    put('a/scripts/x.py')
    const tree = findSkillFolders(root)
    expect([tree.count, tree.diagnostics.map(found => `${found.path} ${found.code}`)]).toEqual([
      0,
      ['a/SKILL.md skill-structure'],
    ])
  })

  it('do not follow links', () => {
    put('a/SKILL.md')
    put('outside/secret.md')
    symlinkSync(join(root, 'outside'), join(root, 'a/references'))
    symlinkSync(join(root, 'a'), join(root, 'twin'))
    const tree = findSkillFolders(root)
    expect([...tree.folders()].map(folder => [...folder.files.keys()])).toEqual([['SKILL.md']])
    expect(tree.diagnostics.map(found => `${found.path} ${found.code}`)).toEqual([
      'twin symbolic-link',
      'a/references symbolic-link',
    ])
  })

  it('leave out a reference of 50 MB, and say so', () => {
    put('a/SKILL.md')
    put('a/references/huge.md', new Uint8Array(50_000_000))
    const tree = findSkillFolders(root)
    expect([...tree.folders()].map(folder => [...folder.files.keys()])).toEqual([['SKILL.md']])
    expect(tree.diagnostics.map(found => `${found.path} ${found.code}`)).toEqual([
      'a/references/huge.md too-large',
    ])
  })

  it('are read up to a number of files and bytes', () => {
    put('a/SKILL.md')
    for (const name of ['a', 'b', 'c']) put(`a/scripts/${name}.py`, 'x'.repeat(100))
    const readWith = (limits: Partial<typeof SKILL_LIMITS>) => {
      const tree = findSkillFolders(root, { ...SKILL_LIMITS, ...limits })
      const [folder] = [...tree.folders()]
      const read = [...folder!.files].filter(([, bytes]) => bytes).map(([path]) => path)
      return [read, tree.diagnostics.map(found => found.path)]
    }
    expect(readWith({ skillFiles: 2 })).toEqual([['SKILL.md', 'scripts/a.py'], ['a']])
    expect(readWith({ skillBytes: 250 })).toEqual([['SKILL.md', 'scripts/a.py', 'scripts/b.py'], ['a']])
    expect(readWith({ entries: 3 })[1]).toEqual(['a/scripts/a.py'])
  })

  it('need a directory', () => {
    put('file')
    expect(() => findSkillFolders(join(root, 'none'))).toThrow(/expected a directory/)
    expect(() => findSkillFolders(join(root, 'file'))).toThrow(/got a file/)
  })
})

describe('knowledge files', () => {
  it('are the Markdown files of a tree, by path', () => {
    put('b.md')
    put('a/c.md')
    put('a/d.txt')
    expect([...findKnowledgeFiles(root).files()].map(file => file.path)).toEqual(['a/c.md', 'b.md'])
  })
})
