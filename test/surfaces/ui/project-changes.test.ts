// What a page is told to request again: each kind of data by what it is made of.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ProjectChanges } from '../../../src/surfaces/ui/project-changes.ts'
import { type Library, openLibrary } from '../../../src/workspace/index.ts'
import { type LibrarySession, openSession } from '../../fixtures/library-session.ts'

let session: LibrarySession
let library: Library
let changes: ProjectChanges
afterEach(async () => {
  changes.close()
  await library.close()
  await session.close()
})

async function open(): Promise<void> {
  session = await openSession({ signing: true })
  library = openLibrary({ environment: session.environment, watches: true })
  changes = new ProjectChanges(library, session.project)
}

describe('the locks', () => {
  it.each(['project', 'user'] as const)('of the %s is followed: made, written and gone', async space => {
    await open()
    const folder = join(session[space], '.ai')
    const lock = join(folder, 'rye.lock')
    mkdirSync(folder, { recursive: true })
    const sources = async () => (await changes.look()).sources
    const first = await sources()
    expect(await sources()).toBe(first)
    writeFileSync(lock, 'rye lock v1\n')
    expect(await sources()).toBe(first + 1)
    writeFileSync(lock, 'rye lock v1\n\n')
    expect(await sources()).toBe(first + 2)
    rmSync(lock)
    expect(await sources()).toBe(first + 3)
    expect(await sources()).toBe(first + 3)
  })

  it('are no items: what is searched and judged is not looked at for them', async () => {
    await open()
    mkdirSync(join(session.project, '.ai'), { recursive: true })
    await changes.look()
    const { items } = await changes.look()
    writeFileSync(join(session.project, '.ai', 'rye.lock'), 'rye lock v1\n')
    expect((await changes.look()).items).toBe(items)
  })

  it('that are a folder end nothing', async () => {
    await open()
    const { sources } = await changes.look()
    mkdirSync(join(session.project, '.ai', 'rye.lock'), { recursive: true })
    expect((await changes.look()).sources).toBe(sources + 1)
  })
})
