// Every page for people with low vision, another theme or a narrow screen: nothing that axe finds serious,
// nothing that jumps.
import axe from 'axe-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BrowserDocument } from './browser-names.ts'
import { useBakery } from './ui-bakery.ts'

declare const document: BrowserDocument
declare const window: { readonly axe: typeof axe; moved: string[] }
declare const innerWidth: number
declare const PerformanceObserver: new (
  listener: (list: { getEntries(): readonly LayoutShift[] }) => void,
) => { observe(options: { readonly type: string; readonly buffered: boolean }): void }

const bakery = useBakery()
beforeAll(() => bakery().page.addInitScript(watchMoves, SEEN))

describe('every page', () => {
  const PAGES = [
    ...[
      '/',
      '/search?q=bread',
      '/search?q=a%20AND',
      '/item/tool/project/oven/bake',
      '/item/knowledge/project/notes/flour',
    ],
    ...['/review', '/run?item=tool:oven/bake@project', '/runs', '/map', '/nowhere'],
  ]

  it.each(PAGES)('%s has nothing that axe finds serious, light or dark, wide or narrow', async path => {
    const { page, show } = bakery()
    await show(path)
    // Late content does not move what is already there.
    expect(await page.evaluate(() => window.moved)).toEqual([])
    await expectReadable()
  })

  it('asks nobody else for anything', () => {
    expect(bakery().elsewhere).toEqual([])
  })
})

describe('what opens on a page has nothing that axe finds serious:', () => {
  it.each([
    ['two spaces', '/item/skill/project/pastry?compare=user-project'],
    ['what was signed and what is', '/review?item=tool:oven/changed@project'],
  ])('%s, compared', async (_, path) => {
    const { page, show } = bakery()
    await show(path)
    await page.waitForSelector('.diff-changed')
    await expectReadable()
  })

  it('what cannot be seen', async () => {
    const { page, show } = bakery()
    await show('/review?item=tool:oven/fresh@project')
    await page.locator('.hidden-character').first().waitFor()
    await expectReadable()
  })

  it('why a hit is there', async () => {
    const { page, show } = bakery()
    await show('/search?q=bread')
    await page.locator('.why summary').first().click()
    await page.locator('.why dl').waitFor()
    await expectReadable()
  })

  it('the question before something is signed', async () => {
    const { page, show } = bakery()
    await show('/review?item=tool:oven/changed@project')
    await page.getByRole('button', { name: 'Accept and sign' }).click()
    await page.getByRole('dialog').waitFor()
    await expectReadable()
  })

  it('the question before something runs, what it printed, and its receipt', async () => {
    const { page, show } = bakery()
    await show('/run?item=tool:oven/bake@project')
    await page.getByLabel(/^loaves/).fill('7')
    await page.getByRole('button', { name: 'Try without running' }).click()
    await page.getByText('it would run').waitFor()
    await page.getByRole('button', { name: 'Run …' }).click()
    await page.getByRole('dialog').waitFor()
    await expectReadable()
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.getByText('"baked"').waitFor()
    await expectReadable()
    await page.getByRole('link', { name: /^Receipt/ }).click()
    await page.locator('.receipt').waitFor()
    await expectReadable()
  })
})

async function expectReadable(): Promise<void> {
  const { page } = bakery()
  await page.evaluate(axe.source)
  for (const [colorScheme, width] of [
    ['light', 1200],
    ['dark', 1200],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(findSerious)).toEqual([])
    // Nothing is wider than the window.
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  await page.setViewportSize({ width: 1200, height: 900 })
}

/** Below this it is a line that broke elsewhere, not a jump; browsers call 0.1 in all too much. */
const SEEN = 0.01

/** Runs in the page, before its own script. */
function watchMoves(seen: number): void {
  window.moved = []
  new PerformanceObserver(list => {
    for (const { value, sources } of list.getEntries())
      if (value > seen) window.moved.push(`${value} ${sources.map(({ node }) => node?.className).join()}`)
  }).observe({ type: 'layout-shift', buffered: true })
}

/** As browsers describe it. */
interface LayoutShift {
  readonly value: number
  readonly sources: readonly { readonly node?: { readonly className: string } }[]
}

/** Runs in the page, where axe was put. */
async function findSerious(): Promise<string[]> {
  const { axe: runner } = window
  const { violations } = await runner.run({ resultTypes: ['violations'] })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join('; ')}`)
}
