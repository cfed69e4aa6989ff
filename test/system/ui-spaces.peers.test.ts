// An item in every space, the shared one included: the page says which is used, and compares any two.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from '../fixtures/patience.ts'
import { note, openUiScene, useScene } from './ui-scene.ts'

const scene = useScene(() =>
  openUiScene(async session => {
    const table = join(session.outside, 'catalogue')
    const write = async (text: string) => {
      session.write('.ai/knowledge/notes/flour.md', note('flour', text))
      session.write('.ai/knowledge/notes/salt.md', note('salt', text))
      await session.call('sign', { item_id: 'notes/*', item_type: 'knowledge' })
    }
    await write('As the catalogue has it.')
    expect(await session.call('catalogue sync', { table })).toMatchObject({ added: 2 })
    await write('As the project has it.')
    const ofUser = join(session.user, '.ai/knowledge/notes')
    mkdirSync(ofUser, { recursive: true })
    writeFileSync(join(ofUser, 'flour.md'), note('flour', 'As the user has it.'))
    writeFileSync(join(session.user, '.ai/config/rye.toml'), `catalogue = "${table}"\n`)
  }),
)

it('each is listed under its space, in the order in which they are used', async () => {
  const { page, server } = scene()
  // A catalogue that does not answer in time is said not to: whoever asks again finds what came late.
  await until(async () => {
    await page.goto(`${server.origin}/item/knowledge/shared/notes/flour`)
    await page.locator('main h1').waitFor()
    return (await page.getByText('shadowed by the one in the project space').count()) === 1
  })
  await page.locator('.item').getByText('As the catalogue has it.').waitFor()
  const spaces = page.locator('.shadows li')
  await expect
    .poll(() => spaces.allInnerTexts())
    .toEqual(['project is used', 'user shadowed by project', 'shared shadowed by project'])
  // The keeper of the catalogue decides about it.
  expect(await page.getByRole('link', { name: 'Review …' }).count()).toBe(0)
})

it('any two are compared', async () => {
  const { page, server } = scene()
  await page.goto(`${server.origin}/item/knowledge/project/notes/flour`)
  await page.getByRole('button', { name: 'compare shared with project' }).click()
  await page.waitForSelector('.diff-changed')
  expect(await page.locator('.diff-changed .diff-left code').last().innerText()).toBe(
    'As the catalogue has it.',
  )
  expect(await page.locator('.diff-changed .diff-right code').last().innerText()).toBe(
    'As the project has it.',
  )
})

it('one that is in the catalogue alone is opened from what was found', async () => {
  const { page, server, session } = scene()
  await session.call('rm', { item_id: 'knowledge:notes/salt@project' })
  await page.goto(`${server.origin}/search?q=salt`)
  await page.locator('.results a', { hasText: 'shared' }).click()
  await page.locator('.item').getByText('As the catalogue has it.').waitFor()
  expect(await page.locator('.shadows').count()).toBe(0)
})
