// A clone offers a key, and the user's environment has an empty or relative home: the clone must not become the user space.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeKey, printIdentity } from '../../../src/trust/identity-document.ts'
import { generateKey } from '../../../src/trust/key.ts'
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
beforeEach(async () => {
  place = makePlace()
  const stranger = generateKey()
  const home = join(place.root, 'stranger')
  put(join(home, '.ai/config/keys/signing/private_key.pem'), stranger.privatePem, 0o600)
  put(join(place.project, '.ai/tools/evil.sh'), TOOL)
  await place.rye(['sign', 'tool:evil'], { env: { HOME: home, USER_SPACE: home } })
  const identity = describeKey(stranger.publicPem, 'stranger')
  put(join(place.project, '.ai/config/keys/trusted', `${identity.fingerprint}.toml`), printIdentity(identity))
})
afterEach(() => place.remove())

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
}

/** What must not become the user space, and how the tool is refused. */
const HOMES = [
  ['HOME is empty', { HOME: '', USER_SPACE: '' }, 'ITEM_UNTRUSTED'],
  ['HOME is a dot', { HOME: '.', USER_SPACE: '' }, 'CONFIG_INVALID'],
  ['USER_SPACE is a dot', { USER_SPACE: '.' }, 'CONFIG_INVALID'],
  ['USER_SPACE is relative', { USER_SPACE: '../project' }, 'CONFIG_INVALID'],
  ['USER_SPACE is below an empty home', { HOME: '', USER_SPACE: '~/rye-nowhere' }, 'ITEM_UNTRUSTED'],
] as const

describe('keys that a clone offers are not trusted', () => {
  it.each(HOMES)('when %s', async (_title, env, code) => {
    const ran = await place.start(['execute', 'evil', '--json'], { env })
    expect(ran.status).not.toBe(0)
    expect(ran.json()).toMatchObject({ status: 'error', code })
    const search = await place.start(['search', 'evil', '--source', 'project', '--json'], { env })
    expect(search.stdout).not.toContain('"verified"')
  })

  it.each(HOMES)('over MCP when %s', async (_title, env, code) => {
    const world = {
      root: place.root,
      project: place.project,
      env: { ...place.environment, ...env },
      write: () => {},
    }
    const { client } = await connectStdio(world, ERAS[0][1])
    const call = { name: 'execute', arguments: { item_id: 'evil' } }
    expect(answerOf(await client.callTool(call))).toMatchObject({ status: 'error', code })
  })
})
