// An installation that a full disk or an interrupted update cut short.

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'

const DIST = join(import.meta.dirname, '..', '..', 'dist')
const root = mkdtempSync(join(realpathSync(tmpdir()), 'rye-damaged-'))
const installed = join(root, 'node_modules', 'ryekit')
const file = (name: string) => join(installed, 'dist', name)

beforeEach(() => {
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(join(installed, 'dist'), { recursive: true })
  for (const name of readdirSync(DIST)) if (name.endsWith('.cjs')) cpSync(join(DIST, name), file(name))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function rye(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file('rye.cjs'), ...words], {
    cwd: root,
    env: { HOME: root, PATH: process.env.PATH },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

it.each([
  ['program.cjs', 'is missing', (path: string) => rmSync(path)],
  ['program-rest.cjs', 'is missing', (path: string) => rmSync(path)],
  ['program.cjs', 'is not as it was installed', (path: string) => truncateSync(path, 100_000)],
  ['program-rest.cjs', 'is not as it was installed', (path: string) => truncateSync(path, 100_000)],
  ['program.cjs', 'is not as it was installed', (path: string) => truncateSync(path, 0)],
])('%s %s: one sentence, and how to install it again', (name, what, damage) => {
  damage(file(name))
  const error = `rye is damaged: \`${file(name)}\` ${what}`
  expect(rye('doctor')).toEqual({
    status: 1,
    stdout: '',
    stderr: `error: ${error}\nhint: install it again: npm install --global ryekit\n`,
  })
  writeFileSync(join(root, 'package.json'), '{}')
  const { status, stdout } = rye('doctor', '--json')
  rmSync(join(root, 'package.json'))
  expect({ status, answer: JSON.parse(stdout) }).toEqual({
    status: 1,
    answer: {
      status: 'error',
      error,
      code: 'FILE_UNREADABLE',
      hint: `install it again: rm -r ${installed} && npm install --prefix ${root}`,
    },
  })
})

it('without its own items or workers it says so, too', () => {
  const { status, stderr } = rye('doctor')
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'error: rye is damaged: its folder `system/.ai` is missing\nhint: install it again\n',
  })
  cpSync(join(DIST, '..', 'system'), join(installed, 'system'), { recursive: true })
  const ran = rye('execute', 'rye/core/system', '--project', installed)
  expect(ran.stderr).toContain('error: rye is damaged: the programs of its workers are missing\n')
})
