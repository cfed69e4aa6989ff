// The extension decides what reads a file, so it is signed: bytes that are harmless as Python must not run as
// a shell script.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { makePlace } from '../run-rye.ts'

// To Python the last line is a comparison that is never evaluated; to bash it is a command.
const REPORT = [
  '# __version__ = "1.0.0"',
  '# __tool_type__ = "bash"',
  '# __executor_id__ = "rye/core/runtimes/bash/bash"',
  '# __category__ = ""',
  '# __tool_description__ = "Reports"',
  '__version__ = "1.0.0"',
  '__tool_type__ = "python"',
  '__executor_id__ = "rye/core/runtimes/python/function"',
  '__category__ = ""',
  '__tool_description__ = "Reports"',
  'CONFIG_SCHEMA = {"type": "object", "properties": {}}',
  'def execute(params, project_path): return {"success": True, "as": "python"}',
  'echo = bash = None',
  'echo <bash> echo if False else None',
  '',
].join('\n')

const place = makePlace()
afterAll(() => place.remove())

function write(path: string, content: string | Buffer): string {
  const file = join(place.project, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

async function statusOf(id: string): Promise<unknown> {
  const { items } = (await place.rye(['verify', id, '--json'])).json()
  return items.map((item: { status: string }) => item.status)
}

it('a file signed as report.py is tampered as report.sh, and does not run', async () => {
  await place.rye(['keys', 'generate'])
  const path = write('.ai/tools/report.py', REPORT)
  const signed = await place.rye(['sign', 'tool:report', '--json'])
  expect(signed.json()).toMatchObject({ status: 'signed' })
  expect(await statusOf('tool:report')).toEqual(['verified'])
  renameSync(path, path.replace('.py', '.sh'))
  expect(await statusOf('tool:report')).toEqual(['tampered'])
  for (const command of ['execute', 'load'])
    expect((await place.rye([command, 'tool:report', '--json'])).json()).toMatchObject({
      status: 'error',
      code: 'ITEM_TAMPERED',
    })
})

it('a bundled item is known under its own file name only', async () => {
  const bundled = fileURLToPath(new URL('../../../system/.ai/tools/rye/bash.ts', import.meta.url))
  write('.ai/tools/rye/bash.sh', readFileSync(bundled))
  expect(await statusOf('tool:rye/bash')).not.toContain('verified')
  expect((await place.rye(['load', 'tool:rye/bash', '--json'])).json()).toMatchObject({ status: 'error' })
})
