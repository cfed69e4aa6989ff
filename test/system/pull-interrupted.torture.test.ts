// A pull that is killed, or whose disk fails, at each of its renames in turn: the next run finds the old
// state or the new one, with the lock that belongs to it.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { IS_TORTURE } from '../fixtures/tries.ts'
import { skill } from '../workspace/scratch.ts'
import { tar } from './hostile-archive.ts'
import { integrityOf, listen, type Reply, sendJson } from './hostile-registry.ts'
import { registrySettings } from './npm-registry.ts'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

const STEP = IS_TORTURE ? 1 : 3
const NAMES = ['a', 'b']
const FILES = NAMES.flatMap(name => ['SKILL.md', 'SKILL.sig', 'more.md'].map(file => `${name}/${file}`))

it.each([
  ['is killed', 'signal=KILL'],
  ['meets a disk that fails', 'error=EIO'],
])('a pull that %s leaves the old state or the new one', { timeout: 300_000 }, async (_, fault) => {
  const place = makePlace()
  onTestFinished(() => place.remove())
  const registry = await openRegistry()
  onTestFinished(registry.close)
  await place.rye(['keys', 'generate'])
  write(place, '.ai/config/rye/registry.yaml', registrySettings(registry.url))
  await place.rye(['sign', 'config:rye/registry'])
  registry.offer({ '1.0.0': await bundleOf(place, 'Old'), '2.0.0': await bundleOf(place, 'New') })
  rmSync(join(place.project, '.ai/skills'), { recursive: true })
  const pull = (version: string) => [
    'registry',
    'pull',
    'pack',
    '--version',
    version,
    '--overwrite',
    '--json',
  ]
  expect((await place.rye(pull('1.0.0'))).json()).toMatchObject({ written: { length: FILES.length } })
  const folders = ['project', 'user'].map(name => join(place.root, name))
  for (const folder of folders) cpSync(folder, `${folder}.before`, { recursive: true })
  const seen = new Set<string>()
  for (let count = 1, isOver = false; !isOver; count += STEP) {
    for (const folder of folders) {
      rmSync(folder, { recursive: true })
      cpSync(`${folder}.before`, folder, { recursive: true })
    }
    const renames = 'rename,renameat,renameat2'
    const inject = ['-e', `trace=${renames}`, '-e', `inject=${renames}:${fault}:when=${count}`]
    const traced = ['-f', '-qq', '-o', join(place.root, 'trace'), ...inject]
    const ran = await place.run('strace', [...traced, process.execPath, PROGRAM, ...pull('2.0.0')])
    isOver = ran.status === 0
    const after = await place.rye(['install', '--frozen', '--json'])
    expect({ count, ...after.json() }).toMatchObject({ edited: [], untrusted: [], written: [] })
    const texts = FILES.filter(path => path.endsWith('.md')).map(path => read(place, path).toString())
    const words = new Set(texts.map(text => (text.includes('New') ? '2.0.0' : '1.0.0')))
    expect([...words], `${fault} at rename ${count}`).toHaveLength(1)
    expect(readFileSync(join(place.project, '.ai/rye.lock'), 'utf8')).toContain(`resolved ${[...words][0]}\n`)
    seen.add([...words][0]!)
  }
  expect([...seen]).toEqual(['1.0.0', '2.0.0'])
})

function write(place: Place, path: string, text: string): void {
  mkdirSync(dirname(join(place.project, path)), { recursive: true })
  writeFileSync(join(place.project, path), text)
}

function read(place: Place, path: string): Buffer {
  return readFileSync(join(place.project, '.ai/skills', path))
}

/** Of skills that the user has signed. */
async function bundleOf(place: Place, description: string): Promise<Buffer> {
  for (const name of NAMES) {
    write(place, `.ai/skills/${name}/SKILL.md`, skill(name, description))
    write(place, `.ai/skills/${name}/more.md`, `${description}\n`)
    expect(await place.rye(['sign', `skill:${name}`])).toMatchObject({ status: 0 })
  }
  const entries = FILES.map(path => ({ name: `package/.ai/skills/${path}`, data: read(place, path) }))
  return gzipSync(tar(entries))
}

/** With one package, `pack`. */
async function openRegistry() {
  const replies = new Map<string, Reply>()
  const server = createServer((request, response) => {
    const reply = replies.get(request.url!)
    if (reply) reply(response, request)
    else response.writeHead(404).end()
  })
  const url = await listen(server)
  return {
    url,
    offer(archives: Readonly<Record<string, Buffer>>) {
      const versions = Object.entries(archives).map(([version, archive]) => {
        const path = `pack/-/pack-${version}.tgz`
        replies.set(`/${path}`, response => response.end(archive))
        const dist = { tarball: `${url}${path}`, integrity: integrityOf(archive) }
        return [version, { name: 'pack', version, dist }] as const
      })
      const tags = { latest: versions.at(-1)![0] }
      const packument = { name: 'pack', 'dist-tags': tags, versions: Object.fromEntries(versions) }
      replies.set('/pack', sendJson(packument))
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
