import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { glanceAtRoots } from '../../src/scan/find-digest.ts'
import { createLibrary } from './library.ts'

/** Of project, user and system. */
async function look({ roots }: ReturnType<typeof createLibrary>): Promise<string[]> {
  const groups = (['project', 'user', 'system'] as const).map(space =>
    roots.filter(root => root.space === space),
  )
  const seen = await glanceAtRoots(groups)
  expect(seen).toHaveLength(3)
  return seen!
}

function tools(...names: string[]): ReturnType<typeof createLibrary> {
  return createLibrary(
    ...names.map(name => `project/.ai/tools/${name}`),
    'user/.ai/tools/a.py',
    'system/tools/a.py',
  )
}

describe.runIf(process.platform === 'linux')('a look from afar', () => {
  it('sees the same as long as nothing changes', async () => {
    const library = tools('a.py', 'b/c.py')
    expect(await look(library)).toEqual(await look(library))
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
  ])('differs after %s, for the space that changed', async (_what, change) => {
    const library = tools('a.py', 'same.py', 'b/c.py')
    const before = await look(library)
    change(`${library.root}/project/.ai/tools`)
    const after = await look(library)
    expect(after[0]).not.toBe(before[0])
    expect(after.slice(1)).toEqual(before.slice(1))
  })

  it('tells a root that comes from one that is not there', async () => {
    const library = tools('a.py')
    const before = await look(library)
    mkdirSync(`${library.root}/user/.ai/knowledge`)
    const after = await look(library)
    expect([after[0], after[2]]).toEqual([before[0], before[2]])
    expect(after[1]).not.toBe(before[1])
  })

  it('does not look into folders that are never searched', async () => {
    const library = tools('a.py', 'node_modules/x/index.js')
    const before = await look(library)
    writeFileSync(`${library.root}/project/.ai/tools/node_modules/x/index.js`, 'changed')
    expect(await look(library)).toEqual(before)
  })

  it('says nothing when there is nothing to look at', async () => {
    expect(await glanceAtRoots([[], []])).toBeUndefined()
  })
})

function rewrite(path: string): void {
  writeFileSync(path, 'x'.repeat('project/.ai/tools/a.py'.length))
  utimesSync(path, 1e9, 1e9)
}

/** What stands behind the link is the same folder, which would be a way around the rule that links are not followed. */
function relink(folder: string): void {
  renameSync(folder, `${folder}-moved`)
  symlinkSync(`${folder}-moved`, folder)
}
