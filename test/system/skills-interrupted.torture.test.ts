// Installs and removals of skills, killed at each call that changes a name in turn: the client finds a whole
// skill, old or new, or none, and the next run finishes the job and leaves nothing aside.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { IS_TORTURE } from '../fixtures/tries.ts'
import { skill } from '../workspace/scratch.ts'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

const NAMES = ['a', 'b', 'c']
const COPIES = '.claude/skills'

async function writeSkills(place: Place, version: string): Promise<void> {
  for (const name of NAMES) {
    const folder = join(place.project, '.ai/skills', name)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(join(folder, version), { recursive: true })
    writeFileSync(join(folder, 'SKILL.md'), skill(name, version))
    for (const file of ['one.md', 'two.md']) writeFileSync(join(folder, version, file), `${version}\n`)
  }
  expect((await place.rye(['sign', 'skill:*', '--json'])).status).toBe(0)
}

/** What a client finds: for each skill the version that is there as a whole, `none`, or what is wrong. */
function copiesIn(place: Place): string[] {
  return NAMES.map(name => {
    const folder = join(place.project, COPIES, name)
    if (!existsSync(folder)) return 'none'
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort().join(' ')
    const version = readFileSync(join(folder, 'SKILL.md'), 'utf8').includes('new') ? 'new' : 'old'
    const whole = `SKILL.md SKILL.sig ${version} ${version}/one.md ${version}/two.md`
    return found === whole ? version : `${version}, but has ${found}`
  })
}

function leftIn(place: Place): string[] {
  const names = readdirSync(place.project, { recursive: true, encoding: 'utf8' })
  return names.filter(name => name.includes('.rye-'))
}

/** With how many of them lie between two kills: what a client sees changes with a rename. */
const CALLS = [
  ['rename,renameat,renameat2', 1],
  ['mkdir,mkdirat', 3],
  ['unlink,unlinkat,rmdir', 3],
] as const

async function signingPlace(): Promise<Place> {
  const place = makePlace()
  onTestFinished(() => place.remove())
  await place.rye(['keys', 'generate'])
  return place
}

/** Runs the command again and again, from the same start, and kills it one call later each time. */
async function killEverywhere(
  place: Place,
  command: readonly string[],
  inspect: (point: string) => Promise<void>,
): Promise<void> {
  const folders = [place.project, place.user]
  for (const folder of folders) cpSync(folder, `${folder}.before`, { recursive: true })
  for (const [calls, step] of CALLS) {
    for (let count = 1, isKilled = true; isKilled; count += IS_TORTURE ? 1 : step) {
      for (const folder of folders) {
        rmSync(folder, { recursive: true })
        cpSync(`${folder}.before`, folder, { recursive: true })
      }
      const names = calls.replace(/^|,/g, match => `${match}?`)
      const inject = [`trace=${names}`, `inject=${names}:signal=KILL:when=${count}`]
      const traced = ['-f', '-qq', '-o', join(place.root, 'trace'), ...inject.flatMap(one => ['-e', one])]
      const ran = await place.run('strace', [...traced, process.execPath, PROGRAM, ...command])
      isKilled = ran.status !== 0
      await inspect(`${calls} ${count}`)
    }
  }
}

const INSTALL = ['skills', 'install', '*', '--to', 'claude', '--json']
const REMOVE = ['skills', 'remove', '*', '--from', 'claude', '--json']

it('an install that is killed leaves whole skills, which are known as installed', {
  timeout: 600_000,
}, async () => {
  const place = await signingPlace()
  await writeSkills(place, 'new')
  const seen = new Set<string>()
  await killEverywhere(place, INSTALL, async point => {
    const copies = copiesIn(place)
    for (const one of copies) seen.add(one)
    expect(
      copies.filter(one => !['new', 'none'].includes(one)),
      point,
    ).toEqual([])
    const { skills } = (await place.rye(['skills', 'list', '--json'])).json()
    const states = skills.filter(({ clients }: { clients: string[] }) => clients.length > 0)
    expect(new Set(states.map(({ state }: { state: string }) => state)), point).not.toContain('other')
    const again = await place.rye(INSTALL)
    expect(again.json().failed, point).toBeUndefined()
    expect(copiesIn(place), point).toEqual(['new', 'new', 'new'])
    expect(leftIn(place), point).toEqual([])
  })
  expect(seen).toEqual(new Set(['new', 'none']))
})

it('an update that is killed leaves old or new skills, and any next install finishes it', {
  timeout: 600_000,
}, async () => {
  const place = await signingPlace()
  await writeSkills(place, 'old')
  await place.rye(INSTALL)
  await writeSkills(place, 'new')
  const seen = new Set<string>()
  await killEverywhere(place, INSTALL, async point => {
    const copies = copiesIn(place)
    for (const one of copies) seen.add(one)
    expect(
      copies.filter(one => !['old', 'new', 'none'].includes(one)),
      point,
    ).toEqual([])
    // At most the one that was about to be replaced.
    expect(copies.filter(one => one === 'none').length, point).toBeLessThan(2)
    // Of another skill: what was taken away comes back.
    const other = await place.rye(['skills', 'install', 'c', '--to', 'claude', '--json'])
    expect(other.json().path, point).toBe(join(place.project, COPIES, 'c'))
    expect(
      copiesIn(place).filter(one => !['old', 'new'].includes(one)),
      point,
    ).toEqual([])
    expect(leftIn(place), point).toEqual([])
    expect((await place.rye(INSTALL)).json().failed, point).toBeUndefined()
    expect(copiesIn(place), point).toEqual(['new', 'new', 'new'])
  })
  expect([...seen].sort()).toEqual(['new', 'none', 'old'])
})

