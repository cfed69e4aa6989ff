// A CR is a byte like any other: to bash, `safe\r` is a different word from `safe`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePlace } from '../run-rye.ts'

const TOOL = [
  '# __version__ = "1.0.0"',
  '# __tool_type__ = "bash"',
  '# __executor_id__ = "rye/core/runtimes/bash/bash"',
  '# __category__ = ""',
  '# __tool_description__ = "Cleans up, but only where it is told to"',
  'mode=safe',
  'if [ "$mode" = safe ]; then echo kept; else echo deleted; fi',
  '',
].join('\n')

const place = makePlace()
const path = join(place.project, '.ai/tools/clean.sh')
let signed: string

beforeAll(async () => {
  mkdirSync(join(place.project, '.ai/tools'), { recursive: true })
  writeFileSync(path, TOOL)
  await place.rye(['keys', 'generate'])
  await place.rye(['sign', 'tool:clean'])
  signed = readFileSync(path, 'utf8')
})
afterAll(() => place.remove())

it('the signed script runs as it was written', async () => {
  const ran = await place.rye(['execute', 'tool:clean', '--json'])
  expect(ran.stdout).toContain('kept')
})

it.each([
  ['one CR in the middle', (text: string) => text.replace('mode=safe\n', 'mode=safe\r\n')],
  ['CRLF everywhere', (text: string) => text.replaceAll('\n', '\r\n')],
  ['CRLF after the signature line alone', (text: string) => text.replace(/(rye:signed:.*)\n/, '$1\r\n')],
  ['a CR at the end', (text: string) => `${text}\r`],
])('%s makes it unusable', async (_, change) => {
  writeFileSync(path, change(signed))
  expect((await place.rye(['execute', 'tool:clean', '--json'])).json()).toMatchObject({
    status: 'error',
    code: expect.stringMatching(/^ITEM_(TAMPERED|MALFORMED)$/),
  })
  expect((await place.rye(['load', 'tool:clean', '--json'])).json()).toMatchObject({ status: 'error' })
})
