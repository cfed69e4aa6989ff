// Running a tool from the page.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appendReceipt } from '../../src/user/index.ts'
import { stateFolder } from '../fixtures/kept-places.ts'
import { until } from '../fixtures/patience.ts'
import type { BrowserDocument } from './browser-names.ts'
import { runInside } from './run-rye.ts'
import { useBakery } from './ui-bakery.ts'

declare const document: BrowserDocument

const bakery = useBakery()

describe('a run', () => {
  it('is tried first, then confirmed, and leaves a receipt', async () => {
    const { page, show } = bakery()
    await show('/run?item=tool:oven/bake@project')
    await page.getByRole('button', { name: 'Try without running' }).click()
    await page.getByText('loaves is required').waitFor()
    expect(await page.getByRole('button', { name: 'Run …' }).isDisabled()).toBe(true)
    await page.getByLabel(/^loaves/).fill('7')
    await page.getByLabel(/^kind/).selectOption({ label: 'spelt' })
    await page.getByRole('button', { name: 'Try without running' }).click()
    await page.getByText('it would run').waitFor()
    // What would run is in sight as a whole.
    const plan = page.locator('.outcome .source')
    expect(await plan.evaluate(element => element.scrollWidth - element.clientWidth)).toBe(0)
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
    const { page, session, show } = bakery()
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

describe('what is changed while it is tried', () => {
  it('is not what was tried: an answer that comes late counts for nothing', async () => {
    const { page, show } = bakery()
    await show('/run?item=tool:oven/bake@project')
    const held: (() => void)[] = []
    const asked: string[] = []
    await page.route(/\/api\/run$/, async route => {
      asked.push(route.request().postData() ?? '')
      const response = await route.fetch().catch(() => undefined)
      await new Promise<void>(release => held.push(release))
      await route.fulfill(response ? { response } : { status: 500 }).catch(() => {})
    })
    const run = page.getByRole('button', { name: 'Run …' })
    const trial = page.getByRole('button', { name: 'Try without running' })
    await page.getByLabel(/^loaves/).fill('1')
    await trial.click()
    await until(() => held.length === 1)
    await page.getByLabel(/^loaves/).fill('900')
    await page.getByText('A dry run checks').waitFor()
    held[0]!()
    await page.waitForTimeout(300)
    expect(await page.getByText('it would run').count()).toBe(0)
    expect(await run.isDisabled()).toBe(true)
    // The next trial need not wait for the one that nobody wants any more, and is the one that counts.
    await trial.click()
    await until(() => held.length === 2)
    held[1]!()
    await page.getByText('it would run').waitFor()
    expect(asked.map(body => JSON.parse(body).input.parameters.loaves)).toEqual([1, 900])
    expect(await run.isDisabled()).toBe(false)
    await page.unroute(/\/api\/run$/)
  })

  it('is not the item that was tried, where that was changed', async () => {
    const { page, session, show } = bakery()
    await show('/run?item=tool:oven/bake@project')
    await page.getByLabel(/^loaves/).fill('3')
    await page.getByRole('button', { name: 'Try without running' }).click()
    await page.getByText('it would run').waitFor()
    const path = join(session.project, '.ai/tools/oven/bake.py')
    const whole = readFileSync(path)
    writeFileSync(path, `${whole}\n# changed\n`)
    await page.getByText('A dry run checks').waitFor()
    expect(await page.getByRole('button', { name: 'Run …' }).isDisabled()).toBe(true)
    writeFileSync(path, whole)
  })

  it('takes the consent with it, and a run that is shown says that it had other parameters', async () => {
    const { page, show } = bakery()
    await show('/run?item=tool:oven/bake@project')
    const run = page.getByRole('button', { name: 'Run …' })
    await page.getByLabel(/^loaves/).fill('2')
    await page.getByRole('button', { name: 'Try without running' }).click()
    await page.getByText('it would run').waitFor()
    await page.getByLabel(/^loaves/).fill('many')
    expect(await page.getByText('it would run').count()).toBe(0)
    expect(await run.isDisabled()).toBe(true)
    await page.getByLabel(/^loaves/).fill('2')
    await page.getByRole('button', { name: 'Try without running' }).click()
    await page.getByText('it would run').waitFor()
    await run.click()
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.getByText('"baked"').waitFor()
    expect(await page.getByText('other parameters').count()).toBe(0)
    await page.getByLabel(/^loaves/).fill('3')
    await page.getByText('other parameters').waitFor()
    expect(await page.getByText('"baked"').count()).toBe(1)
  })
})

it('of more runs than are listed, it says what lists the others', async () => {
  const { page, session, show } = bakery()
  for (let run = 0; run < 201; run++)
    await appendReceipt(stateFolder(session.user, session.project), {
      ...{ time: new Date().toISOString(), item_id: 'oven/often', item_type: 'tool', space: 'project' },
      ...{ chain: [], parameters: '0'.repeat(64), signer: null, isolation: 'none', duration_ms: 1 },
      outcome: 'success',
    })
  await show('/runs?item=oven/often')
  await page.getByRole('heading', { name: 'Receipts of oven/often 201' }).waitFor()
  expect(await page.locator('.receipts li').count()).toBe(200)
  const days = page.getByRole('table', { name: 'Days with runs' })
  expect(await days.getByRole('row').count()).toBeGreaterThan(1)
  const command = await page.locator('.runs code').innerText()
  expect(command).toBe('rye runs --limit 10000')
  const [, ...words] = command.split(' ')
  const { project: directory, environment } = session
  const listed = await runInside([...words, '--json'], { directory, environment })
  expect(listed.json().runs.length).toBeGreaterThan(200)
})

it('a server that only shows offers no way to run or sign', async () => {
  const { newContext, startServer } = bakery()
  const server = await startServer(['--read-only'])
  const context = await newContext()
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
