import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findProgram } from '../../src/surfaces/cli/program-command.ts'

const root = mkdtempSync(join(realpathSync(tmpdir()), 'rye-program-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const program = join(root, 'dist.cjs')
writeFileSync(program, '')
const [ours, others, empty] = ['ours', 'others', 'empty'].map(name => join(root, name)) as [
  string,
  string,
  string,
]
for (const folder of [ours, others, empty]) mkdirSync(folder)
symlinkSync(program, join(ours, 'rye'))
writeFileSync(join(others, 'rye'), '#!/bin/sh\n')

const byFile = { command: process.execPath, args: [program] }

it.each([
  ['on the PATH', [empty, ours, others], { command: 'rye' }],
  ['hidden by another program of that name', [others, ours], byFile],
  ['not on the PATH', [empty, ''], byFile],
])('names the program when it is %s', (_title, folders, expected) => {
  expect(findProgram(program, folders.join(delimiter))).toEqual(expected)
})

it('names the program by its file where there is no PATH', () => {
  expect(findProgram(program)).toEqual(byFile)
})
