// `rye/registry` and what the project already has: a pull writes through no link, writes all or nothing, and
// overwrites nothing that appeared meanwhile.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acquireMutex } from '../../src/files/file-mutex.ts'
import { projectStates } from '../../src/user/project-state.ts'
import type { Answer } from '../fixtures/library-session.ts'
import { until } from '../fixtures/patience.ts'
import { skill } from '../workspace/scratch.ts'
import { tar } from './hostile-archive.ts'
import { GREET, type HostileRegistry, openHostileRegistry } from './hostile-registry.ts'

let registry: HostileRegistry
beforeAll(async () => {
  registry = await openHostileRegistry()
})
beforeEach(() => registry.replies.clear())
afterAll(() => registry.close())

const tool = (name: string) => registry.tool(name)

describe('the project', () => {
  it('keeps its links: nothing is written through one', async () => {
    registry.offer(gzipSync(tar([tool('team/greet.py')])))
    mkdirSync(join(registry.session.project, '.ai/tools'), { recursive: true })
    symlinkSync(registry.session.outside, join(registry.session.project, '.ai/tools/team'))
    expect((await registry.pull({ overwrite: true })).error).toContain('is a link, or lies behind one')
    expect(existsSync(join(registry.session.outside, 'greet.py'))).toBe(false)
    rmSync(join(registry.session.project, '.ai/tools/team'))
    mkdirSync(join(registry.session.project, '.ai/tools/team'))
    symlinkSync(join(registry.session.outside, 'greet.py'), join(registry.session.project, GREET))
    expect((await registry.pull({ overwrite: true })).error).toContain('is a link, or lies behind one')
    rmSync(join(registry.session.project, GREET))
    mkdirSync(join(registry.session.project, GREET))
    expect((await registry.pull({ overwrite: true })).error).toContain('is not a file')
    rmSync(join(registry.session.project, '.ai/tools'), { recursive: true })
  })

  it('is as it was when a file cannot be put into place', async () => {
    registry.offer(gzipSync(tar([tool('a/x.py'), tool('b/x.py'), tool('z/y/x.py')])))
    registry.session.write('.ai/tools/a/x.py', '# mine\n')
    registry.session.write('.ai/tools/z/y', 'a file where a folder is needed\n')
    const answer = await registry.pull({ overwrite: true })
    expect(answer.status).toBe('error')
    expect(registry.written()).toEqual(['tools', 'tools/a', 'tools/a/x.py', 'tools/z', 'tools/z/y'])
    expect(readFileSync(join(registry.session.project, '.ai/tools/a/x.py'), 'utf8')).toBe('# mine\n')
    rmSync(join(registry.session.project, '.ai/tools'), { recursive: true })
  })
})

it('a skill is not copied to where it would become a part of another', async () => {
  const { session } = registry
  const paths = ['SKILL.md', 'SKILL.sig'].map(name => `.ai/skills/tea/green/${name}`)
  session.write(paths[0]!, skill('green'))
  expect(await session.call('sign', { item_id: 'skill:tea/green' })).toMatchObject({ status: 'signed' })
  const entries = paths.map(path => ({
    name: `package/${path}`,
    data: readFileSync(join(session.project, path)),
  }))
  registry.offer(gzipSync(tar(entries)))
  // From then on it is known which package has the item.
  expect(await registry.pull()).toMatchObject({ status: 'success' })
  rmSync(join(session.project, '.ai/skills/tea'), { recursive: true })
  session.write('.ai/skills/tea/SKILL.md', skill('tea'))
  const load = { item_id: 'skill:tea/green', source: 'registry', destination: 'project', overwrite: true }
  expect(await session.call('load', load)).toMatchObject({
    code: 'ITEM_EXISTS',
    error: expect.stringContaining('`.ai/skills/tea/SKILL.md` is a skill around it'),
  })
  expect(existsSync(join(session.project, paths[0]!))).toBe(false)
  for (const name of ['skills', 'rye.lock']) rmSync(join(session.project, '.ai', name), { recursive: true })
})

describe('while another change has its turn', () => {
  /** The answer of a call that got its archive, and waited for its turn while `meanwhile` was done. */
  async function delayed(call: () => Promise<Answer>, meanwhile: () => void): Promise<Answer> {
    const { project, user, environment } = registry.session
    const states = projectStates({ userSpace: user, cacheRoot: environment.XDG_CACHE_HOME! })
    const turn = await acquireMutex(join(states.make(project).path, 'sources.lock'), {
      waitMs: 1000,
      holdMs: 60_000,
    })
    let isFetched = false
    const archive = registry.replies.get('/bad/-/bad-1.0.0.tgz')!
    registry.replies.set('/bad/-/bad-1.0.0.tgz', (response, request) => {
      response.once('finish', () => {
        isFetched = true
      })
      archive(response, request)
    })
    const answer = call()
    await until(() => isFetched)
    // For a call that would look before it has its turn; one that looks later passes however long this takes.
    await new Promise(resolve => setTimeout(resolve, 500))
    meanwhile()
    turn.release()
    return answer
  }
  const mine = () => registry.session.write(GREET, '# mine\n')
  const greet = () => readFileSync(join(registry.session.project, GREET), 'utf8')

  it('a pull waits, and does not write over what came meanwhile', async () => {
    registry.offer(gzipSync(tar([tool('team/greet.py')])))
    const answer = await delayed(() => registry.pull(), mine)
    expect(answer).toMatchObject({ status: 'error', data: { conflicts: [GREET] } })
    expect(greet()).toBe('# mine\n')
    expect(registry.written()).not.toContain('rye.lock')
    rmSync(join(registry.session.project, '.ai/tools'), { recursive: true })
  })

  it('so does a copy of one item', async () => {
    const own = { name: `package/${GREET}`, data: registry.own }
    registry.offer(gzipSync(tar([own])))
    // From then on it is known which package has the item.
    expect(await registry.pull()).toMatchObject({ status: 'success' })
    rmSync(join(registry.session.project, '.ai/tools'), { recursive: true })
    const load = { item_id: 'tool:team/greet', source: 'registry', destination: 'project' }
    const answer = await delayed(() => registry.session.call('load', load), mine)
    expect(answer).toMatchObject({ code: 'ITEM_EXISTS', hint: expect.stringContaining('overwrite') })
    expect(greet()).toBe('# mine\n')
  })
})
