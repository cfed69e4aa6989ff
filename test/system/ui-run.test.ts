// Running a tool from the page.
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
