// The library as one of several users may use it.
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PERMISSIONS } from '../../src/user/access/index.ts'
import type { Grant } from '../../src/user/access/tokens.ts'
import { narrowLibrary, requirePermission } from '../../src/workspace/narrow-library.ts'
import { scratch } from './scratch.ts'

const entry = (id: string) =>
  `---\nid: ${id}\ntitle: ${id}\nentry_type: reference\nversion: 1.0.0\n---\n\n${id}\n`

const grantOf = (projects: readonly string[], more: Partial<Grant> = {}): Grant => ({
  ...{ user: 'ada', projects, spaces: ['project', 'user'], permissions: ['search', 'load'] },
  ...more,
})

describe('a narrow library', () => {
  it('opens what is granted, also below it, and nothing else', async () => {
    const { root, project, library } = await scratch()
    const [inner, other] = [join(project, 'inner'), join(root, 'other')]
    for (const folder of [inner, other, `${project}-2`]) mkdirSync(folder)
    symlinkSync(other, join(project, 'out'))
    symlinkSync(project, join(other, 'in'))
    const narrow = narrowLibrary(library, grantOf([project]))
    for (const path of [project, inner, `${project}/`, `${project}/inner/..`]) {
      expect((await narrow.open(path)).library.grant?.user, path).toBe('ada')
    }
    const outside = [
      other,
      root,
      '/',
      `${project}-2`,
      `${project}/../other`,
      join(project, 'out'),
      join(other, 'in'),
      '',
    ]
    for (const path of outside) {
      await expect(narrow.open(path), path).rejects.toMatchObject({ code: 'POLICY_DENIED' })
    }
    const [there, absent] = await Promise.all(
      [other, `${other}-absent`].map(path => narrow.open(path).catch((thrown: Error) => thrown.message)),
    )
    expect(String(absent).replace('-absent', ''), 'what is there is told to nobody').toBe(there)
  })

  it('finds items of the granted spaces, while the index keeps them all', async () => {
    const { project, library, write } = await scratch()
    write('.ai/knowledge/ours.md', entry('ours'))
    write('user:.ai/knowledge/theirs.md', entry('theirs'))
    const own = await narrowLibrary(library, grantOf([project], { spaces: ['project'] })).open(project)
    const names = (workspace: typeof own) =>
      workspace.list(['knowledge']).items.map(({ entry: { id } }) => id)
    expect(names(own)).toContain('ours')
    expect(names(own)).not.toContain('theirs')
    expect(own.has({ type: 'knowledge', id: 'theirs' })).toBe(false)
    expect(own.roots).toEqual((await library.open(project)).roots)
    const user = await narrowLibrary(library, grantOf([project], { spaces: ['user'] })).open(project)
    expect([names(user).includes('ours'), names(user).includes('theirs')]).toEqual([false, true])
    expect(user.has({ type: 'tool', id: 'rye/bash' }), 'the package is for everybody').toBe(true)
  })

  it('never permits more than the grant and the policy both do', async () => {
    const { project, library } = await scratch()
    await fc.assert(
      fc.asyncProperty(fc.subarray([...PERMISSIONS]), async permissions => {
        const narrow = narrowLibrary(library, grantOf([project], { permissions }))
        for (const permission of PERMISSIONS) {
          const permitted = permissions.includes(permission)
          const ask = () => requirePermission(narrow, permission)
          if (permitted) expect(ask).not.toThrow()
          else expect(ask).toThrow(`does not permit \`${permission}\``)
        }
        const [whole, cut] = [await library.policy(), await narrow.policy()]
        expect(cut.mcp.sign).toBe(permissions.includes('sign') ? whole.mcp.sign : 'deny')
        expect(cut.execute).toEqual(whole.execute)
      }),
      { numRuns: 20 },
    )
    for (const permission of PERMISSIONS) expect(() => requirePermission(library, permission)).not.toThrow()
  })
})
