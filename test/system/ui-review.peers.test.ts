// What a person reads about an item before an agent may use it, and how it is signed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../fixtures/patience.ts'
import type { BrowserDocument } from './browser-names.ts'
import { useBakery } from './ui-bakery.ts'

declare const document: BrowserDocument

const bakery = useBakery()

describe('an item', () => {
  it('shows its text, who vouches for it, what it takes and what runs it', async () => {
    const { page, show } = bakery()
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
    const { page, show } = bakery()
    await show('/item/skill/project/pastry')
    await page.getByRole('button', { name: /butter/ }).click()
    await page.getByText('Cold, always cold.').waitFor()
    expect(new URL(page.url()).searchParams.get('file')).toBe('references/butter.md')
    expect(await page.locator('.files details summary').innerText()).toBe('references/')
  })

  it('that is in several spaces says which one is used, and compares all its files', async () => {
    const { page, show } = bakery()
    await show('/item/skill/user/pastry')
    await page.getByText('shadowed by the one in the project space').waitFor()
    await page.getByRole('button', { name: 'compare user with project' }).click()
    await page.waitForSelector('.diff-changed')
    expect(await page.locator('.diff-changed .diff-left code').innerText()).toBe('Warm is better.')
    expect(await page.locator('.diff-changed .diff-right code').innerText()).toBe('Cold, always cold.')
    expect(new URL(page.url()).searchParams.get('compare')).toBe('user-project')
  })

  it('is what is read next after its link was followed', async () => {
    const { page, show } = bakery()
    await show('/search?q=pastry')
    await page.locator('.results a').first().focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('.item h1')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    expect(await page.title()).toBe('pastry · rye')
  })

  it('that is not there is a sentence, with what to do', async () => {
    const { page, show } = bakery()
    await show('/item/tool/project/oven/bakee')
    expect(await page.getByRole('alert').textContent()).toContain('oven/bakee')
  })
})

it('what is left makes room for the next, also at the beginning of the queue', async () => {
  const { page, show } = bakery()
  await show('/review')
  await page
    .getByRole('status')
    .getByText(/^1 of \d+$/)
    .waitFor()
  const title = page.locator('.decision .item-head h2')
  expect(await title.innerText()).toBe('oven/changed')
  await page.getByRole('button', { name: 'Leave it, next' }).click()
  await page
    .getByRole('status')
    .getByText(/^2 of \d+$/)
    .waitFor()
  expect(await title.innerText()).toBe('oven/fresh')
})

it('a changed item is compared with what was signed, and signed only as it was read', async () => {
  const { page, session, show } = bakery()
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

it('what an agent had signed says so, is read as a whole, and then signed', async () => {
  const { page, session, show } = bakery()
  const known = readFileSync(join(session.project, '.ai/tools/oven/bake.py'), 'utf8')
  const path = session.write('.ai/tools/oven/agents.py', known.replace(/^.*rye:signed.*\n/, ''))
  const signed = await session.call('sign', { item_id: 'oven/agents', item_type: 'tool' }, 'agent')
  expect(signed).toMatchObject({ status: 'signed' })
  await show('/item/tool/project/oven/agents')
  await page.getByText('Signed for an agent in the name of you').waitFor()
  await page.getByRole('link', { name: 'Review' }).last().click()
  await page.getByText('No person has signed it').waitFor()
  expect(await page.locator('.needs h2').innerText()).toBe('What it may do')
  expect(await page.locator('.decision .changed-file').innerText()).toContain('def execute')
  await page.getByRole('button', { name: 'Accept and sign' }).click()
  await page.getByRole('button', { name: 'Sign it' }).click()
  await page.getByRole('status').getByText('oven/agents is signed').waitFor()
  expect(readFileSync(path, 'utf8')).not.toContain('rye@agent')
  await show('/item/tool/project/oven/agents')
  await page.getByText('Signed by you').waitFor()
})

describe('an address that was kept', () => {
  it('of an item that needs no review says so, and shows no other', async () => {
    const { page, show } = bakery()
    await show('/review?item=tool:oven/bake@project')
    await page.getByRole('status').getByText('It needs no review').waitFor()
    expect(await page.locator('.decision h2').first().innerText()).toBe('oven/bake')
    expect(await page.getByRole('button', { name: 'Accept and sign' }).count()).toBe(0)
    expect(await page.locator('.queue [aria-current]').count()).toBe(0)
    await page.getByRole('button', { name: 'To what waits for review' }).click()
    await page.getByRole('button', { name: 'Accept and sign' }).waitFor()
  })

  it.each([
    ['tool:oven/none@project', 'oven/none'],
    ['tool:oven/bake@nowhere', 'nowhere'],
    ['tool:../../etc/passwd@project', 'etc/passwd'],
    ['nonsense', 'names no item'],
    ['constructor:__proto__@project', 'constructor'],
  ])('of %s, which is no item, says so and shows no other', async (item, part) => {
    const { page, show } = bakery()
    await show(`/review?item=${encodeURIComponent(item)}`)
    expect(await page.locator('.decision [role=alert]').textContent()).toContain(part)
    expect(await page.locator('.decision h2').first().innerText()).toBe(item)
    expect(await page.getByRole('button', { name: 'Accept and sign' }).count()).toBe(0)
  })

  it('of a file that a skill no longer has says so', async () => {
    const { page, show } = bakery()
    await show('/item/skill/project/pastry?file=references/gone.md')
    expect(await page.locator('.item-main [role=status]').innerText()).toBe(
      'It has no file references/gone.md: this is SKILL.md.',
    )
  })
})

it('characters that cannot be seen are seen in the review', async () => {
  const { page, show } = bakery()
  await show('/review?item=tool:oven/fresh@project')
  await page.locator('.hidden-character', { hasText: 'U+202E' }).first().waitFor()
  expect(await page.locator('.decision').innerText()).toContain('1 invisible character, marked below: U+202E')
})
