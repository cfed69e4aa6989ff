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
  it.each(['no-such-program', '/no/such/program', '/etc/passwd', '/', './sh'])('%s is missing', command => {
    expect(() => requireProgram(command, { PATH: '/bin' })).toThrow(
      expect.objectContaining({ code: 'INTERPRETER_MISSING' }),
    )
  })
})
