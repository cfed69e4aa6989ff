// What goes wrong while somebody looks at the page: two people at once, a file that is gone or replaced, a
// server that ends, a slow connection.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../fixtures/patience.ts'
import type { BrowserDocument } from './browser-names.ts'
import { note, openUiScene, useScene } from './ui-scene.ts'

declare const document: BrowserDocument
declare const location: { readonly hash: string }
declare const getComputedStyle: (element: unknown) => { outlineStyle: string; boxShadow: string }

const NAMES = ['both', 'gone', 'swapped', 'steady', 'tabs']

const scene = useScene(() =>
  openUiScene(async session => {
    for (const id of NAMES) session.write(`.ai/knowledge/notes/${id}.md`, note(id, `Something about ${id}.`))
  }),
)

const pathOf = (id: string) => join(scene().session.project, `.ai/knowledge/notes/${id}.md`)
const review = (id: string) => `/review?item=knowledge:notes/${id}@project`

async function trustOf(id: string): Promise<string> {
  const { session } = scene()
  const shown = await session.call('show', { item_id: `knowledge:notes/${id}` })
  return (shown.trust as { status: string }).status
}

it('two windows of two servers sign the same item at once, and it is signed once', async () => {
  const { page, server: first, startServer } = scene()
  const server = await startServer()
  // One jar of cookies for both ports: neither puts the other out.
  const other = await page.context().newPage()
  await other.goto(server.address)
  const windows = [
    [page, first.origin],
    [other, server.origin],
  ] as const
  for (const [window, origin] of windows) {
    await window.goto(origin + review('both'))
    await window.getByRole('button', { name: 'Accept and sign' }).click()
  }
  // A window that has seen the other's signature by now asks no longer.
  await Promise.all(
    windows.map(([window]) => window.evaluate(() => document.querySelector('dialog .button-main')?.click())),
  )
  await until(async () => (await trustOf('both')) === 'verified')
  for (const [window] of windows)
    await window.locator('.queue').getByText('notes/both').waitFor({ state: 'detached' })
  expect(readFileSync(pathOf('both'), 'utf8').match(/rye:signed:/g)).toHaveLength(1)
  await other.close()
  await server.stop()
})

it('an item that is deleted while it is looked at is said to be gone, and asked about no longer', async () => {
  const { page, server } = scene()
  await page.goto(server.origin + review('gone'))
  await page.getByRole('button', { name: 'Accept and sign' }).click()
  await page.getByRole('dialog').waitFor()
  rmSync(pathOf('gone'))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('.queue').getByText('notes/gone').waitFor({ state: 'detached' })
  await page.goto(`${server.origin}/item/knowledge/project/notes/gone`)
  expect(await page.getByRole('alert').textContent()).toContain('notes/gone')
})

it('what was not shown is not signed, also by a page that has not heard of the change', async () => {
  const { page, server } = scene()
  let asked = 0
  // It is told once that changes are followed, and nothing after that.
  await page.route(/\/api\/changes$/, async route => {
    if (asked++ > 0) return
    await route.fulfill({
      contentType: 'application/x-ndjson',
      body: '{"changed":["items","runs","trust"]}\n',
    })
  })
  await page.goto(server.origin + review('swapped'))
  await page.getByRole('button', { name: 'Accept and sign' }).click()
  writeFileSync(pathOf('swapped'), note('swapped', 'Something else.'))
  await page.getByRole('button', { name: 'Sign it' }).click()
  await page.locator('.decision').getByRole('alert').getByText('changed').waitFor()
  expect(await trustOf('swapped')).toBe('unsigned')
  await page.unroute(/\/api\/changes$/)
})

it('answers that come late and out of order do not replace newer ones', async () => {
  const { page, server } = scene()
  await page.goto(`${server.origin}/search`)
  await page.locator('.results a').first().waitFor()
  let calls = 0
  await page.route(/\/api\/search$/, async route => {
    // The first keys wait longest.
    await new Promise(done => setTimeout(done, Math.max(50, 800 - 150 * calls++)))
    await route.continue().catch(() => {})
  })
  await page.focus('.search-field input')
  await page.keyboard.type('steady', { delay: 20 })
  await page.waitForFunction(() => document.querySelector('[data-query="steady"]') !== null)
  await page.waitForTimeout(1000)
  expect(await page.locator('[data-query]').getAttribute('data-query')).toBe('steady')
  expect(await page.locator('.results a').first().innerText()).toContain('notes/steady')
  // Enter is about what was typed, not about what is still shown.
  await page.keyboard.press('Escape')
  calls = 0
  await page.keyboard.type('steady')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/item\/knowledge\/project\/notes\/steady$/)
  await page.unroute(/\/api\/search$/)
})

