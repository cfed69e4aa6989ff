// What the page says about the whole library: its projects, its sources, and the keys that it offers.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeKey, printIdentity } from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'
import type { BrowserDocument } from './browser-names.ts'
import { runInside } from './run-rye.ts'
import { useBakery } from './ui-bakery.ts'
import { note } from './ui-scene.ts'

declare const document: BrowserDocument

const bakery = useBakery()

it('follows several projects, each under its own address', async () => {
  const { newContext, session, startServer } = bakery()
  const other = join(session.project, '..', 'second')
  mkdirSync(join(other, '.ai', 'knowledge'), { recursive: true })
  writeFileSync(join(other, '.ai', 'knowledge', 'yeast.md'), note('yeast', 'Yeast is alive.'))
  expect(await session.execute('oven/bake', { loaves: 1 })).toMatchObject({ status: 'success' })
  const server = await startServer(['--also', other])
  const context = await newContext()
  const window = await context.newPage()
  await window.goto(server.address)
  await window.getByLabel('Project', { exact: true }).selectOption({ label: 'second' })
  await window.getByRole('heading', { name: 'second', exact: true }).waitFor()
  await window.getByRole('link', { name: 'yeast', exact: true }).click()
  await window.locator('.decision').getByText('Yeast is alive.').waitFor()
  expect(new URL(window.url()).searchParams.get('project')).toBe('1')
  // Where one item of this project was looked at, the other need not have it.
  await window.goto(`${server.origin}/run?item=tool:oven/bake@project`)
  await window.getByLabel('Project', { exact: true }).selectOption({ label: 'second' })
  await window.getByRole('heading', { name: 'second', exact: true }).waitFor()
  await window.goto(`${server.origin}/runs`)
  await window.getByRole('heading', { name: 'By project' }).waitFor()
  await window.getByRole('link', { name: 'second', exact: true }).click()
  await window.getByText('Nothing has run here yet').waitFor()
  // Of the projects that it was started for, and of no others: an address of another server is not read as one of these.
  for (const project of ['7', '-1', '1.5', 'second', ' ']) {
    await window.goto(`${server.origin}/search?project=${encodeURIComponent(project)}&q=yeast`)
    await window.getByRole('alert').getByText(`names project “${project}”, which`).waitFor()
    expect(await window.locator('.results, .shell').count()).toBe(0)
  }
  await window.getByRole('link', { name: 'second', exact: true }).click()
  await window.waitForURL(`${server.origin}/search?project=1`)
  expect(await window.getByLabel('Project', { exact: true }).inputValue()).toBe('1')
  // The server is there, and says what is not.
  renameSync(other, `${other}-moved`)
  await window.goto(`${server.origin}/?project=1`)
  await window.getByRole('alert').getByText('The folder of this project is gone').waitFor()
  renameSync(`${other}-moved`, other)
  await window.getByRole('alert').waitFor({ state: 'detached' })
  await window.getByRole('link', { name: 'yeast', exact: true }).waitFor()
  await context.close()
  await server.stop()
})

it('the overview names the sources of the lock, and asks them for newer only when told to', async () => {
  const { page, session, show } = bakery()
  const source = join(session.project, '..', 'mill')
  mkdirSync(join(source, 'skills', 'milling'), { recursive: true })
  const skill = join(source, 'skills', 'milling', 'SKILL.md')
  writeFileSync(skill, '---\nname: milling\ndescription: Mills flour.\n---\n\n# Milling\n')
  await show('/')
  const { project: directory, environment } = session
  const { digest } = await session.call('add', { source, dry_run: true })
  const added = await runInside(['add', source, '--accept', String(digest)], { directory, environment })
  expect(added.status).toBe(0)
  // The page is there already, and follows the lock.
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
  const { page, session, show } = bakery()
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

it('the numbers are those of the lists behind them, and what tools import is told apart and not run', async () => {
  const { page, session, server, show } = bakery()
  session.write('.ai/tools/oven/_heat.py', 'def heat():\n    return 220\n')
  session.write(
    '.ai/tools/oven/warm.py',
    [
      ...['__version__ = "1.0.0"', '__tool_type__ = "python"'],
      ...['__executor_id__ = "rye/core/runtimes/python/function"', '__category__ = "oven"'],
      ...['__tool_description__ = "Warms the oven"', 'from _heat import heat', '', ''],
      ...['def execute(params, project_path):', '    return {"heat": heat()}', ''],
    ].join('\n'),
  )
  await session.call('sign', { item_id: 'oven/warm', item_type: 'tool' })
  await show('/')
  const heading = page.locator('.overview h2').first()
  expect(await heading.innerText()).toBe('Needs attention')
  const trust = page.locator('.card', { has: page.getByRole('heading', { name: 'Trust' }) })
  await trust.getByText(/files? that tools import or that hold settings: 1 to review/).waitFor()
  const links = page.locator('.counts td a').or(trust.locator('.rows a'))
  const told = await links.evaluateAll(all =>
    all.map(link => [link.getAttribute('href'), link.textContent] as const),
  )
  expect(told.length).toBeGreaterThan(5)
  for (const [href, count] of told) {
    await show(String(href))
    await page.waitForFunction(() => document.querySelector('.filter-trust .chip-count') !== null)
    expect([href, await page.locator('.results-head [role=status]').innerText()]).toEqual([
      ...[href, count === '1' ? '1 item' : `${count} items`],
    ])
  }
  // It waits like an item, and is no item to be run.
  await show('/review?item=tool:oven/_heat@project')
  await page.getByRole('button', { name: 'Accept and sign' }).click()
  await page.getByRole('button', { name: 'Sign it' }).click()
  await page.getByRole('status').getByText('oven/_heat is signed').waitFor()
  await page.goto(`${server.origin}/item/tool/project/oven/_heat`)
  await page.getByText('it is not run by itself').waitFor()
  expect(await page.locator('.item-head .actions a').count()).toBe(0)
  await page.goto(`${server.origin}/run?item=tool:oven/_heat@project`)
  await page.getByRole('status').getByText('it is not run by itself').waitFor()
  expect(await page.locator('form').count()).toBe(0)
})
