// A tool takes all it can: memory in one process or spread over many, processes, in-memory file systems, an
// endless file, a disk. Each attempt stops by itself soon after its limit, so that a machine without limits
// survives this test.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PROGRAM } from '../run-rye.ts'
import { makeSignedProject, pythonHead, type SignedProject } from './signed-project.ts'

let place: SignedProject
beforeEach(async () => {
  place = await makeSignedProject()
})
afterEach(() => place.remove())

/** Writes the user's settings. */
function decide(settings: string): void {
  mkdirSync(join(place.user, '.ai', 'config'), { recursive: true })
  writeFileSync(join(place.user, '.ai', 'config', 'rye.toml'), settings)
}

async function attack(runtime: 'function' | 'script', limits: object, work: string) {
  const config = `CONFIG = {"permissions": {"limits": ${JSON.stringify(limits)}}}\n`
  const script = 'import json\nprint(json.dumps(execute({}, ".")))\n'
  const text = `${pythonHead(runtime)}${config}\n${work}${runtime === 'script' ? script : ''}`
  place.write('.ai/tools/attack.py', text)
  await place.sign('attack')
  return place.execute('attack')
}

const FORKS = `
import os, time

def execute(params, project_path):
    children = []
    for _ in range(150):
        child = os.fork()
        if child == 0:
            time.sleep(30)
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    return "survived"
`

it.each(['function', 'script'] as const)('a tool that forks and forks is ended (%s)', async runtime => {
  const answer = await attack(runtime, { processes: 64 }, FORKS)
  expect(answer).toMatchObject({ status: 'error', isolation: 'bubblewrap' })
  // The kernel refuses to fork, or, to root, our counting ends the tool.
  expect(answer.error).toMatch(/more than 64 processes and was stopped|Resource temporarily unavailable/)
})

it('a tool without a sandbox is counted too', async () => {
  decide('[execute]\nisolation = "process-group"\n')
  const answer = await attack('script', { processes: 64 }, FORKS)
  expect(answer).toMatchObject({ status: 'error', isolation: 'process-group' })
  expect(answer.error).toContain('the tool used more than 64 processes and was stopped')
})

const SPREAD = `
import os, time

def execute(params, project_path):
    children = []
    for _ in range(6):
        child = os.fork()
        if child == 0:
            held = bytearray(os.urandom(1) * (60 * 1024 * 1024))
            time.sleep(30)
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    return "survived"
`

it('memory counts over all processes of a tool', async () => {
  const answer = await attack('script', { memory_mb: 200 }, SPREAD)
  expect(answer).toMatchObject({ status: 'error', isolation: 'bubblewrap' })
  expect(answer.error).toContain('the tool used more than 200 MB of memory and was stopped')
})

const GREEDY = `
import errno, mmap, os

def attempt(work):
    try:
        work()
        return "done"
    except MemoryError:
        return "ENOMEM"
    except OSError as error:
        return errno.errorcode[error.errno]

def fill(path, megabytes):
    try:
        with open(path, "wb") as file:
            for _ in range(megabytes):
                file.write(bytes(1024 * 1024))
    finally:
        if os.path.exists(path):
            os.unlink(path)

def execute(params, project_path):
    return {
        "memory": attempt(lambda: bytearray(400 * 1024 * 1024)),
        "mapped": attempt(lambda: mmap.mmap(-1, 400 * 1024 * 1024, flags=mmap.MAP_PRIVATE)),
        "shared": attempt(lambda: fill("/dev/shm/full", 300)),
        "temporary": attempt(lambda: fill("/tmp/full", 300)),
        "devices": attempt(lambda: fill("/dev/full-of-data", 300)),
        "unnamed": attempt(lambda: os.memfd_create("full")),
        "modest": attempt(lambda: fill("/dev/shm/modest", 10)),
        "device": attempt(lambda: open("/dev/null", "wb").close()),
    }
`

it('the memory of a process, and file systems in memory, end at the limit', async () => {
  const answer = await attack('function', { memory_mb: 256 }, GREEDY)
  expect(answer).toMatchObject({ status: 'success', isolation: 'bubblewrap' })
  expect(answer.data).toEqual({
    memory: 'ENOMEM',
    mapped: 'ENOMEM',
    shared: 'ENOSPC',
    temporary: 'ENOSPC',
    devices: 'EROFS',
    unnamed: 'ENOSYS',
    modest: 'done',
    device: 'done',
  })
})

const LONG_FILE = `
import errno, os

def execute(params, project_path):
    try:
        with open(os.path.join(project_path, "long"), "wb") as file:
            for _ in range(16):
                file.write(bytes(1024 * 1024))
                file.flush()
        return "done"
    except OSError as error:
        return [errno.errorcode[error.errno], os.path.getsize(os.path.join(project_path, "long"))]
`

it('a file ends at the limit', async () => {
  const answer = await attack('function', { file_mb: 4 }, LONG_FILE)
  expect(answer.data).toEqual(['EFBIG', 4 * 1024 * 1024])
})

it('a tool cannot take more than the user allows', async () => {
  decide('[limits]\nfile_mb = 4\n')
  const answer = await attack('function', { file_mb: 8_000 }, LONG_FILE)
  expect(answer.data).toEqual(['EFBIG', 4 * 1024 * 1024])
})

const FULL_DISK = `
import os, time

def execute(params, project_path):
    try:
        for number in range(100):
            with open(os.path.join(project_path, f"full-{number}"), "wb") as file:
                file.write(bytes(1024 * 1024))
    except OSError:
        pass
    time.sleep(20)
    return "survived"
`

it('a tool that fills the disk with many files is ended', async () => {
  place.write('.ai/tools/fill.py', `${pythonHead()}\n${FULL_DISK}`)
  await place.sign('fill')
  // A disk of its own, of 64 MB, that only these processes see.
  const script =
    'mkdir disk && mount -t tmpfs -o size=64m none disk && cp -a project/. disk && cd disk && exec "$@"'
  const program = [process.execPath, PROGRAM, 'execute', 'tool:fill', '--json']
  const ran = await promisify(execFile)('unshare', ['-rm', 'sh', '-c', script, 'sh', ...program], {
    cwd: place.root,
    env: place.environment,
  }).catch(failed => failed)
  const answer = JSON.parse(ran.stdout)
  expect(answer).toMatchObject({ status: 'error', isolation: 'bubblewrap' })
  expect(answer.error).toMatch(
    /^the tool used more than the disk of `.*\/disk` can spare \(\d MB left\) and was stopped$/,
  )
})
