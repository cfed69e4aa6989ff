// The program that starts the server leaves a descriptor open, to a file or connection that no tool may
// reach, and a tool uses it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PROGRAM } from '../run-rye.ts'
import { makeSignedProject, pythonHead, type SignedProject } from './signed-project.ts'

let place: SignedProject
beforeEach(async () => {
  place = await makeSignedProject()
})
afterEach(() => place.remove())

it.each(['function', 'script'] as const)(
  'a %s finds nothing behind a descriptor of others',
  async runtime => {
    const secret = join(place.user, '.netrc')
    mkdirSync(place.user, { recursive: true })
    writeFileSync(secret, 'password of the user')
    const text = `${pythonHead(runtime)}import os
def execute(params, project_path):
    found = {}
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 20:
            try:
                found[name] = os.read(int(name), 100).decode("latin1")
            except OSError:
                pass
    return {"read": "".join(found.values())}
`
    place.write('.ai/tools/finder.py', text)
    await place.sign('finder')
    const open = 'exec 251<"$0" 77<"$0" && exec "$@"'
    const words = [process.execPath, PROGRAM, 'execute', 'tool:finder', '--trace', '--json']
    const ran = await place.run('/bin/bash', ['-c', open, secret, ...words])
    expect(ran.json()).toMatchObject({ isolation: 'bubblewrap', data: { read: '' } })
  },
)
