import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Folder, growTree } from '../../page/text/file-tree.ts'

it('files are in their folders, after the files beside them', () => {
  const files = ['SKILL.md', 'scripts/a.py', 'LICENSE', 'scripts/deep/b.py'].map(path => ({ path }))
  const [skill, a, license, b] = files
  expect(growTree(files)).toEqual({
    name: '',
    files: [
      { name: 'SKILL.md', file: skill },
      { name: 'LICENSE', file: license },
    ],
    folders: [
      {
        name: 'scripts',
        files: [{ name: 'a.py', file: a }],
        folders: [{ name: 'deep', files: [{ name: 'b.py', file: b }], folders: [] }],
      },
    ],
  })
})

it('each file is in the tree once, where its path leads', () => {
  const name = fc.constantFrom('a', 'b', 'constructor', '__proto__', 'SKILL.md')
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'))
  fc.assert(
    fc.property(fc.uniqueArray(path), paths => {
      expect(pathsIn(growTree(paths.map(one => ({ path: one }))), '').sort()).toEqual([...paths].sort())
    }),
  )
})

function pathsIn(folder: Folder<{ path: string }>, prefix: string): string[] {
  return [
    ...folder.files.map(({ name, file }) => {
      expect(prefix + name).toBe(file.path)
      return file.path
    }),
    ...folder.folders.flatMap(inner => pathsIn(inner, `${prefix}${inner.name}/`)),
  ]
}
