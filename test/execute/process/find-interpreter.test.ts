import { chmodSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createInterpreterFinder } from '../../../src/execute/process/find-interpreter.ts'
import { ProcessTable } from '../../../src/execute/process/spawn.ts'
import { makeDirectory, PYTHON } from '../hand-made-plan.ts'

const isInProject = () => false
const table = new ProcessTable()
afterAll(() => table.close())

function program(directory: string, name: string, text = '#!/bin/sh\n', mode = 0o755): string {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, name)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

const NOTHING = { files: [], names: [], command: null }

describe('findInterpreter', () => {
  const find = createInterpreterFinder(table, process.env, isInProject)

  it('takes the first file that can be executed', async () => {
    const directory = makeDirectory()
    const plain = program(directory, 'plain', '', 0o644)
    const good = program(directory, 'good')
    expect(
      await find({
        ...NOTHING,
        files: [join(directory, 'absent'), directory, plain, good],
        names: ['sh'],
      }),
    ).toBe(good)
  })

  it('takes a file that was made after the first question', async () => {
    const directory = makeDirectory()
    const request = { ...NOTHING, files: [join(directory, 'python')], names: ['sh'] }
    expect(await find(request)).not.toBe(request.files[0])
    program(directory, 'python')
    expect(await find(request)).toBe(request.files[0])
  })

  it('finds the program behind a shim', async () => {
    const directory = makeDirectory()
    program(directory, 'python3', `#!/bin/sh\nexec ${PYTHON} "$@"\n`)
    const shimmed = createInterpreterFinder(table, { PATH: `${directory}:/usr/bin:/bin` }, isInProject)
    expect(await shimmed({ ...NOTHING, names: ['no-such-name', 'python3'] })).toBe(PYTHON)
  })

  it('keeps the path of a shim that does not answer', async () => {
    const directory = makeDirectory()
    const shim = program(directory, 'python3', '#!/bin/sh\nexit 1\n')
    const shimmed = createInterpreterFinder(table, { PATH: directory }, isInProject)
    expect(await shimmed({ ...NOTHING, names: ['python3'] })).toBe(shim)
  })

  it('asks no program of a project, also where that is a link to another one', async () => {
    const [project, outer] = [makeDirectory(), makeDirectory()]
    program(outer, 'python3', `#!/bin/sh\ntouch ${outer}/asked\n`)
    symlinkSync(join(outer, 'python3'), join(project, 'python3'))
    const isIn = (path: string) => realpathSync(path).startsWith(realpathSync(project))
    const finder = createInterpreterFinder(table, { PATH: `${project}:/usr/bin:/bin` }, isIn)
    expect(await finder({ ...NOTHING, names: ['python3'] })).toBe(join(project, 'python3'))
    expect(existsSync(join(outer, 'asked'))).toBe(false)
  })

  it('asks a command, which must print the path of a program', async () => {
    const directory = makeDirectory()
    const good = program(directory, 'ruby')
    const asking = (...command: string[]) => find({ ...NOTHING, command })
    expect(await asking('/bin/echo', good)).toBe(good)
    expect(await asking('echo', good)).toBe(good)
    expect(await asking('/bin/echo', 'ruby')).toBeUndefined()
    expect(await asking('/bin/echo', '/no/such/ruby')).toBeUndefined()
    expect(await asking('/bin/false')).toBeUndefined()
    expect(await asking('/no/such/command')).toBeUndefined()
  })

  it('takes and asks nothing in the folder that is left out, by whatever name', async () => {
    const project = makeDirectory()
    const own = program(join(project, 'bin'), 'python3', `#!/bin/sh\ntouch ${project}/asked\n`)
    const finder = createInterpreterFinder(table, { PATH: `${project}/bin:.:/usr/bin:/bin` }, isInProject)
    const request = { ...NOTHING, names: ['python3', 'sh'] }
    expect(await finder({ ...request, outside: project })).not.toContain(project)
    expect(existsSync(join(project, 'asked'))).toBe(false)
    expect(await finder(request)).toBe(own)
  })

  it('looks again when what it found is gone', async () => {
    const directory = makeDirectory()
    const path = join(directory, 'later')
    expect(await find({ ...NOTHING, files: [path] })).toBeUndefined()
    program(directory, 'later')
    expect(await find({ ...NOTHING, files: [path] })).toBe(path)
    chmodSync(path, 0o644)
    expect(await find({ ...NOTHING, files: [path] })).toBeUndefined()
  })
})
