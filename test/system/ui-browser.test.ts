// The page in a real browser, over a real server: what a person does with it, by keyboard and by pointer.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeKey, printIdentity } from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'
import { until } from '../fixtures/patience.ts'
import type { BrowserDocument } from './browser-names.ts'
import { note, openUiScene, type UiScene } from './ui-scene.ts'

declare const document: BrowserDocument
declare const location: { readonly search: string }
declare const window: { readonly axe: typeof axe; moved: string[] }
declare const innerWidth: number
declare const PerformanceObserver: new (
  listener: (list: { getEntries(): readonly LayoutShift[] }) => void,
) => { observe(options: { readonly type: string; readonly buffered: boolean }): void }

const tool = (id: string, schema: string, body: string, more = '') => `__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "${id.slice(0, id.lastIndexOf('/'))}"
__tool_description__ = "Bakes bread of ${id}"
${more}
CONFIG_SCHEMA = ${schema}


def execute(params, project_path):
${body}
`
const SCHEMA = `{"type": "object", "required": ["loaves"], "properties": {"loaves": {"type": "integer"}, "kind": {"type": "string", "enum": ["rye", "spelt"]}}}`
const ENDLESS = `    import os, sys, time
    open(os.path.join(project_path, "started"), "w").close()
    for step in range(10_000):
        print('{"progress": %d, "total": 10000}' % step, file=sys.stderr, flush=True)
        print("loaf %d" % step)
        time.sleep(0.05)
`

let scene: UiScene
let page: Page

beforeAll(async () => {
  scene = await openUiScene(async session => {
    session.write(
      '.ai/tools/oven/bake.py',
      tool('oven/bake', SCHEMA, '    return {"baked": params["loaves"]}'),
    )
    session.write(
      '.ai/tools/oven/endless.py',
      tool('oven/endless', '{"type": "object", "properties": {}}', ENDLESS),
    )
    session.write('.ai/tools/oven/changed.py', tool('oven/changed', SCHEMA, '    return {"baked": 1}'))
    session.write('.ai/knowledge/notes/flour.md', note('flour', 'Flour for `tool:oven/bake` is **ground**.'))
    session.write(
      '.ai/skills/pastry/SKILL.md',
      '---\nname: pastry\ndescription: Bakes pastry.\n---\n\n# Pastry\n',
    )
    session.write('.ai/skills/pastry/references/butter.md', '# Butter\n\nCold, always cold.\n')
    // Of another space, and with another file.
    const ofUser = join(session.user, '.ai/skills/pastry')
    mkdirSync(join(ofUser, 'references'), { recursive: true })
    writeFileSync(
      join(ofUser, 'SKILL.md'),
      '---\nname: pastry\ndescription: Bakes pastry.\n---\n\n# Pastry\n',
    )
    writeFileSync(join(ofUser, 'references/butter.md'), '# Butter\n\nWarm is better.\n')
    for (const item_type of ['tool', 'knowledge', 'skill'])
      await session.call('sign', { item_id: '*', item_type })
    const path = join(session.project, '.ai/tools/oven/changed.py')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"baked": 1', '"baked": 2'))
    session.write('.ai/tools/oven/fresh.py', tool('oven/fresh', SCHEMA, '    return {}', 'x = "a\u202eb"'))
  })
  ;({ page } = scene)
  await page.addInitScript(watchMoves, SEEN)
}, 180_000)
afterAll(() => scene?.close())

async function show(path: string): Promise<void> {
  await page.goto(scene.server.origin + path)
  await settled()
}

/** Nothing is on its way any more. */
async function settled(): Promise<void> {
  // Not in the frame that is there before the script has run.
  await page.waitForSelector('.side-note', { state: 'attached' })
  await page.waitForFunction(() => document.querySelector('.waiting') === null)
}

