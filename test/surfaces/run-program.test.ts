import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runProgram } from '../../src/surfaces/cli/run-program.ts'

it('starts nothing of the folder where it works, and finds nothing there for others', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'rye-run-'))
  for (const name of ['git', 'sleep'])
    writeFileSync(join(clone, name), '#!/bin/sh\necho planted\n', { mode: 0o755 })
  const PATH = `.:${clone}::/usr/bin:/bin`
  const run = (command: string, ...args: string[]) =>
    runProgram({ command, args, directory: clone }, { ...process.env, PATH })
  expect((await run('git', '--version')).output).toContain('git version')
  expect((await run('sh', '-c', 'git --version; echo $PATH')).output).toMatch(
    /git version.*\n\/usr\/bin:\/bin\n/,
  )
  expect(await run('planted')).toEqual({ status: null, output: '', errors: '`planted` is not on the `PATH`' })
  rmSync(clone, { recursive: true })
})

it('ends a program that takes longer than it may', async () => {
  const call = { command: 'sleep', args: ['600'], directory: '/', timeoutMs: 50 }
  expect(await runProgram(call, process.env)).toEqual({
    status: null,
    output: '',
    errors: 'it took longer than 0.05 s and was stopped',
  })
})
