import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findOnPath, requireProgram } from '../../../src/execute/process/find-program.ts'
import { makeDirectory } from '../hand-made-plan.ts'

describe('findOnPath', () => {
  it('ignores relative entries, directories and names with a slash', () => {
    const directory = makeDirectory()
    mkdirSync(join(directory, 'folder'))
    symlinkSync('/bin/sh', join(directory, 'linked'))
    expect(findOnPath('linked', `.:bin::${directory}`)).toBe(join(directory, 'linked'))
    expect(findOnPath('folder', directory)).toBeUndefined()
    expect(findOnPath('../bin/sh', '/usr')).toBeUndefined()
    expect(findOnPath('', '/bin')).toBeUndefined()
  })
})

describe('requireProgram', () => {
  it('takes nothing from the project by its name, however the way there is written', () => {
    const [project, other] = [makeDirectory(), makeDirectory()]
    symlinkSync('/bin/sh', join(project, 'tool'))
    symlinkSync(project, join(other, 'linked'))
    const required = (PATH: string, HOME = '/home/ada') => requireProgram('tool', { PATH, HOME }, project)
    for (const PATH of [project, `${project}/`, join(other, 'linked'), `.:${project}::/bin`])
      expect(() => required(PATH)).toThrow('was found only inside the project, so it was not used')
    symlinkSync('/bin/sh', join(other, 'tool'))
    expect(required(`${project}:${other}`)).toBe(join(other, 'tool'))
    expect(required(project, project)).toBe(join(project, 'tool'))
    expect(requireProgram('tool', { PATH: project })).toBe(join(project, 'tool'))
  })

  it.each(['no-such-program', '/no/such/program', '/etc/passwd', '/', './sh'])('%s is missing', command => {
    expect(() => requireProgram(command, { PATH: '/bin' })).toThrow(
      expect.objectContaining({ code: 'INTERPRETER_MISSING' }),
    )
  })
})
