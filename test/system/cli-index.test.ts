// The index under real conditions: a read-only project, damage, two processes at once, files that change.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { indexFile } from '../fixtures/kept-places.ts'
import { knowledge } from '../workspace/scratch.ts'
import { makePlace, type Place, PROGRAM, type Ran } from './run-rye.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
  add('bread', 'flour and water')
})
afterEach(() => place.remove())

function add(id: string, body: string): void {
  const folder = join(place.project, '.ai/knowledge')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${id}.md`), knowledge(id, { body }))
}

async function found(query: string): Promise<string[]> {
  const ran = await place.rye(['search', query, '--source', 'project', '--json'])
  return ran.json().results.map((result: { id: string }) => result.id)
}

function linkTo(path: string, target: string): void {
  rmSync(path)
  symlinkSync(target, path)
}

const index = () => indexFile(place.environment.XDG_CACHE_HOME!, place.project)

describe('the index', () => {
  it('lies in the cache of the user, and leaves no trace in the project', async () => {
    expect(await found('flour')).toEqual(['bread'])
    expect(existsSync(index())).toBe(true)
    expect(readdirSync(join(place.project, '.ai'))).toEqual(['knowledge'])
  })

  it('of a project without .ai leaves no trace in it', async () => {
    rmSync(join(place.project, '.ai'), { recursive: true })
    expect(await found('flour')).toEqual([])
    expect(readdirSync(place.project)).toEqual([])
  })

  it('of a read-only project is as good', async () => {
    const words = [
      ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
      ['--bind', join(place.root, 'user'), join(place.root, 'user')],
      ['--bind', join(place.root, 'cache'), join(place.root, 'cache')],
      ['--chdir', place.project],
      [process.execPath, PROGRAM, 'search', 'flour', '--source', 'project', '--json'],
    ]
    mkdirSync(join(place.root, 'cache'))
    for (let time = 0; time < 2; time++) {
      const ran = await place.run('bwrap', words.flat())
      expect(ran.stderr).toBe('')
      expect(ran.json().results[0].id).toBe('bread')
    }
    expect(existsSync(join(place.project, '.ai/state'))).toBe(false)
    expect(readdirSync(join(place.root, 'cache/rye/index')).length).toBeGreaterThan(0)
  })

  it.each([
    ['garbage', (path: string) => writeFileSync(path, 'this is no database'.repeat(1000))],
    ['cut short', (path: string) => truncateSync(path, 5000)],
    ['empty', (path: string) => writeFileSync(path, '')],
    ['a link to nothing', (path: string) => linkTo(path, '/no/such/place')],
  ])('that is %s is made anew without a word', async (_title, damage) => {
    await found('flour')
    for (const suffix of ['-wal', '-shm']) rmSync(index() + suffix, { force: true })
    damage(index())
    const ran = await place.rye(['search', 'flour', '--source', 'project', '--json'])
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(ran.json().results[0].id).toBe('bread')
  })

  it('is searched and written by many processes at once', async () => {
    for (let index = 0; index < 60; index++) add(`note-${index}`, `zebra number${index}`)
    // A busy machine may write for longer than others wait: they are told so, and try again.
    const insist = async (words: readonly string[]): Promise<Ran> => {
      const ran = await place.start([...words, '--json'])
      const isTold = ran.stdout.includes('another process has been writing the index for seconds')
      return isTold ? insist(words) : ran
    }
    const runs = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        insist(index % 2 === 0 ? ['index', '--rebuild'] : ['search', 'zebra', '--source', 'project']),
      ),
    )
    for (const ran of runs) expect(ran).toMatchObject({ status: 0, stderr: '' })
    for (const ran of runs.filter((_, index) => index % 2 === 1)) {
      // A rebuild may be under way, so fewer may be seen; never one twice.
      const { total } = ran.json()
      expect(total).toBeLessThanOrEqual(60)
    }
    expect((await place.rye(['search', 'zebra', '--json'])).json().total).toBe(60)
  })

  it('follows changes with --watch, until it is interrupted', async () => {
    const before = (await place.rye(['index', '--json'])).json()
    const child = spawn(process.execPath, [PROGRAM, 'index', '--watch', '--json'], {
      cwd: place.project,
      env: place.environment,
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', chunk => {
      stdout += chunk
    })
    const noted = (text: string) =>
      new Promise<void>((resolve, reject) => {
        child.stderr.on('data', chunk => {
          stderr += chunk
          if (stderr.includes(text)) resolve()
        })
        child.on('close', status => reject(new Error(`ended with ${status}: ${stderr}`)))
      })
    const closed = new Promise<number | null>(resolve => child.on('close', resolve))
    const writing = setInterval(() => add(`late-${Date.now()}`, 'latecomer'), 300)
    await noted('added').finally(() => clearInterval(writing))
    child.kill('SIGINT')
    expect(await closed).toBe(130)
    // One document, of all that was done until then.
    const { added, items } = JSON.parse(stdout)
    const after = (await place.rye(['index', '--json'])).json()
    expect(items).toBe(after.items - after.added)
    expect(added).toBe(items - before.items)
  })
})
