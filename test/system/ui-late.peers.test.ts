// A shared library on slow storage: its hits arrive later than the rest, and are offered without moving what
// is being read.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROGRAM } from './run-rye.ts'
import { type S3Server, startS3 } from './s3-server.ts'
import { note, openUiScene, type UiScene } from './ui-scene.ts'

const KEYS = { id: 'AKIAFLEET', secret: 'of-nobody' }
const TABLE = 's3://fleet/library'
/** Of each request: longer than a local answer waits. */
const SLOW_MS = 150
const SILENT = /shared (library does not answer|catalogue are missing)/

let storage: S3Server
let scene: UiScene

beforeAll(async () => {
  storage = await startS3(KEYS)
  scene = await openUiScene(
    async session => {
      session.write('.ai/knowledge/notes/salt.md', note('salt', 'Salt of the catalogue.'))
      session.write('.ai/knowledge/notes/pepper.md', note('pepper', 'Pepper of the catalogue.'))
      await session.call('sign', { item_id: 'notes/*', item_type: 'knowledge' })
      // Storage is reached with the variables of a process.
      const words = [PROGRAM, 'catalogue', 'sync', '--table', TABLE, '--json']
      const place = { cwd: session.project, env: session.environment }
      const { stdout } = await promisify(execFile)(process.execPath, words, place)
      expect(JSON.parse(stdout)).toMatchObject({ added: 2 })
      for (const id of ['salt', 'pepper']) await session.call('rm', { item_id: `knowledge:notes/${id}` })
      session.write('.ai/knowledge/notes/brine.md', note('brine', 'Brine is water with salt.'))
      writeFileSync(join(session.user, '.ai/config/rye.toml'), `catalogue = "${TABLE}"\n`)
      storage.misbehave(async (_asked, honest) => {
        await pause(SLOW_MS)
        return honest
      })
    },
    {
      ...{ AWS_ACCESS_KEY_ID: KEYS.id, AWS_SECRET_ACCESS_KEY: KEYS.secret, AWS_REGION: 'eu-central-1' },
      ...{ AWS_ENDPOINT: storage.endpoint, AWS_ALLOW_HTTP: 'true' },
    },
  )
}, 180_000)
afterAll(async () => {
  await scene?.close()
  await storage?.close()
})

/** Where nothing else is found. The first question opens the table, which may take a busy machine longer than it is waited for: what came
 * late is there for who asks again. */
async function findPepper(): Promise<void> {
  const { page, server } = scene
  const hit = page.locator('.results a', { hasText: 'shared' })
  await page.goto(`${server.origin}/search?q=pepper`)
  for (;;) {
    await hit.or(page.getByText(SILENT)).first().waitFor()
    if (await hit.isVisible()) return
    await pause(SLOW_MS)
    await page.reload()
  }
}

it('is offered beside what was found, and listed when asked for', async () => {
  const { page, server } = scene
  await findPepper()
  await page.goto(`${server.origin}/search?q=salt`)
  const hits = page.locator('.results a')
  await hits.filter({ hasText: 'notes/brine' }).waitFor()
  const offer = page.getByRole('button', { name: '1 more from the shared library' })
  await offer.waitFor()
  expect(await hits.allInnerTexts()).toEqual([expect.stringContaining('notes/brine')])
  expect(await page.locator('.notice').count()).toBe(0)
  await offer.click()
  await hits.filter({ hasText: 'notes/salt' }).waitFor()
  expect(await page.getByRole('status').filter({ hasText: 'items' }).innerText()).toBe('2 items')
  expect(await offer.count()).toBe(0)
})

it('is listed by itself where nothing else was found', async () => {
  const { page } = scene
  await findPepper()
  await page.locator('.results a').click()
  await page.locator('.item').getByText('Pepper of the catalogue.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/item/knowledge/shared/notes/pepper')
})

it('that does not answer is said not to, and what was found stays', async () => {
  const { page, server } = scene
  storage.misbehave(() => ({ status: 503 }))
  await page.goto(`${server.origin}/search?q=brine`)
  await page.locator('.results a', { hasText: 'notes/brine' }).waitFor()
  await page.getByText(SILENT).waitFor()
  expect(await page.locator('.results a', { hasText: 'notes/brine' }).count()).toBe(1)
})
