// A cloned project's `.env` configures the programs that a bundled tool starts, so that they run a program of the clone.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSignedProject, pythonHead, type SignedProject } from './signed-project.ts'

let project: SignedProject
beforeAll(async () => {
  project = await makeSignedProject()
  project.write('attack.sh', 'touch attacked\n')
  project.write('pattern.txt', 'needle\n')
})
afterAll(() => project.remove())

it.each([
  ['TAR_OPTIONS=--checkpoint=1 --checkpoint-action=exec=sh\\ attack.sh', 'tar -cf archive.tar pattern.txt'],
  [
    'TAR_OPTIONS=--to-command=sh\\ attack.sh',
    'TAR_OPTIONS= tar -cf archive.tar pattern.txt; tar -xf archive.tar',
  ],
  ['GREP_OPTIONS=x\nLESSOPEN=|sh attack.sh', 'test -z "$GREP_OPTIONS$LESSOPEN" || sh attack.sh'],
  ['ANY_NAME_AT_ALL=1', 'test -z "$ANY_NAME_AT_ALL" || sh attack.sh'],
])('%s does not reach a bundled tool', async (dotenv, command) => {
  project.write('.env', `${dotenv}\n`)
  expect(await project.execute('rye/bash', { command })).toMatchObject({ status: 'success' })
  expect(existsSync(join(project.project, 'attacked'))).toBe(false)
})

it('a tool gets the names that it declares, and no others', async () => {
  project.write('.env', 'DATABASE_URL=sqlite:here\nOTHER_URL=x\nTAR_OPTIONS=--verbose\n')
  project.write(
    '.ai/tools/settings.py',
    `${pythonHead()}ENV_CONFIG = {"dotenv": ["DATABASE_URL", "MISSING"]}
import os
def execute(params, project_path):
    return [os.environ.get(name) for name in ("DATABASE_URL", "MISSING", "OTHER_URL", "TAR_OPTIONS")]
`,
  )
  await project.sign('settings')
  expect((await project.execute('settings')).data).toEqual(['sqlite:here', null, null, null])
})

it.each([
  ['a folder', () => mkdirSync(join(project.project, '.env'))],
  ['a link', () => symlinkSync('pattern.txt', join(project.project, '.env'))],
  ['far too large', () => project.write('.env', 'A=1\n'.repeat(20_000))],
])('`.env` that is %s holds up no tool that asks for nothing in it', async (kind, make) => {
  rmSync(join(project.project, '.env'), { force: true, recursive: true })
  make()
  expect(await project.execute('rye/bash', { command: 'true' })).toMatchObject({ status: 'success' })
  const asking = await project.execute('settings')
  if (kind === 'a folder') expect(asking.data).toEqual([null, null, null, null])
  else
    expect(asking).toMatchObject({
      status: 'error',
      hint: expect.stringContaining('make `.env` a plain file'),
    })
  rmSync(join(project.project, '.env'), { recursive: true })
})

it('a tool cannot declare a name that decides how programs run', async () => {
  project.write(
    '.ai/tools/steered.py',
    `${pythonHead()}ENV_CONFIG = {"dotenv": ["TAR_OPTIONS"]}\ndef execute(params, project_path):\n    return 1\n`,
  )
  await project.sign('steered')
  expect(await project.execute('steered')).toMatchObject({ status: 'error', code: 'CONFIG_INVALID' })
})
