// `rye/registry` and what is in the project already: a pull writes through no link, and all or nothing.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
