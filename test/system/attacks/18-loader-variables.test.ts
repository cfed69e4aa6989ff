// A tool sets variables that the system's loader obeys: they act on the sandbox itself, before it is set up.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeSignedProject, pythonHead, type SignedProject } from './signed-project.ts'

let place: SignedProject
beforeEach(async () => {
  place = await makeSignedProject()
})
afterEach(() => place.remove())

it('what the loader is told to write is written inside of the sandbox, or not at all', async () => {
  const settings = { env: { LD_DEBUG: 'libs', LD_DEBUG_OUTPUT: join(place.root, 'escaped') } }
  const execute =
    'import os\ndef execute(params, project_path):\n    return {"set": os.environ.get("LD_DEBUG")}\n'
  place.write('.ai/tools/loud.py', `${pythonHead()}ENV_CONFIG = ${JSON.stringify(settings)}\n${execute}`)
  await place.sign('loud')
  expect(await place.execute('loud')).toMatchObject({ isolation: 'bubblewrap', data: { set: 'libs' } })
  expect(readdirSync(place.root).filter(name => name.startsWith('escaped'))).toEqual([])
})

it('no variable of a tool acts on the programs that start before it', async () => {
  const settings = {
    env: {
      LD_DEBUG: 'libs',
      LD_DEBUG_OUTPUT: join(place.project, 'loaded'),
      NODE_V8_COVERAGE: join(place.project, 'coverage'),
      PS4: '$(touch shell)',
    },
  }
  const text = `${pythonHead()}ENV_CONFIG = ${JSON.stringify(settings)}
CONFIG = {"permissions": {"network": ["api.example.com"]}}
import os
def execute(params, project_path):
    return {"set": os.environ["LD_DEBUG"], "prompt": os.environ["PS4"]}
`
  place.write('.ai/tools/early.py', text)
  await place.sign('early')
  expect(await place.execute('early')).toMatchObject({
    isolation: 'bubblewrap',
    data: { set: 'libs', prompt: settings.env.PS4 },
  })
  const started = readdirSync(place.project)
    .filter(name => name.startsWith('loaded.'))
    .flatMap(name => readFileSync(join(place.project, name), 'utf8').match(/initialize program: .*/g) ?? [])
  expect(started.length).toBeGreaterThan(0)
  expect(started.filter(line => !/python/.test(line))).toEqual([])
  expect(existsSync(join(place.project, 'coverage'))).toBe(false)
})
