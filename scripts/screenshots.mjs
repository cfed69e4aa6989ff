// Takes the pictures for the README: `rye ui` over a small project, in a real browser, light and dark. `node
// scripts/screenshots.mjs --all FOLDER` instead captures every page at three widths, for inspection.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('..', import.meta.url))
const program = join(root, 'dist', 'rye.cjs')
const flag = process.argv.indexOf('--all')
const folder = flag === -1 ? undefined : process.argv[flag + 1]

const scene = makeProject()
const server = await startServer(scene)
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ],
})
try {
  const context = await browser.newContext({ deviceScaleFactor: 1.5 })
  const page = await context.newPage()
  page.on('pageerror', error => process.stderr.write(`page: ${error.message}\n`))
  page.on(
    'console',
    message => message.type() === 'error' && process.stderr.write(`console: ${message.text()}\n`),
  )
  await page.goto(server.address)
  const { origin } = new URL(server.address)
  await (folder ? takeAll(page, origin, folder) : takeTwo(page, origin))
} finally {
  await browser.close()
  server.process.kill()
  rmSync(scene.root, { recursive: true, force: true })
}

async function takeTwo(page, origin) {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await show(page, `${origin}/search?q=deploy`)
  await page.screenshot({ path: join(root, 'docs/pictures/search-light.png') })
  // Tall enough to show the whole change.
  await page.setViewportSize({ width: 1280, height: 1080 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await show(page, `${origin}/review`)
  await page.screenshot({ path: join(root, 'docs/pictures/review-dark.png') })
}

async function takeAll(page, origin, target) {
  mkdirSync(target, { recursive: true })
  await page.addInitScript(watchMoves)
  const pages = {
    overview: '/',
    search: '/search?q=deploy',
    slip: '/search?q=deploy%20AND',
    item: '/item/tool/project/ops/deploy',
    knowledge: '/item/knowledge/project/ops/rollback',
    skill: '/item/skill/project/invoices',
    review: '/review',
    run: '/run?item=tool:ops/deploy@project',
    runs: '/runs',
    map: '/map?system=yes',
  }
  for (const width of [390, 1024, 1600]) {
    await page.setViewportSize({ width, height: 900 })
    for (const [name, path] of Object.entries(pages)) {
      await page.emulateMedia({ colorScheme: width === 1024 ? 'dark' : 'light' })
      await show(page, origin + path)
      await page.screenshot({ path: join(target, `${name}-${width}.png`), scale: 'css' })
      const moved = await page.evaluate(() => window.moved)
      if (moved.length > 0)
        process.stdout.write(`${name}-${width}: moved while it loaded: ${moved.join('; ')}\n`)
    }
  }
}

/** Runs in the page before its own script, and records layout shifts. */
function watchMoves() {
  window.moved = []
  const nameOf = node => `${node?.nodeName ?? '?'}.${node?.className ?? ''}`
  new PerformanceObserver(list => {
    for (const { value, sources } of list.getEntries())
      window.moved.push(`${value.toFixed(3)} ${sources.map(source => nameOf(source.node)).join(', ')}`)
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Opens a page and waits until everything it requested is there. */
async function show(page, address) {
  await page.goto(address)
  await page.waitForSelector('.side-note', { state: 'attached' })
  await page.waitForFunction(() => document.querySelector('.waiting') === null)
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
}

function startServer({ project, environment }) {
  const child = spawn(process.execPath, [program, 'ui', '--no-open'], { cwd: project, env: environment })
  child.stderr.pipe(process.stderr)
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', chunk => {
      text += chunk
      const address = /listening: (\S+)/.exec(text)?.[1]
      if (address) resolve({ address, process: child })
    })
    child.once('exit', status => reject(new Error(`rye ui ended with ${status}`)))
  })
}

function makeProject() {
  const base = mkdtempSync(join(tmpdir(), 'rye-screenshots-'))
  const [home, project] = [join(base, 'home'), join(base, 'bakery')]
  for (const path of [home, project]) mkdirSync(path)
  writeFileSync(join(home, '.gitconfig'), '[user]\n  name = Ann\n')
  const environment = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: join(base, 'cache') }
  const ryeOf = (user, ...words) => {
    const env = { ...environment, HOME: user }
    try {
      return execFileSync(process.execPath, [program, ...words], { cwd: project, env, stdio: 'pipe' })
    } catch (error) {
      // Failed runs belong in the picture, and a dry run of a source exits as a refusal does.
      if (words[0] !== 'execute' && !words.includes('--dry-run')) throw error
      return error.stdout
    }
  }
  const rye = (...words) => ryeOf(home, ...words)
  const write = (path, text) => {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  rye('init')
  const { items, changed, added } = makeItems()
  for (const [path, text] of Object.entries(items)) write(path, text)
  for (const type of ['tool', 'directive', 'knowledge', 'skill']) rye('sign', '*', '--type', type)
  for (const word of ['staging', 'production', 'staging'])
    rye('execute', 'ops/deploy', '--param', `target=${word}`)
  rye('execute', 'ops/orders', '--param', 'day=nonsense')
  rye('execute', 'hello/greet', '--param', 'who=Ada')
  // The signature line is kept, so that this is a change to a signed file.
  const signed = readFileSync(join(project, '.ai/tools/ops/deploy.py'), 'utf8').split('\n', 1)[0]
  write('.ai/tools/ops/deploy.py', `${signed}\n${changed}`)
  write('.ai/knowledge/ops/oven-hours.md', added)
  if (folder) offerMore()
  return { root: base, project, environment }

  /** Adds a source, and somebody else's key. */
  function offerMore() {
    const [other, source] = [join(base, 'ben'), join(base, 'mill')]
    mkdirSync(other)
    writeFileSync(join(other, '.gitconfig'), '[user]\n  name = Ben\n')
    ryeOf(other, 'keys', 'generate')
    ryeOf(other, 'keys', 'offer')
    mkdirSync(join(source, 'skills', 'milling'), { recursive: true })
    writeFileSync(
      join(source, 'skills', 'milling', 'SKILL.md'),
      '---\nname: milling\ndescription: Mill flour.\n---\n\n# Milling\n',
    )
    const { digest } = JSON.parse(rye('add', source, '--dry-run', '--json'))
    rye('add', source, '--accept', digest)
  }
}

function makeItems() {
  const python = (category, about, schema, body) =>
    [
      `"""${about}"""`,
      '__version__ = "1.2.0"',
      '__tool_type__ = "python"',
      '__executor_id__ = "rye/core/runtimes/python/function"',
      `__category__ = "${category}"`,
      `__tool_description__ = "${about}"`,
      '',
      `CONFIG_SCHEMA = ${schema}`,
      '',
      '',
      body,
    ].join('\n')
  const target =
    '{"type": "object", "properties": {"target": {"type": "string", "enum": ["staging", "production"], "description": "where to"}, "force": {"type": "boolean", "default": False, "description": "also when tests fail"}, "notify": {"type": "object", "description": "who is told", "properties": {"channel": {"type": "string"}, "people": {"type": "array", "items": {"type": "string"}}}}}, "required": ["target"]}'
  const day =
    '{"type": "object", "properties": {"day": {"type": "string", "description": "such as 2026-02-03"}}, "required": ["day"]}'
  const deploy = (steps, extra = '') =>
    python(
      'ops',
      'Deploy the bakery shop to a target, and wait until it answers',
      target,
      `${extra}def execute(params, project_path):\n    steps = [${steps}]\n    return {"target": params["target"], "steps": steps}\n`,
    )
  const entry = (id, title, body) =>
    `---\nid: ${id.split('/').at(-1)}\ntitle: ${title}\nversion: "1.0.0"\nentry_type: guide\ncategory: ops\ntags: [ops]\n---\n\n${body}`
  const items = {
    '.ai/tools/ops/deploy.py': deploy('"build", "upload", "switch", "check"'),
    '.ai/tools/ops/orders.py': python(
      'ops',
      'Count the orders of a day',
      day,
      'def execute(params, project_path):\n    year, month, day = params["day"].split("-")\n    return {"orders": int(day) * 7}\n',
    ),
    '.ai/tools/ops/status.sh': [
      '# __version__ = "1.0.0"',
      '# __tool_type__ = "bash"',
      '# __executor_id__ = "rye/core/runtimes/bash/bash"',
      '# __category__ = "ops"',
      '# __tool_description__ = "Say whether the shop answers after a deploy"',
      'echo \'{"status": "open"}\'',
      '',
    ].join('\n'),
    '.ai/knowledge/ops/rollback.md': entry(
      'ops/rollback',
      'Roll a deploy back',
      '# Roll a deploy back\n\nRun `tool:ops/status` first. If the shop **does not answer** for a minute, go back:\n\n1. find the last good release\n2. run tool:ops/deploy with it\n3. tell the others\n\n| sign | meaning |\n| --- | --- |\n| `502` | the oven is cold |\n| `200` | bread is served |\n\n> Never roll back during the morning rush.\n\n```sh\nrye execute ops/deploy --param target=staging\n```\n',
    ),
    '.ai/knowledge/ops/releases.md': entry(
      'ops/releases',
      'How releases are named',
      'Releases are named after breads: `rye`, `spelt`, `brioche`. A deploy keeps the last three.\n',
    ),
    '.ai/skills/invoices/SKILL.md':
      '---\nname: invoices\ndescription: Write and check invoices of the bakery, with the right tax for bread and cake.\n---\n\n# Invoices\n\nRead `references/tax.md` before you write one.\n',
    '.ai/skills/invoices/references/tax.md': '# Tax\n\nBread 7 %, cake eaten here 19 %.\n',
    '.ai/skills/invoices/scripts/total.py':
      'def total(lines):\n    return sum(line["price"] for line in lines)\n',
  }
  return {
    items,
    changed: deploy('"build", "upload", "switch"', 'import urllib.request\n\n\n').replace('1.2.0', '1.3.0'),
    added: entry(
      'ops/oven-hours',
      'Oven hours',
      'The oven is on from\u202e 3 to 11\u202c. Do not deploy then.\n',
    ),
  }
}
