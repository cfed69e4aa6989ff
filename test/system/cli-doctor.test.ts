// The doctor finds what was planted, and the command that it prints mends it.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeKey, printIdentity } from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'
import { sign } from '../../src/trust/sign.ts'
import { stateFolder } from '../fixtures/kept-places.ts'
import { knowledge, tool } from '../workspace/scratch.ts'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

interface Check {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly mend?: string
}

let place: Place
beforeEach(async () => {
  place = makePlace()
  mkdirSync(join(place.root, 'bin'))
  writeFileSync(join(place.root, 'bin/rye'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`)
  chmodSync(join(place.root, 'bin/rye'), 0o755)
  await place.rye(['keys', 'generate'])
})
afterEach(() => place.remove())

function write(path: string, text: string): string {
  const full = path.startsWith('user:') ? join(place.user, path.slice(5)) : join(place.project, path)
  mkdirSync(join(full, '..'), { recursive: true })
  writeFileSync(full, text)
  return full
}

/** What it says, apart from items of the package. */
async function examine(
  env: Record<string, string> = {},
): Promise<{ status: number | null; problems: Check[]; checks: Check[] }> {
  const ran = await place.rye(['doctor', '--json'], { env })
  const checks: Check[] = ran.json().checks.filter((check: Check) => !check.message.includes('@system'))
  return { status: ran.status, checks, problems: checks.filter(check => check.status === 'problem') }
}

async function mend(check: Check): Promise<void> {
  const PATH = `${join(place.root, 'bin')}:${place.environment.PATH}`
  const ran = await place.run('bash', ['-c', check.mend!], { env: { PATH } })
  expect(ran.stderr).toBe('')
  expect(ran.status).toBe(0)
}

const FOREIGN = generateKey()
function signedBy(key: typeof FOREIGN, id: string): string {
  const { bytes } = sign(
    {
      type: 'tool',
      id,
      bytes: Buffer.from(tool(id)),
      format: { prefix: '#', suffix: '', afterShebang: true, detached: false },
    },
    key,
    { timestamp: '2026-01-01T00:00:00Z', format: 'v2' },
  )
  return Buffer.from(bytes).toString()
}

describe('the doctor', () => {
  it('finds nothing in a healthy project', async () => {
    write('.ai/tools/a.py', tool('a'))
    await place.rye(['sign', 'a'])
    const { checks, problems } = await examine()
    expect(problems).toEqual([])
    expect(checks.map(check => check.name)).toEqual(
      expect.arrayContaining(['node', 'python', 'isolation', 'key', 'trust', 'items', 'index']),
    )
  })

  it.each<[string, string, () => unknown]>([
    ['an unsigned item', 'unsigned', () => write('.ai/tools/a.py', tool('a'))],
    ['an unsigned item of the user', 'unsigned', () => write('user:.ai/tools/a.py', tool('a'))],
    ['unsigned settings', 'unsigned', () => write('.ai/config/web.yaml', 'version: "1.0.0"\ncategory: ""\n')],
    [
      'a tampered item',
      'tampered',
      async () => {
        const path = write('.ai/tools/a.py', tool('a'))
        await place.rye(['sign', 'a'])
        writeFileSync(path, `${readFileSync(path, 'utf8')}#\n`)
      },
    ],
    [
      'a malformed signature',
      'malformed',
      () => write('.ai/tools/a.py', `# rye:signed:x:y:z:w\n${tool('a')}`),
    ],
    ['an item of a stranger', 'untrusted', () => write('.ai/tools/a.py', signedBy(FOREIGN, 'a'))],
    [
      'an item whose key the project offers',
      'untrusted',
      () => {
        write('.ai/tools/a.py', signedBy(FOREIGN, 'a'))
        const identity = printIdentity(describeKey(FOREIGN.publicPem, 'ada'))
        write(`.ai/config/keys/trusted/${FOREIGN.fingerprint}.toml`, identity)
      },
    ],
    [
      'two files of one id',
      'duplicate',
      async () => {
        write('.ai/tools/a.py', tool('a'))
        await place.rye(['sign', 'a'])
        write('.ai/tools/a.sh', 'echo\n')
      },
    ],
    [
      'a file among the trusted keys',
      'trust',
      () => write('user:.ai/config/keys/trusted/my key.toml', 'nonsense'),
    ],
    [
      'a key that others can read',
      'key',
      () => chmodSync(join(place.user, '.ai/config/keys/signing/private_key.pem'), 0o644),
    ],
    ['settings that do not parse', 'settings', () => write('user:.ai/config/rye.toml', 'legacy = "maybe"\n')],
    [
      'a broken log',
      'receipts',
      () => {
        const folder = stateFolder(place.user, place.project)
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, 'receipts.jsonl'), 'nonsense\n')
      },
    ],
    [
      'an unsigned extractor',
      'extractor',
      () =>
        write(
          '.ai/tools/rye/core/extractors/tool/tool_extractor.yaml',
          readFileSync(
            new URL('../../system/.ai/tools/rye/core/extractors/tool/tool_extractor.yaml', import.meta.url),
            'utf8',
          ).replace('version: "1.0.0"', 'version: "1.0.1"'),
        ),
    ],
  ])('finds %s, and its command mends it', async (_title, name, plant) => {
    await plant()
    const before = await examine()
    expect(before.status).toBe(1)
    const found = before.problems.find(check => check.name === name)
    expect(found).toBeDefined()
    await mend(found!)
    const after = await examine()
    expect(after.problems).toEqual([])
  })

  it('notes what is no fault: a missing key, shadows, offered keys, dev mode', async () => {
    write('.ai/knowledge/a.md', knowledge('a'))
    write('user:.ai/knowledge/a.md', knowledge('a'))
    await place.rye(['sign', 'a'])
    await place.rye(['sign', 'a', '--source', 'user'])
    const identity = printIdentity(describeKey(FOREIGN.publicPem, 'ada'))
    const offered = write(`.ai/config/keys/trusted/${FOREIGN.fingerprint}.toml`, identity)
    const { checks, problems } = await examine({ RYE_DEV_MODE: '1' })
    expect(problems).toEqual([])
    expect(checks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'shadowed', status: 'note', mend: 'rye show knowledge:a@user' }),
        expect.objectContaining({ name: 'offered key', status: 'note', mend: `rye keys trust ${offered}` }),
        expect.objectContaining({ name: 'mode', status: 'note', mend: 'unset RYE_DEV_MODE' }),
      ]),
    )
    const nobody = makePlace()
    try {
      const keyless = (await nobody.rye(['doctor', '--json'])).json().checks
      expect(keyless).toContainEqual(
        expect.objectContaining({ name: 'key', status: 'note', mend: 'rye keys generate' }),
      )
    } finally {
      nobody.remove()
    }
  })
})
