// What an agent reads and writes for a task: with rye, and with five MCP servers whose tools are listed in full.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addCalls, addTasks, countListing, countWireListing, medianRatio, tableOf } from './answers-count.mjs'
import {
  BROWSER,
  installServers,
  listServer,
  openSide,
  SERVERS,
  ServersMissing,
  startOf,
} from './answers-peers.mjs'
import { writeProject } from './answers-project.mjs'
import { TASKS } from './answers-tasks.mjs'
import { PROGRAM } from './mcp-peer.mjs'
import { atMost, figure, round } from './table.mjs'

const GOAL = 0.25

export async function measureAnswers() {
  let folder
  try {
    folder = installServers()
  } catch (thrown) {
    if (!(thrown instanceof ServersMissing)) throw thrown
    return [figure('not measured', thrown.message, 'a registry that answers', false)]
  }
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rye-answers-')))
  try {
    const rye = await openRye(join(root, 'rye'), folder)
    const listed = await openListed(join(root, 'five'), folder)
    const listing = { rye: listingOf(rye.side), listed: listingOf(listed.side) }
    const browser = await listServer(BROWSER, folder, listed.project, listed.env)
    const tasks = []
    for (const task of TASKS) {
      const { name, answer } = task
      tasks.push({
        name,
        rye: await attempt(rye, task.rye, answer),
        listed: await attempt(listed, task.listed, answer),
      })
    }
    await Promise.all([rye.side.close(), listed.side.close()])
    report(tasks, listing)
    return figures(tasks, listing, { servers: listed.side.servers, browser })
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A project with the same five servers wrapped as items, so that both sides can do the same things. */
async function openRye(root, folder) {
  const { project, env } = prepare(root)
  // Inside the project, because a sandboxed tool sees no such folder elsewhere.
  cpSync(join(folder, 'node_modules'), join(project, 'servers/node_modules'), { recursive: true })
  const rye = (...words) => command(process.execPath, [PROGRAM, ...words], { cwd: project, env })
  rye('keys', 'generate')
  for (const name of Object.keys(SERVERS)) {
    const { args, env: own } = startOf(name, join(project, 'servers'), project)
    const input = { action: 'add', name, command: process.execPath, args, env: own }
    rye('execute', 'rye/mcp/manager', '--params', JSON.stringify(input))
  }
  rye('sign', '**')
  return { project, side: await openSide([{ args: [PROGRAM, 'mcp'], env: {} }], project, env) }
}

async function openListed(root, folder) {
  const { project, env } = prepare(root)
  const key = join(root, 'key.pem')
  command('openssl', ['genpkey', '-algorithm', 'RSA', '-out', key], { cwd: root, env })
  command('openssl', ['pkey', '-in', key, '-pubout', '-out', join(root, 'key.pub')], { cwd: root, env })
  const starts = Object.keys(SERVERS).map(name => startOf(name, folder, project))
  return { project, env, side: await openSide(starts, project, env) }
}

function prepare(root) {
  const project = join(root, 'project')
  const home = join(root, 'home')
  for (const path of [project, home]) mkdirSync(path, { recursive: true })
  writeProject(project)
  return { project, env: { PATH: process.env.PATH, HOME: home, USER_SPACE: home } }
}

function command(program, words, place) {
  const { status, stdout, stderr } = spawnSync(program, words, { ...place, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed: ${stderr}${stdout}`)
}

/** Runs one side of a task. Anything that goes wrong is a failure of that side, and its calls still count. */
async function attempt({ side, project }, script, answer) {
  let failure = null
  try {
    const text = await script(side, project)
    if (!answer.test(text)) failure = `expected ${answer}, got ${text.slice(0, 300)}`
  } catch (thrown) {
    failure = thrown.message
  }
  return addCalls(side.takeCalls(), failure)
}

function listingOf({ servers }) {
  return { context: countListing(servers), wire: countWireListing(servers) }
}

function report(tasks, listing) {
  console.log(
    `\nshown before a task: rye ${listing.rye.context}, five servers ${listing.listed.context} bytes\n`,
  )
  console.log(tableOf(tasks, listing))
  for (const { name, ...sides } of tasks) {
    for (const [side, { failure }] of Object.entries(sides)) {
      if (failure !== null) console.log(`\n${side} failed to ${name}: ${failure}`)
    }
  }
}

function figures(tasks, listing, { servers, browser }) {
  const { rye, listed } = addTasks(tasks, listing)
  const count = servers.reduce((sum, { tools }) => sum + tools.length, 0)
  return [
    figure(
      'tools listed by the five servers',
      `${count}, ${listing.listed.context} bytes, ${listing.listed.wire} on the wire`,
    ),
    figure('tools listed by rye', `${listing.rye.context} bytes, ${listing.rye.wire} on the wire`),
    atMost(
      `${tasks.length} tasks, each in a session of its own`,
      rye.alone / listed.alone,
      GOAL,
      'x the bytes',
    ),
    figure(
      `the same with a browser (${browser.tools.length} tools) in place of the fifth`,
      `${round(rye.alone / (listed.alone + tasks.length * moreListed(servers, browser)))} x the bytes`,
    ),
    figure('the task in the middle', `${round(medianRatio(tasks, listing))} x the bytes`),
    figure('the same as sent over the wire', `${round(rye.wire / listed.wire)} x the bytes`),
    figure('all tasks in one session', `${round(rye.together / listed.together)} x the bytes`),
    figure('calls', `${rye.calls} against ${listed.calls}`),
    figure(
      'failures',
      `${rye.failures} against ${listed.failures}`,
      `<= ${listed.failures}`,
      rye.failures <= listed.failures,
    ),
  ]
}

/** How much more a model would be shown if the last server were another one. */
function moreListed(servers, other) {
  return countListing([other]) - countListing(servers.slice(-1))
}