describe('search', () => {
  it('is done by keyboard alone, and its state is in the address', async () => {
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

  it('is narrowed by filters with counts, and shows why a hit is there', async () => {
    await show('/search?q=bread')
    await page.getByRole('button', { name: /^changed 1$/ }).click()
    await page.waitForFunction(() => new URLSearchParams(location.search).get('trust') === 'tampered')
    await page.waitForFunction(() => document.querySelectorAll('.results a').length === 1)
    // Of the other kinds, too, there is only what is left.
    expect(await page.getByRole('group', { name: 'Type' }).innerText()).toMatch(/^Type\s+tool\s+1$/)
    await page.locator('.why summary').click()
    // Asked for when it is opened.
    await expect.poll(() => page.locator('.why').textContent()).toContain('bread')
  })

  it('shows a slip of the query in its place', async () => {
    await show('/search?q=bread%20AND')
    expect(await page.getByRole('alert').textContent()).toContain('offset 9')
  })
})

describe('an item', () => {
  it('shows its text, who vouches for it, what it takes and what runs it', async () => {
    await show('/item/tool/project/oven/bake')
    await page.locator('.chain').getByText('this package').first().waitFor()
    const text = await page.locator('main').innerText()
    for (const part of [
      'verified',
      'Signed by you',
      'loaves',
      'rye/core/primitives/subprocess',
      'this package',
      'no network',
    ])
      expect(text).toContain(part)
  })

  it('shows each file of a skill', async () => {
    await show('/item/skill/project/pastry')
    await page.getByRole('button', { name: /butter/ }).click()
    await page.getByText('Cold, always cold.').waitFor()
    expect(new URL(page.url()).searchParams.get('file')).toBe('references/butter.md')
    expect(await page.locator('.files details summary').innerText()).toBe('references/')
  })

  it('that is in several spaces says which one is used, and compares all its files', async () => {
    await show('/item/skill/user/pastry')
    await page.getByText('shadowed by the one in the project space').waitFor()
    await page.getByRole('button', { name: 'compare user with project' }).click()
    await page.waitForSelector('.diff-changed')
    expect(await page.locator('.diff-changed .diff-left code').innerText()).toBe('Warm is better.')
    expect(await page.locator('.diff-changed .diff-right code').innerText()).toBe('Cold, always cold.')
    expect(new URL(page.url()).searchParams.get('compare')).toBe('user-project')
  })

  it('is what is read next after its link was followed', async () => {
    await show('/search?q=pastry')
    await page.locator('.results a').first().focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('.item h1')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    expect(await page.title()).toBe('pastry · rye')
  })

  it('that is not there is a sentence, with what to do', async () => {
    await show('/item/tool/project/oven/bakee')
    expect(await page.getByRole('alert').textContent()).toContain('oven/bakee')
  })
})

it('a changed item is compared with what was signed, and signed only as it was read', async () => {
  const { session } = scene
  await show('/review?item=tool:oven/changed@project')
  await page.waitForSelector('.diff-changed')
  expect(await page.locator('.diff-changed .diff-left code').innerText()).toContain('"baked": 1')
  expect(await page.locator('.diff-changed .diff-right code').innerText()).toContain('"baked": 2')
  await page.getByRole('button', { name: 'Accept and sign' }).click()
  const path = join(session.project, '.ai/tools/oven/changed.py')
  const read = readFileSync(path, 'utf8')
  writeFileSync(path, read.replace('"baked": 2', '"baked": 3'))
  // The question is about what is no longer there.
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.getByText('"baked": 3').waitFor()
  writeFileSync(path, read)
  await page.getByText('"baked": 2').waitFor()
  await page.getByRole('button', { name: 'Accept and sign' }).click()
  await page.getByRole('button', { name: 'Sign it' }).click()
  await until(async () => {
    const shown = await session.call('show', { item_id: 'tool:oven/changed' })
    return (shown.trust as { status: string }).status === 'verified'
  })
  await page.locator('.queue').getByText('oven/changed').waitFor({ state: 'detached' })
  expect(readFileSync(path, 'utf8')).toContain('"baked": 2')
  // The next of the queue follows, and what was done is said.
  await page.getByRole('status').getByText('oven/changed is signed').waitFor()
  expect(new URL(page.url()).searchParams.get('item')).not.toContain('oven/changed')
})

it('characters that cannot be seen are seen in the review', async () => {
  await show('/review?item=tool:oven/fresh@project')
  await page.locator('.hidden-character', { hasText: 'U+202E' }).first().waitFor()
  expect(await page.locator('.decision').innerText()).toContain('invisible characters')
})

describe('a run', () => {
  it('is tried first, then confirmed, and leaves a receipt', async () => {
    await show('/run?item=tool:oven/bake@project')
    await page.getByRole('button', { name: 'Try without running' }).click()
    await page.getByText('loaves is required').waitFor()
    expect(await page.getByRole('button', { name: 'Run …' }).isDisabled()).toBe(true)
    await page.getByLabel(/^loaves/).fill('7')
    await page.getByLabel(/^kind/).selectOption({ label: 'spelt' })
    await page.getByRole('button', { name: 'Try without running' }).click()
    await page.getByText('it would run').waitFor()
    await page.getByRole('button', { name: 'Run …' }).click()
    await page.getByRole('dialog').getByText('spelt').waitFor()
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.getByText('"baked"').waitFor()
    await page.getByRole('link', { name: /^Receipt/ }).click()
    await page.locator('.receipt').waitFor()
    expect(await page.locator('.receipt').innerText()).toContain('oven/bake')
    const told = await page.locator('main').innerText()
    expect(told).toContain('the log is whole')
    await page.getByRole('link', { name: 'you, on this page' }).click()
    await page.getByRole('heading', { name: /^Receipts of you, on this page/ }).waitFor()
  })

  it('shows its progress and what it prints, and is cancelled', async () => {
    const { session } = scene
    await show('/run?item=tool:oven/endless@project')
    await page.getByRole('button', { name: 'Try without running' }).click()
    await page.getByText('it would run').waitFor()
    await page.getByRole('button', { name: 'Run …' }).click()
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.waitForFunction(() => Number(document.querySelector('progress')?.value) > 0)
    await page.locator('.output-lines').getByText('loaf 3', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('it was cancelled').waitFor()
    await until(async () => {
      const { runs } = (await session.call('runs', { item_id: 'oven/endless' })) as {
        runs?: { outcome: string }[]
      }
      return runs?.[0]?.outcome === 'EXECUTION_CANCELLED'
    })
  })
})

it('what changes on the disk is shown without being asked for', async () => {
  await show('/search?q=sourdough')
  await page.getByText('Nothing fits').waitFor()
  scene.session.write('.ai/knowledge/notes/sourdough.md', note('sourdough', 'Sourdough takes a day.'))
  const hit = page.locator('.results a', { hasText: 'notes/sourdough' })
  await hit.waitFor()
  expect(await hit.innerText()).toContain('unsigned')
})

it('the map leads to an item', async () => {
  await show('/map')
  const label = await page.locator('canvas').getAttribute('aria-label')
  expect(label).toMatch(/^Map of \d+ items in 3 categories with [1-9]\d* references/)
  await page.locator('canvas').focus()
  for (const key of ['+', 'ArrowLeft', '-', '0']) await page.keyboard.press(key)
  await page.getByText('The same as a list').click()
  await page.getByRole('link', { name: 'oven', exact: true }).click()
  await page.locator('.results a').first().waitFor()
})

it('a server that only shows offers no way to run or sign', async () => {
  const server = await scene.startServer(['--read-only'])
  const context = await scene.newContext()
  const other = await context.newPage()
  await other.goto(server.address)
  await other.goto(`${server.origin}/review?item=tool:oven/fresh@project`)
  await other.getByText('Signing is off').waitFor()
  expect(await other.getByRole('button', { name: 'Accept and sign' }).count()).toBe(0)
  await other.goto(`${server.origin}/run?item=tool:oven/bake@project`)
  await other.getByText('Running is off').waitFor()
  await other.getByLabel(/^loaves/).fill('1')
  await other.getByRole('button', { name: 'Try without running' }).click()
  await other.getByText('it would run').waitFor()
  await context.close()
  await server.stop()
})

it('follows several projects, each under its own address', async () => {
  const other = join(scene.session.project, '..', 'second')
  mkdirSync(join(other, '.ai', 'knowledge'), { recursive: true })
  writeFileSync(join(other, '.ai', 'knowledge', 'yeast.md'), note('yeast', 'Yeast is alive.'))
  const server = await scene.startServer(['--also', other])
  const context = await scene.newContext()
  const window = await context.newPage()
  await window.goto(server.address)
  await window.getByLabel('Project', { exact: true }).selectOption({ label: 'second' })
  await window.getByRole('heading', { name: 'second', exact: true }).waitFor()
  await window.getByRole('link', { name: 'yeast', exact: true }).click()
  await window.locator('.decision').getByText('Yeast is alive.').waitFor()
  expect(new URL(window.url()).searchParams.get('project')).toBe('1')
  await window.goto(`${server.origin}/runs`)
  await window.getByRole('heading', { name: 'By project' }).waitFor()
  await window.getByRole('link', { name: 'second', exact: true }).click()
  await window.getByText('Nothing has run here yet').waitFor()
  // Of the projects that it was started for, and of no others.
  await window.goto(`${server.origin}/search?project=7&q=yeast`)
  await window.locator('.results a', { hasText: 'yeast' }).waitFor()
  await context.close()
  await server.stop()
})

it('the overview names the sources of the lock, and asks them for newer only when told to', async () => {
  const { session } = scene
  const source = join(session.project, '..', 'mill')
  mkdirSync(join(source, 'skills', 'milling'), { recursive: true })
  const skill = join(source, 'skills', 'milling', 'SKILL.md')
  writeFileSync(skill, '---\nname: milling\ndescription: Mills flour.\n---\n\n# Milling\n')
  const { digest } = await session.call('add', { source, dry_run: true })
  expect(await session.call('add', { source, accept: [digest] })).toMatchObject({ status: 'added' })
  await show('/')
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Sources' }) })
  await card.getByText('../mill').waitFor()
  expect(await card.innerText()).toContain('1 item')
  expect(await card.innerText()).not.toContain('current')
  writeFileSync(skill, '---\nname: milling\ndescription: Mills finer flour.\n---\n\n# Milling\n')
  await card.getByRole('button', { name: 'Look for newer' }).click()
  await card.getByText('outdated').waitFor()
  // A source that is gone is said to be, and the rest of the page does not wait for it.
  rmSync(source, { recursive: true })
  await card.getByRole('button', { name: 'Look for newer' }).click()
  await card.getByText('not reached').waitFor()
})

it('a key that the project offers is shown with the command that trusts it, and no button', async () => {
  const { session } = scene
  const key = generateKey()
  session.write(
    `.ai/config/keys/trusted/${key.fingerprint}.toml`,
    printIdentity(describeKey(key.publicPem, 'ada')),
  )
  await show('/')
  const row = page.locator('.rows li', { hasText: 'offered key' })
  await row.waitFor()
  expect(await row.innerText()).toContain('rye keys trust')
  expect(await row.getByRole('button').count()).toBe(0)
  await show('/review')
  await page.getByLabel('Offered keys').getByText('rye keys trust').waitFor()
})

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
    await show(path)
    // What comes later pushes nothing away that is there.
    expect(await page.evaluate(() => window.moved)).toEqual([])
    await page.evaluate(axe.source)
    for (const [colorScheme, width] of [
      ['light', 1200],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(findSerious)).toEqual([])
      // Nothing is wider than the window.
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    }
    await page.setViewportSize({ width: 1200, height: 900 })
  })

  it('asks nobody else for anything', () => {
    expect(scene.elsewhere).toEqual([])
  })
})

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
