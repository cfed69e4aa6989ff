// Attacks on the page: an item full of markup, a page of another origin, a name that resolves here, a wrong
// token.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BrowserDocument } from './browser-names.ts'
import { openUiScene, useScene } from './ui-scene.ts'

declare const document: BrowserDocument
declare const window: object

const HOSTILE = `---
id: hostile
title: hostile <script>ran('title')</script>
version: "1.0.0"
entry_type: guide
category: notes
description: "<img src=x onerror=ran('description')>"
---

<script>ran('script')</script>

<img src="https://elsewhere.example/pixel.png" onerror="ran('img')">

<svg onload="ran('svg')"><script>ran('svg script')</script></svg>

<iframe srcdoc="<script>parent.ran('frame')</script>"></iframe>

<style>body { background: url(https://elsewhere.example/style) }</style>

[a link](javascript:ran('link')) [another](data:text/html,<script>ran('data')</script>) ![picture](https://elsewhere.example/picture.png)

<https://elsewhere.example/plain> &lt;script&gt;

| ${'head | '.repeat(30)}
| ${'--- | '.repeat(30)}
${`| ${"<b onclick=ran('cell')>x</b> | ".repeat(30)}\n`.repeat(200)}

hidden: \u202edrawkcab\u202c and \u200bnothing

\`\`\`html
<script>ran('code')</script>
\`\`\`
`

const HUGE = `---
id: huge
title: huge
version: "1.0.0"
entry_type: guide
category: notes
---

| ${'column | '.repeat(2000)}
| ${'--- | '.repeat(2000)}
${'| cell | cell |\n'.repeat(1000)}
${'<!--'.repeat(20_000)}

${'\u202ex'.repeat(60_000)}

${'line '.repeat(60_000)}
`

const scene = useScene(() =>
  openUiScene(async session => {
    session.write('.ai/knowledge/notes/hostile.md', HOSTILE)
    session.write('.ai/knowledge/notes/huge.md', HUGE)
    session.write(
      '.ai/skills/drawing/SKILL.md',
      '---\nname: drawing\ndescription: Draws.\n---\n\n# Drawing\n',
    )
    session.write(
      '.ai/skills/drawing/logo.svg',
      `<svg xmlns="http://www.w3.org/2000/svg" onload="ran('file')"/>`,
    )
    session.write('.ai/skills/drawing/constructor', 'first\n')
    session.write('.ai/skills/drawing/notes/gpj\u202eetalp.py', 'print(1)\n')
    for (const item_type of ['knowledge', 'skill']) await session.call('sign', { item_id: '*', item_type })
    session.write('.ai/skills/drawing/toString', 'second\n')
  }),
)

