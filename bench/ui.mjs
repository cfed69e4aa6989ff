// The page of `rye ui` in a real browser, over a library of ten thousand unsigned items: how long a person
// waits. What the browser itself takes for an empty page, a key and a frame is measured in the same run,
// since other work on the machine affects both.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { awaitPaint, countFrames, firstPaint } from './in-page.mjs'
import { writeLibrary } from './library.mjs'
import { atLeast, atMost, figure, percentile, round } from './table.mjs'

const ITEMS = 10_000
const MAP_ITEMS = 1000
const STARTS = 5
const SETTLE_MS = 1500
const TYPED = ['deploy cluster', 'rotate token', 'how do I merge a schema']
const PROGRAM = fileURLToPath(new URL('../dist/rye.cjs', import.meta.url))
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
]

export async function measureUi() {
  const root = mkdtempSync(join(tmpdir(), 'rye-ui-bench-'))
  const env = { PATH: process.env.PATH, HOME: root, USER_SPACE: root, XDG_CACHE_HOME: join(root, 'cache') }
  const [large, small] = [ITEMS, MAP_ITEMS].map(count => {
    const project = join(root, `items-${count}`)
    writeLibrary(project, count)
    return { cwd: project, env }
  })
  await delay(3000)
  for (const place of [large, small])
    spawnSync(process.execPath, [PROGRAM, 'search', 'deploy'], { ...place, stdio: 'ignore' })
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
  const empty = await serveEmpty()
  try {
    return [
      ...(await measureStarts(browser, large, empty.address)),
      ...(await measureKeys(browser, large, empty.address)),
      ...(await measureMap(browser, small, empty.address)),
      await measureMemory(browser, large),
    ]
  } finally {
    await browser.close()
    empty.close()
    rmSync(root, { recursive: true, force: true })
  }
}

async function measureStarts(browser, place, emptyAddress) {
  const rounds = []
  for (let index = 0; index < STARTS; index++) {
    const since = performance.now()
    const server = await startUi(place)
    const listening = performance.now() - since
    const page = await newPage(browser)
    const opened = performance.now()
    await page.goto(server.address)
    const painted = await page.evaluate(firstPaint)
    const started = listening + painted.sinceStart
    await page.waitForFunction(() => document.querySelector('.bar-part') !== null)
    const counted = performance.now() - opened
    await page.goto(`${server.origin}/search`)
    const searched = await page.evaluate(firstPaint)
    await page.context().close()
    await server.stop()
    const bare = await newPage(browser)
    await bare.goto(emptyAddress)
    const blank = await bare.evaluate(firstPaint)
    await bare.context().close()
    rounds.push({
      painted: painted.sinceAnswer,
      searched: searched.sinceAnswer,
      started,
      counted,
      blank: blank.sinceAnswer,
    })
  }
  const middle = name => median(rounds.map(one => one[name]))
  return [
    figure('an empty page, first paint after the answer', `${round(middle('blank'))} ms`),
    atMost(`first paint after the answer, ${ITEMS} items`, middle('painted'), 300, 'ms'),
    figure('the same, to an empty page', `${round(middle('painted') / middle('blank'))} x that`),
    atMost('first paint of the search page after the answer', middle('searched'), 300, 'ms'),
    atMost('rye ui to first paint', middle('started'), 1500, 'ms'),
    figure('to the verdicts on every item', `${round(middle('counted'))} ms`),
  ]
}

async function measureKeys(browser, place, emptyAddress) {
  const bare = await newPage(browser)
  await bare.goto(emptyAddress)
  const blank = await typeAll(bare, 'input')
  await bare.context().close()
  const server = await startUi(place)
  const page = await newPage(browser)
  await page.goto(server.address)
  await page.goto(`${server.origin}/search`)
  await page.waitForSelector('.results a')
  // Wait until every signature has been checked: that work would compete with the typing.
  await page.getByRole('button', { name: /^unsigned/ }).waitFor()
  await delay(SETTLE_MS)
  const before = ticksOf(server.pid)
  const waits = await typeAll(page, '.search-field input')
  const ticks = ticksOf(server.pid) - before
  await page.context().close()
  await server.stop()
  const [ours, bareP95] = [percentile(waits, 0.95), percentile(blank, 0.95)]
  return [
    figure('a key in an empty page, p95', `${round(bareP95)} ms`),
    atMost('key to results, p95', ours, 50, 'ms'),
    figure('key to results, median', `${round(median(waits))} ms`),
    figure('the same, to an empty page', `${round(ours / bareP95)} x that`),
    figure('CPU of the server for a key', `${round((ticks * 10) / waits.length)} ms`),
  ]
}

