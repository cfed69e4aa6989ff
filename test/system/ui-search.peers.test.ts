// How a person finds something on the page: by words, by filters, with only the keyboard, and on the map.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BrowserDocument } from './browser-names.ts'
import { useBakery } from './ui-bakery.ts'
import { note } from './ui-scene.ts'

declare const document: BrowserDocument
declare const localStorage: { getItem(name: string): string | null }
declare const location: { readonly search: string }

const bakery = useBakery()

describe('search', () => {
  it('is done by keyboard alone, and its state is in the address', async () => {
    const { page, show } = bakery()
    await show('/')
    await page.keyboard.press('/')
    await page.keyboard.type('bread')
    await page.waitForSelector('.results a')
    await page.waitForFunction(() => location.search === '?q=bread')
    expect(await page.locator('.results mark').first().textContent()).toMatch(/bread/i)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    const first = await page.locator('.results a').first().getAttribute('href')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(first)
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.item h1')
    expect(new URL(page.url()).pathname).toBe(first)
    await page.goBack()
    await page.waitForSelector('.results a')
    expect(await page.inputValue('.search-field input')).toBe('bread')
  })

  it('says of a hit how many equal items it stands for', async () => {
    const { page, session, show } = bakery()
    for (const name of ['a', 'b', 'c'])
      session.write(`.ai/knowledge/crumbs/${name}.md`, note('crumbs', 'Zwieback.'))
    await show('/search?q=zwieback')
    await page.locator('.results').getByText('stands for 3 equal items').waitFor()
    expect(await page.locator('.results li').count()).toBe(1)
    rmSync(join(session.project, '.ai/knowledge/crumbs'), { recursive: true })
  })

  it('is narrowed by filters with counts, and shows why a hit is there', async () => {
    const { page, show } = bakery()
    await show('/search?q=bread')
    await page.getByRole('button', { name: /^changed 1$/ }).click()
    await page.waitForFunction(() => new URLSearchParams(location.search).get('trust') === 'tampered')
    await page.waitForFunction(() => document.querySelectorAll('.results a').length === 1)
    // Of the other kinds, too, there is only what is left.
    await expect
      .poll(() => page.getByRole('group', { name: 'Type' }).innerText())
      .toMatch(/^Type\s+tool\s+1$/)
    await page.locator('.why summary').click()
    // Asked for when it is opened.
    await expect.poll(() => page.locator('.why').textContent()).toContain('bread')
  })

  it('shows a slip of the query in its place', async () => {
    const { page, show } = bakery()
    await show('/search?q=bread%20AND')
    expect(await page.getByRole('alert').textContent()).toContain('offset 9')
  })
})

it('what changes on the disk is shown without being asked for', async () => {
  const { page, session, show } = bakery()
  await show('/search?q=sourdough')
  await page.getByText('Nothing fits').waitFor()
  session.write('.ai/knowledge/notes/sourdough.md', note('sourdough', 'Sourdough takes a day.'))
  const hit = page.locator('.results a', { hasText: 'notes/sourdough' })
  await hit.waitFor()
  expect(await hit.innerText()).toContain('unsigned')
})

it('the map says what it shows, and is moved by keys', async () => {
  const { page, show } = bakery()
  await show('/map')
  const label = await page.locator('canvas').getAttribute('aria-label')
  expect(label).toMatch(/^Map of \d+ items in 3 categories with [1-9]\d* references?/)
  await page.locator('canvas').focus()
  for (const key of ['+', 'ArrowLeft', '-', '0']) await page.keyboard.press(key)
})

it('the map as a list has the items of each category, and leads to them', async () => {
  const { page, session, show } = bakery()
  // Deeper than the circle in which it is: a search for the category of the circle would not find it.
  session.write('.ai/knowledge/oven/stone/heat.md', note('heat', 'Stones keep the heat.'))
  await show('/map')
  await page.getByText('The same as a list').click()
  const circle = page.locator('.map-list li', { has: page.locator('summary', { hasText: /^oven \d+$/ }) })
  await expect.poll(() => circle.locator('summary').innerText()).toBe('oven 5')
  await circle.locator('summary').click()
  await expect
    .poll(async () => (await circle.getByRole('link').allInnerTexts()).sort())
    .toEqual(['oven/bake', 'oven/changed', 'oven/endless', 'oven/fresh', 'oven/stone/heat'])
  await circle.getByRole('link', { name: 'oven/stone/heat' }).click()
  await page.waitForSelector('.item h1')
})

it('the map is moved by a finger, and zoomed by two', async () => {
  const { newContext, page, server } = bakery()
  const context = await newContext()
  await context.addCookies(await page.context().cookies())
  const window = await context.newPage()
  const key = await page.evaluate(() => localStorage.getItem('rye-key'))
  await window.goto(`${server.origin}/#key=${key}`)
  await window.goto(`${server.origin}/map`)
  await window.locator('canvas').waitFor()
  const box = (await window.locator('canvas').boundingBox())!
  const hand = await context.newCDPSession(window)
  const drawn = () => window.evaluate(() => document.querySelector('canvas')!.toDataURL!())
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: readonly number[]) =>
    hand.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: xs.map((x, id) => ({ id, x: box.x + box.width / 2 + x, y: box.y + box.height / 2 })),
    })
  const whole = await drawn()
  await touch('touchStart', -40, 40)
  await touch('touchMove', -80, 80)
  await touch('touchEnd')
  await expect.poll(drawn).not.toBe(whole)
  await window.getByRole('button', { name: 'all', exact: true }).click()
  await expect.poll(drawn).toBe(whole)
  await touch('touchStart', 0)
  await touch('touchMove', 60)
  await touch('touchEnd')
  await expect.poll(drawn).not.toBe(whole)
  expect(new URL(window.url()).pathname).toBe('/map')
  await context.close()
})
