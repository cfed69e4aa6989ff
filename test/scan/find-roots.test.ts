import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findRoots, stampFound } from '../../src/scan/find-roots.ts'
import { rewriteInPlace } from '../files/rewrite-in-place.ts'
import { createLibrary } from './library.ts'

/** Of project, user and system. */
async function stamps({ roots }: ReturnType<typeof createLibrary>): Promise<string[]> {
  const groups = (['project', 'user', 'system'] as const).map(space =>
    roots.filter(root => root.space === space),
  )
  const made = await findRoots(groups)
  expect(made).toHaveLength(3)
  return made!.map(stampFound)
}

function tools(...names: string[]): ReturnType<typeof createLibrary> {
  return createLibrary(
    ...names.map(name => `project/.ai/tools/${name}`),
    'user/.ai/tools/a.py',
    'system/tools/a.py',
  )
}

describe.runIf(process.platform === 'linux')('the stamps of roots', () => {
  it('are the same as long as nothing changes', async () => {
    const library = tools('a.py', 'b/c.py')
    expect(await stamps(library)).toEqual(await stamps(library))
  })

  it.each<[string, (folder: string) => void]>([
    ['other bytes of the same length, with the old time put back', folder => rewrite(`${folder}/a.py`)],
    ['another file renamed over it', folder => renameSync(`${folder}/same.py`, `${folder}/a.py`)],
    ['a new file far below', folder => writeFileSync(`${folder}/b/new.py`, '')],
    ['a file that is gone', folder => rmSync(`${folder}/b/c.py`)],
    ['another name', folder => renameSync(`${folder}/b/c.py`, `${folder}/b/d.py`)],
    ['another name of a folder', folder => renameSync(`${folder}/b`, `${folder}/d`)],
    ['other permissions', folder => chmodSync(`${folder}/a.py`, 0o600)],
    ['a link in the place of the root', folder => relink(folder)],
    ['a root that is gone', folder => rmSync(folder, { recursive: true })],
    ['a name with a line break', folder => writeFileSync(`${folder}/b/\n0 x.py`, '')],
  ])('differ after %s, for the space that changed', async (_what, change) => {
    const library = tools('a.py', 'same.py', 'b/c.py')
    utimesSync(`${library.root}/project/.ai/tools/a.py`, 1e9, 1e9)
    const before = await stamps(library)
    change(`${library.root}/project/.ai/tools`)
    const after = await stamps(library)
    expect(after[0]).not.toBe(before[0])
    expect(after.slice(1)).toEqual(before.slice(1))
  })

  it('tell a root that comes from one that is not there', async () => {
    const library = tools('a.py')
    const before = await stamps(library)
    mkdirSync(`${library.root}/user/.ai/knowledge`)
    const after = await stamps(library)
    expect([after[0], after[2]]).toEqual([before[0], before[2]])
    expect(after[1]).not.toBe(before[1])
  })

  it('leave out folders that are never searched', async () => {
    const library = tools('a.py', 'node_modules/x/index.js')
    const before = await stamps(library)
    writeFileSync(`${library.root}/project/.ai/tools/node_modules/x/index.js`, 'changed')
    expect(await stamps(library)).toEqual(before)
  })

  it('are none when there are no roots', async () => {
    expect(await findRoots([[], []])).toBeUndefined()
  })
})

function rewrite(path: string): void {
  rewriteInPlace(path, 'x'.repeat('project/.ai/tools/a.py'.length))
}

/** The link leads to the same folder, which would be a way around the rule that links are not followed. */
function relink(folder: string): void {
  renameSync(folder, `${folder}-moved`)
  symlinkSync(`${folder}-moved`, folder)
}