it('a removal that is killed leaves whole skills or none, and can be done again', {
  timeout: 600_000,
}, async () => {
  const place = await signingPlace()
  await writeSkills(place, 'new')
  await place.rye(INSTALL)
  await killEverywhere(place, REMOVE, async point => {
    expect(
      copiesIn(place).filter(one => !['new', 'none'].includes(one)),
      point,
    ).toEqual([])
    expect((await place.rye(REMOVE)).json().failed, point).toBeUndefined()
    expect(copiesIn(place), point).toEqual(['none', 'none', 'none'])
    expect((await place.rye(INSTALL)).json().failed, point).toBeUndefined()
    expect(leftIn(place), point).toEqual([])
  })
})

it('two installs at once lose nothing: all copies are known as installed', { timeout: 120_000 }, async () => {
  const place = await signingPlace()
  const ids = Array.from({ length: 12 }, (_, index) => `s${index}`)
  for (const id of ids) {
    mkdirSync(join(place.project, '.ai/skills', id), { recursive: true })
    writeFileSync(join(place.project, '.ai/skills', id, 'SKILL.md'), skill(id))
  }
  await place.rye(['sign', 'skill:*', '--json'])
  const halves = [ids.slice(0, 8), ids.slice(4)]
  const ran = await Promise.all(
    [...halves, ...halves].map(half =>
      place.start(['skills', 'install', ...half, '--to', 'claude', '--json']),
    ),
  )
  expect(ran.map(({ status, stdout }) => [status, JSON.parse(stdout).failed])).toEqual(
    ran.map(() => [0, undefined]),
  )
  const { skills } = (await place.rye(['skills', 'list', '--json'])).json()
  const copies = skills.filter(({ clients }: { clients: string[] }) => clients.includes('claude-code'))
  expect(copies.map(({ state }: { state: string }) => state)).toEqual(ids.map(() => 'installed'))
})

const RENAMES = '?rename,?renameat,?renameat2'
const IS_RENAME = / rename\w*\(/
/** The folder aside keeps its name. */
const MOVED_OUT = / rename\w*\(.*\/(\.rye-[^"]+\.tmp)", .*\/\1"/

async function traced(
  place: Place,
  options: readonly string[],
  command: readonly string[],
): Promise<string[]> {
  const log = join(place.root, 'trace')
  const ran = await place.run('strace', [
    '-f',
    '-qq',
    '-o',
    log,
    ...options,
    process.execPath,
    PROGRAM,
    ...command,
  ])
  expect(ran.json().failed).toBeUndefined()
  return readFileSync(log, 'utf8').split('\n')
}

it('one install of many reads and writes what is remembered once', { timeout: 120_000 }, async () => {
  const place = await signingPlace()
  await writeSkills(place, 'new')
  for (const [command, count] of [
    [INSTALL, 1],
    [INSTALL, 0],
    [REMOVE, 1],
  ] as const) {
    const lines = await traced(place, ['-e', `trace=openat,${RENAMES}`], command)
    const calls = lines.filter(line => line.includes('/installed-skills.json"'))
    const writes = calls.filter(line => IS_RENAME.test(line))
    expect(calls.length - writes.length, command.join(' ')).toBeLessThan(4)
    expect(writes.length, command.join(' ')).toBe(count)
  }
})

it('a client whose folder is a file system of its own gets its skills, and nothing is left', {
  timeout: 120_000,
}, async () => {
  const place = await signingPlace()
  await writeSkills(place, 'new')
  // The first run writes more than later ones.
  for (const command of [INSTALL, REMOVE]) await traced(place, ['-e', `trace=${RENAMES}`], command)
  const renames = (await traced(place, ['-e', `trace=${RENAMES}`], INSTALL)).filter(line =>
    IS_RENAME.test(line),
  )
  // strace counts for each thread apart; a line begins with the number of its thread.
  const thread = renames.find(line => MOVED_OUT.test(line))!.split(' ')[0]
  const own = renames.filter(line => line.startsWith(`${thread} `))
  const nth = own.findIndex(line => MOVED_OUT.test(line)) + 1
  await place.rye(REMOVE)
  const fault = ['-e', `trace=${RENAMES}`, '-e', `inject=${RENAMES}:error=EXDEV:when=${nth}`]
  const lines = await traced(place, fault, INSTALL)
  expect(lines.filter(line => line.includes('(INJECTED)')).join()).toMatch(MOVED_OUT)
  expect(copiesIn(place)).toEqual(['new', 'new', 'new'])
  expect(leftIn(place)).toEqual([])
})