/** Types a query, and waits for the results of each key to be painted. */
async function typeAll(page, field) {
  const waits = []
  for (const text of TYPED) {
    await page.fill(field, '')
    await page.focus(field)
    for (let end = 1; end <= text.length; end++) {
      await page.evaluate(awaitPaint, text.slice(0, end))
      await page.keyboard.press(text[end - 1] === ' ' ? 'Space' : text[end - 1])
      const wait = await page.evaluate(() => window.painted)
      // The first keys compile the drawing code, so they do not count.
      if (end > 2 || text !== TYPED[0]) waits.push(wait)
    }
  }
  return waits
}

async function measureMap(browser, place, emptyAddress) {
  const bare = await newPage(browser)
  await bare.goto(emptyAddress)
  const most = await bare.evaluate(countFrames, undefined)
  await bare.context().close()
  const server = await startUi(place)
  const page = await newPage(browser)
  await page.goto(server.address)
  await page.goto(`${server.origin}/map`)
  await page.waitForSelector('canvas')
  await delay(500)
  const whole = await page.evaluate(countFrames, 'canvas')
  for (let i = 0; i < 8; i++) await page.press('canvas', '+')
  const near = await page.evaluate(countFrames, 'canvas')
  await page.context().close()
  await server.stop()
  return [
    figure('frames of an empty page', `${round(most)} /s`),
    atLeast(`moving a map of ${MAP_ITEMS} items, all of it in sight`, whole, 30, 'frames/s'),
    atLeast('the same, near, with names', near, 30, 'frames/s'),
    figure('the slower of both, to an empty page', `${round(Math.min(whole, near) / most)} of it`),
  ]
}

async function measureMemory(browser, place) {
  const server = await startUi(place)
  const page = await newPage(browser)
  await page.goto(server.address)
  await page.waitForFunction(() => document.querySelector('.bar-part') !== null)
  await page.goto(`${server.origin}/search?q=how+do+I+merge+a+schema`)
  await page.waitForSelector('.results a')
  await delay(2000)
  const ui = residentMemory(server.pid)
  await page.context().close()
  await server.stop()
  const mcp = await memoryOfMcp(place)
  return atMost(`memory of the server over rye mcp (${round(mcp)} MB)`, ui - mcp, 20, 'MB')
}

async function memoryOfMcp(place) {
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { ...place, stdio: ['pipe', 'pipe', 'ignore'] })
  const answer = () => new Promise(resolve => child.stdout.once('data', resolve))
  const send = message => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'bench', version: '1' }
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  })
  await answer()
  for (const [id, query] of [
    [2, 'deploy'],
    [3, '*'],
    // The page loads what a question needs before anybody asks one.
    [4, 'how do I merge a schema'],
  ]) {
    send({ id, method: 'tools/call', params: { name: 'search', arguments: { query } } })
    await answer()
  }
  await delay(2000)
  const memory = residentMemory(child.pid)
  child.stdin.end()
  await new Promise(resolve => child.once('exit', resolve))
  return memory
}

async function startUi(place) {
  const child = spawn(process.execPath, [PROGRAM, 'ui', '--no-open'], {
    ...place,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', chunk => {
      text += chunk
      const found = /listening: (\S+)/.exec(text)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', status => reject(new Error(`rye ui ended with ${status}`)))
  })
  return {
    address,
    origin: new URL(address).origin,
    pid: child.pid,
    stop: () =>
      new Promise(resolve => {
        child.once('exit', resolve)
        child.kill()
      }),
  }
}

async function newPage(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  return context.newPage()
}

function serveEmpty() {
  const html = '<!doctype html><title>empty</title><input><output>x</output><script src="/s.js"></script>'
  const script =
    "document.querySelector('input').oninput = event => { const o = document.querySelector('output'); o.dataset.query = o.textContent = event.target.value }"
  const server = createServer((request, response) => {
    response.setHeader('content-type', request.url === '/s.js' ? 'text/javascript' : 'text/html')
    response.end(request.url === '/s.js' ? script : html)
  })
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () =>
      resolve({ address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }),
    ),
  )
}

function residentMemory(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
}

function ticksOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number)
  return fields[11] + fields[12]
}

function median(values) {
  return percentile(values, 0.5)
}
