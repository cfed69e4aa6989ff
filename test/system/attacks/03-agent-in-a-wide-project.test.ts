// An agent names as its project a folder that holds what the user's trust rests on. Its tools could write
// there.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { answerOf, connectStdio, ERAS } from '../mcp-world.ts'
import { makePlace, type Place, PROGRAM } from '../run-rye.ts'

let place: Place
let client: Awaited<ReturnType<typeof connectStdio>>['client']
beforeEach(async () => {
  place = makePlace()
  // The home of a person with projects in it; the cache is elsewhere, and does not exist yet.
  place.environment.XDG_CACHE_HOME = join(place.root, 'disk/caches')
  mkdirSync(join(place.root, 'disk'))
  symlinkSync(place.root, join(place.root, 'link'))
  mkdirSync(join(place.user, '.ai/config'), { recursive: true })
  mkdirSync(join(place.user, 'work/project'), { recursive: true })
  const world = { root: place.root, project: place.project, env: place.environment, write: () => {} }
  client = (await connectStdio(world, ERAS[0][1])).client
})
afterEach(() => place.remove())

async function write(project: string) {
  const parameters = { file_path: 'planted', content: 'planted' }
  const call = { item_id: 'rye/file-system/write', parameters, project_path: project }
  return answerOf(await client.callTool({ name: 'execute', arguments: call }))
}

it.each([
  ['the root of the disk', () => '/'],
  ['the home', () => place.user],
  ['the folder above the home', () => place.root],
  ['the home by a link', () => join(place.root, 'link/user')],
  ['the user space', () => join(place.user, '.ai')],
  ['a folder in the user space', () => join(place.user, '.ai/config')],
  ['the folder of a cache that is not there yet', () => join(place.root, 'disk')],
  ['this program', () => dirname(dirname(PROGRAM))],
  ['a folder of this program', () => dirname(PROGRAM)],
])('%s is refused as a project, and nothing is written', async (_title, folder) => {
  const answer = await write(folder())
  expect(answer).toMatchObject({ status: 'error', code: 'POLICY_DENIED' })
  expect(answer.error).toContain('cannot be the project of an agent')
  expect(existsSync(join(folder(), 'planted'))).toBe(false)
})

it('a project below the home is like any other', async () => {
  expect(await write(join(place.user, 'work/project'))).toMatchObject({ status: 'success' })
})

it('a person may work at home', async () => {
  const ran = await place.rye(['search', 'bash', '--project', place.user, '--json'])
  expect(ran.json().total).toBeGreaterThan(0)
})
