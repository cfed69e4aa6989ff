import { readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keepOutput, readOutput } from '../../src/user/outputs.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'

const folderOf = (project: string) => join(project, 'outputs')

describe('an output', () => {
  it('is read as it was kept, by its owner only', () => {
    const project = temporaryFolder()
    const id = keepOutput(project, 'äöü\n')
    expect(readOutput(project, id)?.toString()).toBe('äöü\n')
    expect(statSync(join(folderOf(project), `${id}.txt`)).mode & 0o777).toBe(0o600)
  })

  it('makes way for newer ones, the oldest first', () => {
    const project = temporaryFolder()
    const ids = Array.from({ length: 51 }, (_, index) => {
      const id = keepOutput(project, String(index))
      // The clock of the file system is coarse.
      utimesSync(join(folderOf(project), `${id}.txt`), 1_000 + index, 1_000 + index)
      return id
    })
    const newest = keepOutput(project, 'newest')
    expect(readdirSync(folderOf(project))).toHaveLength(50)
    expect(readOutput(project, ids[0]!)).toBeUndefined()
    expect(readOutput(project, ids[1]!)).toBeUndefined()
    expect(readOutput(project, ids[2]!)?.toString()).toBe('2')
    expect(readOutput(project, newest)?.toString()).toBe('newest')
  })

  it('is never read from elsewhere', () => {
    const project = temporaryFolder()
    const id = keepOutput(project, 'mine')
    expect(readOutput(project, `../outputs/${id}`)).toBeUndefined()
    symlinkSync('/etc/passwd', join(folderOf(project), `${'a'.repeat(24)}.txt`))
    expect(() => readOutput(project, 'a'.repeat(24))).toThrow('it is a symbolic link')
  })
})
