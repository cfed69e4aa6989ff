// Many servers run tools on one project at once. A guarded path that does not exist needs a directory to
// mount over, which the servers share without knowing of each other.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunOutcome } from '../../src/execute/run-outcome.ts'
import { runPlan } from '../../src/execute/run-plan.ts'
import { createRunner } from '../../src/execute/runner.ts'
import { holdMountPoint } from '../../src/execute/sandbox/mount-point.ts'
import {
  findSurvivors,
  makeDirectory,
  makeMarker,
  makePlan,
  processInvocation,
} from '../execute/hand-made-plan.ts'
import { until } from '../fixtures/patience.ts'
import { tries } from '../fixtures/tries.ts'
import { buildProgram } from './programs/build-program.ts'

const home = makeDirectory()
let folder: string
let program: string
beforeAll(async () => {
  const built = await buildProgram('guarded-runs')
  folder = built.folder
  program = built.program
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Server {
  readonly child: ChildProcess
  /** Its complaints, and how many runs it made. */
  readonly ended: Promise<{ complaints: string; runs: number; signal: string | null }>
}

function startServer(project: string, milliseconds: number, marker = makeMarker()): Server {
  const child = spawn(process.execPath, [program, project, home, String(milliseconds), marker])
  let complaints = ''
  let errors = ''
  child.stdout.on('data', text => {
    complaints += text
  })
  child.stderr.on('data', text => {
    errors += text
  })
  const ended = new Promise<Awaited<Server['ended']>>(resolve => {
    child.on('close', (code, signal) => {
      const crash = code === 0 || signal ? '' : `exit ${code}: ${errors}`
      resolve({ complaints: complaints + crash, runs: Number(errors), signal })
    })
  })
  return { child, ended }
}

async function runOnce(project: string, script = ':'): Promise<RunOutcome> {
  const runner = createRunner({ isolation: 'bubblewrap', home, userSpace: home })
  const invocation = processInvocation({ args: ['-c', script], cwd: project })
  const outcome = await runPlan(makePlan({ projectPath: project, invocation }), runner)
  await runner.close()
  return outcome
}

function listAll(project: string): string[] {
  return readdirSync(project, { recursive: true, encoding: 'utf8' }).sort()
}

/** The mount points of a sandbox go with it, or, if it ends slowly, with one of the next runs. */
async function untilLeft(project: string, expected: readonly string[]): Promise<void> {
  await until(async () => {
    if (isDeepStrictEqual(listAll(project), expected)) return true
    await runOnce(project)
    return false
  })
}

/** How long a server starts one tool after another. */
const BUSY_MS = tries({ usual: 1_000, torture: 3_000 })

describe('eight servers on one project', () => {
  it('start every tool, keep every guarded path, and leave nothing behind', async () => {
    const project = makeDirectory()
    const servers = Array.from({ length: 8 }, () => startServer(project, BUSY_MS))
    const ended = await Promise.all(servers.map(server => server.ended))
    expect(ended.map(({ complaints }) => complaints)).toEqual(ended.map(() => ''))
    for (const { runs } of ended) expect(runs).toBeGreaterThan(1)
    await untilLeft(project, ['.ai'])
  })

  it('keep every guarded path when one of them is killed, and the next run clears up after it', async () => {
    const project = makeDirectory()
    const marker = makeMarker()
    const victims = Array.from({ length: 3 }, () => startServer(project, 600_000, marker))
    const servers = Array.from({ length: 3 }, () => startServer(project, BUSY_MS))
    for (const { child } of victims) {
      await until(() => existsSync(join(project, '.git')))
      await new Promise(resolve => setTimeout(resolve, 400))
      child.kill('SIGKILL')
    }
    const killed = await Promise.all(victims.map(server => server.ended))
    expect(killed.map(({ signal }) => signal)).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL'])
    const ended = await Promise.all(servers.map(server => server.ended))
    expect([...killed, ...ended].map(({ complaints }) => complaints).join('')).toBe('')
    expect(await findSurvivors(marker)).toEqual([])
    expect(await runOnce(project)).toMatchObject({ status: 'success' })
    await untilLeft(project, ['.ai'])
  })
})

describe('what is at a guarded path', () => {
  it('is protected and stays when it is an empty directory of the user', async () => {
    const project = makeDirectory()
    mkdirSync(join(project, '.git'))
    const outcome = await runOnce(project, 'mkdir .git/hooks || echo refused')
    expect(outcome).toMatchObject({ data: { stdout: 'refused\n' } })
    await untilLeft(project, ['.ai', '.git'])
  })

  it('goes with the next run when a server made it and was killed at once', async () => {
    const project = makeDirectory()
    mkdirSync(join(project, '.git'), 0o1700)
    expect(statSync(join(project, '.git')).mode & 0o7777).toBe(0o1700)
    await runOnce(project)
    await untilLeft(project, ['.ai'])
  })

  it('stays, and stays protected, when it was filled from outside during a run', async () => {
    const project = makeDirectory()
    const running = runOnce(
      project,
      'until [ -e go ]; do sleep 0.02; done; mkdir .git/hooks .ai/config/x || echo refused',
    )
    await until(() => existsSync(join(project, '.ai/config')))
    writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(join(project, 'go'), '')
    expect(await running).toMatchObject({ data: { stdout: 'refused\n' } })
    await untilLeft(project, ['.ai', '.git', '.git/HEAD', 'go'])
    const next = await runOnce(project, 'cat .git/HEAD; mkdir .git/hooks/x || echo refused')
    expect(next).toMatchObject({ data: { stdout: 'ref: refs/heads/main\nrefused\n' } })
    await untilLeft(project, ['.ai', '.git', '.git/HEAD', 'go'])
  })

  it('stays while a process has it mounted, though no server holds it', async () => {
    // The kernel prints some of these characters in its own way where it lists mounts.
    const project = join(makeDirectory(), 'ä project\\of\tmine #1')
    const path = join(project, '.git')
    mkdirSync(project)
    const mountPoint = holdMountPoint(path, true)
    const mounts = ['--bind', '/', '/', '--tmpfs', path]
    const sandbox = spawn('bwrap', [...mounts, '--die-with-parent', 'sh', '-c', 'echo up; exec cat'])
    await new Promise(resolve => sandbox.stdout.once('data', resolve))
    await mountPoint?.release()
    expect(listAll(project)).toEqual(['.git'])
    sandbox.stdin.end()
    await new Promise(resolve => sandbox.once('close', resolve))
    await holdMountPoint(path, true)?.release()
    expect(listAll(project)).toEqual([])
  })

  it('cannot be replaced when it is a file that points to a repository', async () => {
    const project = makeDirectory()
    writeFileSync(join(project, '.git'), 'gitdir: /elsewhere')
    const outcome = await runOnce(project, 'rm -f .git; mkdir -p .git/hooks; cat .git')
    expect(outcome).toMatchObject({ data: { stdout: 'gitdir: /elsewhere' } })
    await untilLeft(project, ['.ai', '.git'])
  })

  it.each([
    ['.git', 'real', '.git/hooks/x'],
    ['.git', '../elsewhere', '.git/hooks/x'],
    ['.git', 'nowhere', '.git/hooks/x'],
    ['.git/hooks', '../real', '.git/hooks/x'],
    ['.git/config', '../real', '.git/config'],
    ['.ai', 'real', '.ai/config/x'],
    ['.ai', '../elsewhere', '.ai/config/x'],
    ['.ai/config', '../real', '.ai/config/x'],
  ])('ends the run before it starts when %s is a link to %s', async (link, target, planted) => {
    const root = makeDirectory()
    const project = join(root, 'project')
    for (const name of ['project/real', 'elsewhere', `project/${link}/..`]) {
      mkdirSync(join(root, name), { recursive: true })
    }
    symlinkSync(target, join(project, link))
    const before = listAll(root)
    const replace = `touch started; rm -f ${link}; mkdir -p ${planted}`
    expect(await runOnce(project, replace)).toMatchObject({
      status: 'error',
      error: {
        code: 'ISOLATION_UNAVAILABLE',
        message: expect.stringContaining(join(project, link)),
        hint: expect.stringContaining('process-group'),
      },
      isolation: 'none',
    })
    expect(listAll(root).filter(path => path !== 'project/.ai')).toEqual(
      before.filter(path => path !== 'project/.ai'),
    )
  })

  it('may lie behind a link that the tool cannot write', async () => {
    const root = makeDirectory()
    const project = join(root, 'real')
    mkdirSync(project)
    symlinkSync('real', join(root, 'linked'))
    const runner = createRunner({ isolation: 'bubblewrap', home: join(root, 'linked'), userSpace: home })
    const invocation = processInvocation({ args: ['-c', 'mkdir -p .ssh/x || echo refused'], cwd: project })
    const outcome = await runPlan(makePlan({ projectPath: project, invocation }), runner)
    expect(outcome).toMatchObject({ data: { stdout: 'refused\n' } })
    await runner.close()
  })

  it('may be a link to a secret, which is hidden where it leads', async () => {
    const project = makeDirectory()
    mkdirSync(join(project, 'dotfiles'))
    writeFileSync(join(project, 'dotfiles/netrc'), 'TOP SECRET')
    symlinkSync('dotfiles/netrc', join(project, '.netrc'))
    const runner = createRunner({ isolation: 'bubblewrap', home: project, userSpace: home })
    const invocation = processInvocation({
      args: ['-c', 'cat .netrc dotfiles/netrc; echo done'],
      cwd: project,
    })
    const outcome = await runPlan(makePlan({ projectPath: project, invocation }), runner)
    expect(outcome).toMatchObject({ data: { stdout: 'done\n' } })
    await runner.close()
  })
})