it('a server that ends is said to be away, and one that is started anew lets the page go on', async () => {
  const { newContext, startServer } = scene()
  const server = await startServer()
  const { port } = new URL(server.origin)
  const context = await newContext()
  const window = await context.newPage()
  await window.goto(server.address)
  await window.getByRole('status').getByText('live', { exact: true }).waitFor()
  await server.stop()
  await window.getByRole('alert').getByText('The server is away').waitFor()
  const next = await startServer(['--port', port])
  await window.getByRole('alert').getByText('was restarted').waitFor()
  const opened = await context.newPage()
  await opened.goto(next.address)
  await window.bringToFront()
  await window.getByRole('status').getByText('live', { exact: true }).waitFor()
  expect(await window.locator('.away').count()).toBe(0)
  await context.close()
  await next.stop()
})

it('two tabs of one server show what is done in either', async () => {
  const { page, server } = scene()
  const other = await page.context().newPage()
  await other.goto(server.origin + review('tabs'))
  await other.getByRole('button', { name: 'Accept and sign' }).waitFor()
  await page.bringToFront()
  await page.goto(`${server.origin}/item/knowledge/project/notes/tabs`)
  await page.locator('.item .trust', { hasText: 'unsigned' }).first().waitFor()
  await other.bringToFront()
  await other.getByRole('button', { name: 'Accept and sign' }).click()
  await other.getByRole('button', { name: 'Sign it' }).click()
  await other.locator('.queue').getByText('notes/tabs').waitFor({ state: 'detached' })
  await page.bringToFront()
  await page.locator('.item .trust', { hasText: 'verified' }).first().waitFor()
  expect(await trustOf('tabs')).toBe('verified')
  await other.close()
})

it('a link with a wrong key puts nobody out', async () => {
  const { page, server } = scene()
  const tab = await page.context().newPage()
  await tab.goto(`${server.origin}/#key=of-somebody-else`)
  await tab.getByRole('status').getByText('live', { exact: true }).waitFor()
  await page.goto(`${server.origin}/search?q=steady`)
  await page.locator('.results a').first().waitFor()
  expect(await tab.evaluate(() => location.hash)).toBe('')
  await tab.close()
})

it.each(['/', '/search?q=steady', '/item/knowledge/project/notes/steady', '/review', '/runs', '/map'])(
  'every stop of the keyboard at %s can be seen, and the last leads out again',
  async path => {
    const { page, server } = scene()
    await page.goto(server.origin + path)
    // The frame that is there before the page has none of either.
    await page.waitForFunction(
      () => document.querySelector('.side-note') !== null && document.querySelector('.waiting') === null,
    )
    // A window that is only just shown may not have the keyboard yet.
    await page.bringToFront()
    await page.waitForFunction(() => document.hasFocus())
    const seen: string[] = []
    for (let step = 0; step < 80; step++) {
      await page.keyboard.press('Tab')
      const stop = await page.evaluate(() => {
        const element = document.activeElement
        if (!element || element.tagName === 'BODY') return undefined
        const { outlineStyle, boxShadow } = getComputedStyle(element)
        return {
          name: `${element.tagName} ${element.textContent?.slice(0, 30) ?? ''}`,
          isMarked: outlineStyle !== 'none' || boxShadow !== 'none',
        }
      })
      if (!stop) break
      expect(stop).toEqual({ ...stop, isMarked: true })
      seen.push(stop.name)
    }
    expect(seen[0]).toContain('Skip to the content')
    expect(seen.length).toBeGreaterThan(7)
    expect(seen.length).toBeLessThan(80)
  },
)

describe('who moves by keys before the page is there', () => {
  const current = () => scene().page.evaluate(() => document.activeElement?.textContent)

  /** Opens an address, presses keys while only the frame is there, and has the page drawn. */
  async function pressEarly(path: string, keys: readonly string[], drawn: string): Promise<void> {
    const { page, server } = scene()
    let answer = () => {}
    const held = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route(/\/api\/about$/, async route => {
      await held
      await route.continue()
    })
    await page.goto(server.origin + path)
    await page.bringToFront()
    await page.waitForFunction(() => document.hasFocus())
    for (const key of keys) await page.keyboard.press(key)
    answer()
    await page.locator(drawn).waitFor()
    await page.unroute(/\/api\/about$/)
  }

  it('goes on from the same link', async () => {
    await pressEarly('/search?q=steady', ['Tab', 'Tab', 'Tab'], '.side-note')
    await until(async () => (await current()) === 'Overview')
    await scene().page.keyboard.press('Tab')
    expect(await current()).toBe('Search')
  })

  it('goes on in the content, once there', async () => {
    await pressEarly('/search?q=steady', ['Tab', 'Enter'], '.results a')
    await until(() => scene().page.evaluate(() => document.activeElement?.id === 'content'))
    await scene().page.keyboard.press('Tab')
    expect(await scene().page.evaluate(() => document.activeElement?.closest('#content') !== null)).toBe(true)
  })

  it('is not taken to a project that nobody chose', async () => {
    await pressEarly('/search?project=9', ['Tab', 'Tab'], '.alone a')
    expect(await scene().page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  })
})

it('Escape leaves a question, and the focus is where it was', async () => {
  const { page, server } = scene()
  await page.goto(server.origin + review('steady'))
  await page.getByRole('button', { name: 'Accept and sign' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Accept and sign')
  expect(await trustOf('steady')).toBe('unsigned')
})
