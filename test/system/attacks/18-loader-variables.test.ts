// A tool sets variables that the system's loader obeys: they act on the sandbox itself, before it is one.
import { readdirSync } from 'node:fs'
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
