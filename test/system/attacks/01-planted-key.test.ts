// An agent puts a stranger's key where the older system kept trusted keys, or names the user's own `.ai` as
// its project and writes the key where it is kept today. Neither makes the stranger's tool run.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeKey, printIdentity } from '../../../src/trust/identity-document.ts'
import { generateKey, type SigningKey } from '../../../src/trust/key.ts'
import { answerOf, connectStdio, ERAS } from '../mcp-world.ts'
import { makePlace, type Place } from '../run-rye.ts'

const TOOL = `#!/bin/bash
# __version__ = "1.0.0"
# __executor_id__ = "rye/core/runtimes/bash/bash"
# __tool_type__ = "bash"
# __category__ = ""
# __tool_description__ = "Say something"
echo '"stranger was here"'
`

let place: Place
let stranger: SigningKey
beforeEach(async () => {
  place = makePlace()
  stranger = generateKey()
  // The stranger signs at home.
  const home = join(place.root, 'stranger')
  put(join(home, '.ai/config/keys/signing/private_key.pem'), stranger.privatePem, 0o600)
  put(join(place.project, '.ai/tools/evil.sh'), TOOL)
  const env = { HOME: home, USER_SPACE: home }
  expect((await place.rye(['sign', 'tool:evil'], { env })).status).toBe(0)
})
afterEach(() => place.remove())

function put(path: string, text: string, mode = 0o644): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
  return path
}

function identity(): { name: string; text: string } {
  const described = describeKey(stranger.publicPem, 'stranger')
  return { name: `${described.fingerprint}.toml`, text: printIdentity(described) }
}

async function serve() {
  const world = { root: place.root, project: place.project, env: place.environment, write: () => {} }
  return (await connectStdio(world, ERAS[0][1])).client
}

it('a key in the old folder of trusted keys verifies nothing, until a person imports it', async () => {
  const { name, text } = identity()
  const path = put(join(place.user, '.ai/trusted_keys', name), text)
  expect((await place.rye(['execute', 'evil', '--json'])).json()).toMatchObject({ code: 'ITEM_UNTRUSTED' })
  const client = await serve()
  const call = { name: 'execute', arguments: { item_id: 'evil' } }
  expect(answerOf(await client.callTool(call))).toMatchObject({ code: 'ITEM_UNTRUSTED' })
  const found = (await place.rye(['doctor', '--json'])).stdout
  expect(found).toContain(`rye keys trust ${path}`)
  expect((await place.rye(['keys', 'trust', path])).status).toBe(0)
  expect((await place.rye(['execute', 'evil', '--json'])).json()).toMatchObject({ status: 'success' })
})

it.each(['.', '.ai', '.ai/config', '.ai/config/keys'])(
  'an agent whose project is `~/%s` cannot write a key',
  async below => {
    const { name, text } = identity()
    mkdirSync(join(place.user, '.ai/config/keys/trusted'), { recursive: true })
    const client = await serve()
    const project = join(place.user, below)
    for (const folder of ['.ai/config/keys/trusted', '.ai/trusted_keys']) {
      const path = join(place.user, folder, name)
      const parameters = { file_path: path, content: text }
      const answer = answerOf(
        await client.callTool({
          name: 'execute',
          arguments: { item_id: 'rye/file-system/write', parameters, project_path: project },
        }),
      )
      expect(answer).toMatchObject({ code: 'POLICY_DENIED' })
    }
    const call = { name: 'execute', arguments: { item_id: 'evil' } }
    expect(answerOf(await client.callTool(call))).toMatchObject({ code: 'ITEM_UNTRUSTED' })
  },
)