let other: Server
const reached: string[] = []
beforeAll(async () => {
  other = createServer((request, response) => {
    reached.push(`${request.url} ${request.headers.cookie ?? ''}`)
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>other</title><p>other</p>')
  })
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise(resolve => other.close(resolve)))

describe('an item', () => {
  it.each([
    '/item/knowledge/project/notes/hostile',
    '/search?q=hostile',
    '/item/skill/project/drawing?file=logo.svg',
  ])('full of markup is text at %s', async path => {
    const { page, server, elsewhere } = scene()
    const ran: string[] = []
    const asked: string[] = []
    if (path.includes('notes')) await page.exposeFunction('ran', (what: string) => ran.push(what))
    page.on('request', request => asked.push(request.url()))
    await page.goto(server.origin + path)
    await page
      .locator('main')
      .getByText(/hostile|drawing/)
      .first()
      .waitFor()
    await page.waitForFunction(() => document.querySelector('.waiting') === null)
    const found = await page.evaluate(() => ({
      elements: document.querySelectorAll(
        'main script, main iframe, main style, main img, main object, main embed',
      ).length,
      handlers: [...document.querySelectorAll('main *')].filter(element =>
        element.getAttributeNames().some(name => name.startsWith('on')),
      ).length,
      links: [...document.querySelectorAll('main a')]
        .map(link => link.protocol)
        .filter(protocol => !/^https?:$/.test(protocol)),
    }))
    expect({ ...found, ran, elsewhere }).toEqual({
      elements: 0,
      handlers: 0,
      links: [],
      ran: [],
      elsewhere: [],
    })
    expect(asked.filter(url => !url.startsWith(server.origin))).toEqual([])
  })

  it('shows what is hidden in it, in its text and in its source', async () => {
    const { page, server } = scene()
    await page.goto(`${server.origin}/item/knowledge/project/notes/hostile`)
    await page.locator('.hidden-character', { hasText: 'U+202E' }).waitFor()
    await page.getByRole('button', { name: 'source' }).click()
    await page.locator('.source .hidden-character', { hasText: 'U+202E' }).waitFor()
    expect(await page.locator('.source').innerText()).toContain("<script>ran('script')</script>")
  })
})

it('an item that is made to be too much is shown in part, and says so', async () => {
  const { page, server } = scene()
  await page.goto(`${server.origin}/item/knowledge/project/notes/huge`)
  await page.getByText(/more characters are in the source/).waitFor()
  await page.getByText(/more columns are in the source/).waitFor()
  await page.getByRole('button', { name: 'source' }).click()
  await page
    .locator('.source')
    .getByText(/⟨U\+202E⟩/)
    .first()
    .waitFor()
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(60_000)
  await page.getByRole('link', { name: 'Runs' }).click()
  await page.getByRole('heading', { name: 'Runs' }).waitFor()
})

it('files with names of all kinds are shown, compared and told apart', async () => {
  const { page, server } = scene()
  await page.goto(`${server.origin}/review?item=skill:drawing@project`)
  const added = page.locator('.changed-file', { hasText: 'new since it was signed' })
  await added.getByText('second').waitFor()
  expect(await page.locator('.changed-file').count()).toBe(1)
  expect(await added.locator('h3').innerText()).toContain('toString')
  await page.goto(`${server.origin}/item/skill/project/drawing`)
  const file = page.locator('.files button', { hasText: 'etalp' })
  await file.locator('.hidden-character', { hasText: 'U+202E' }).waitFor()
  expect(await file.getAttribute('aria-label')).toContain('U+202E')
})

it('the policy of the page stops a script that got in all the same', async () => {
  const { page, server } = scene()
  await page.goto(`${server.origin}/`)
  const outcome = await page.evaluate(async () => {
    const script = document.createElement('script')
    try {
      script.textContent = 'window.gotIn = true'
      document.body.append(script)
    } catch {
      // Trusted types refuse the text already.
    }
    const markup = (() => {
      try {
        document.createElement('p').innerHTML = '<b>x</b>'
        return 'written'
      } catch {
        return 'refused'
      }
    })()
    const fetched = await fetch('https://elsewhere.example/').then(
      () => 'fetched',
      () => 'refused',
    )
    return { gotIn: 'gotIn' in window, markup, fetched }
  })
  expect(outcome).toEqual({ gotIn: false, markup: 'refused', fetched: 'refused' })
})

describe('a page of another port', () => {
  it('can neither call, nor read, nor frame, and what cookie it is sent opens nothing', async () => {
    const context = scene().page.context()
    const page = await context.newPage()
    const { port } = other.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/`)
    const { origin } = scene().server
    const tried = await page.evaluate(async target => {
      const attempt = (init: RequestInit) =>
        fetch(`${target}/api/call`, { ...init, credentials: 'include' }).then(
          () => 'read',
          () => 'refused',
        )
      const body = JSON.stringify({ action: 'doctor' })
      return {
        simple: await attempt({ method: 'POST', body, headers: { 'content-type': 'text/plain' } }),
        json: await attempt({
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', 'x-rye-key': 'x' },
        }),
        read: await attempt({ method: 'GET' }),
        script: await new Promise(done => {
          const script = document.createElement('script')
          script.src = `${target}/page.js`
          script.onload = () => done('loaded')
          script.onerror = () => done('refused')
          document.body.append(script)
        }),
      }
    }, origin)
    expect(tried).toEqual({ simple: 'refused', json: 'refused', read: 'refused', script: 'refused' })
    await page.setContent(`<iframe src="${origin}/"></iframe>`)
    await page.frameLocator('iframe').locator('html').waitFor({ state: 'attached' })
    expect(await page.frameLocator('iframe').locator('.shell').count()).toBe(0)
    await page.close()
    // A cookie knows no port, so the other server was sent it; a call needs the key as well.
    const cookie = /rye-ui-\d+=[\w-]+/.exec(reached.join('\n'))?.[0]
    expect(cookie).toBeDefined()
    const answer = await fetch(`${origin}/api/call`, {
      method: 'POST',
      headers: { origin, cookie: cookie!, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'doctor' }),
    })
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('key of this page')])
    for (const token of ['guess', new URL(scene().server.address).searchParams.get('token')]) {
      const told = await fetch(`${origin}/?token=${token}`, {
        headers: { cookie: cookie! },
        redirect: 'manual',
      })
      expect(told.headers.get('location')).toBe('/')
    }
  })
})

it('a DNS name that leads here is refused', async () => {
  const context = await scene().newContext()
  const page = await context.newPage()
  const { port } = new URL(scene().server.origin)
  const answer = await page.goto(`http://rebound.example:${port}/`)
  expect([answer?.status(), await page.textContent('body')]).toEqual([
    403,
    expect.stringContaining('expected Host'),
  ])
  await context.close()
})

it('a wrong address, and one that was used, say what to do', async () => {
  const context = await scene().newContext()
  const page = await context.newPage()
  const { address, origin } = scene().server
  for (const tried of [`${origin}/?token=guess`, address, `${origin}/`]) {
    const answer = await page.goto(tried)
    expect([answer?.status(), await page.textContent('body')]).toEqual([
      401,
      expect.stringContaining('rye ui'),
    ])
  }
  expect(await context.cookies()).toEqual([])
  await context.close()
})
