// The user demands a sandbox while a server runs. A tool must not go on outside of it because the server, or
// a warm worker, was started earlier.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connectStdio, ERAS } from '../mcp-world.ts'
import { makeSignedProject, pythonHead, type SignedProject, shellHead } from './signed-project.ts'

let place: SignedProject
beforeEach(async () => {
  place = await makeSignedProject()
})
afterEach(() => place.remove())

function decide(settings: string): void {
  const path = join(place.user, '.ai/config/rye.toml')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, settings)
}

it('a running server obeys a changed isolation policy, in warm workers too', async () => {
  writeFileSync(join(place.user, 'secret.txt'), 'TOP SECRET')
  const path = JSON.stringify(join(place.user, 'secret.txt'))
  place.write(
    '.ai/tools/warm.py',
    `${pythonHead()}\ndef execute(params, project_path):\n    try:\n        return open(${path}).read()\n    except OSError:\n        return "nothing"\n`,
  )
  place.write('.ai/tools/script.sh', `${shellHead()}cat ${path} 2>/dev/null || echo nothing\n`)
  await place.sign('warm', 'script')
  decide('[execute]\nisolation = "process-group"\n')
  const world = { root: place.root, project: place.project, env: place.environment, write: () => {} }
  const { client } = await connectStdio(world, ERAS[0][1])
  const run = async (id: string) => {
    const answer = await client.callTool({
      name: 'execute',
      arguments: { item_id: id, item_type: 'tool', project_path: place.project, trace: true },
    })
    const { isolation, data } = answer.structuredContent as { isolation: string; data: unknown }
    return `${isolation}: ${JSON.stringify(data).includes('SECRET')}`
  }
  expect([await run('warm'), await run('script')]).toEqual(['process-group: true', 'process-group: true'])
  decide('[execute]\nisolation = "bubblewrap"\n')
  expect([await run('warm'), await run('script')]).toEqual(['bubblewrap: false', 'bubblewrap: false'])
  decide('[execute]\nisolation = "bubblewrap"\n[isolation]\nreadable = ["~/secret.txt"]\n')
  expect([await run('warm'), await run('script')]).toEqual(['bubblewrap: true', 'bubblewrap: true'])
})
