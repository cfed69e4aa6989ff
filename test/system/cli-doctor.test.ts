// The doctor finds planted faults, and the command that it prints fixes them.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownerTag } from '../../src/files/index.ts'
import { describeKey, printIdentity } from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'
import { sign } from '../../src/trust/sign.ts'
import { stateFolder } from '../fixtures/kept-places.ts'
import { type LibrarySession, openSession } from '../fixtures/library-session.ts'
import { knowledge, tool } from '../workspace/scratch.ts'
import { PROGRAM } from './run-rye.ts'

interface Check {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly fix?: string
}

let session: LibrarySession
beforeEach(async () => {
  session = await openSession({ signing: true })
})
afterEach(() => session.close())

function write(path: string, text: string): string {
  const full = path.startsWith('user:') ? join(session.user, path.slice(5)) : join(session.project, path)
  mkdirSync(join(full, '..'), { recursive: true })
  writeFileSync(full, text)
  return full
}

/** What it says, apart from items of the package. */
async function examine(on = session): Promise<{ problems: Check[]; checks: Check[] }> {
  const answer = (await on.call('doctor', {})) as unknown as { readonly checks: readonly Check[] }
  const checks = answer.checks.filter(check => !check.message.includes('@system'))
  return { checks, problems: checks.filter(check => check.status === 'problem') }
}

/** Types the printed command into a shell that has `rye` on its path, as a person would. */
function fix(check: Check): void {
  const bin = join(session.outside, 'bin')
  mkdirSync(bin)
  symlinkSync(PROGRAM, join(bin, 'rye'))
  symlinkSync(process.execPath, join(bin, 'node'))
  const env = { ...session.environment, PATH: `${bin}:${session.environment.PATH}` }
  const ran = spawnSync('bash', ['-c', check.fix!], { cwd: session.project, env, encoding: 'utf8' })
  expect(ran.stderr).toBe('')
  expect(ran.status).toBe(0)
}

const FOREIGN = generateKey()
function signedBy(key: typeof FOREIGN, id: string): string {
  const { bytes } = sign(
    {
      type: 'tool',
      id,
      extension: '.py',
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
    await session.call('sign', { item_id: 'a' })
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
        await session.call('sign', { item_id: 'a' })
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
        await session.call('sign', { item_id: 'a' })
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
      () => chmodSync(join(session.user, '.ai/config/keys/signing/private_key.pem'), 0o644),
    ],
    ['settings that do not parse', 'settings', () => write('user:.ai/config/rye.toml', 'legacy = "maybe"\n')],
    [
      'a broken log',
      'receipts',
      () => {
        const folder = stateFolder(session.user, session.project)
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
  ])('finds %s, and its command fixes it', async (_title, name, plant) => {
    await plant()
    const found = (await examine()).problems.find(check => check.name === name)
    expect(found).toBeDefined()
    fix(found!)
    expect((await examine()).problems).toEqual([])
  })

  it('notes what is no fault: a missing key, shadows, offered keys, dev mode', async () => {
    write('.ai/knowledge/a.md', knowledge('a'))
    write('user:.ai/knowledge/a.md', knowledge('a'))
    await session.call('sign', { item_id: 'a' })
    await session.call('sign', { item_id: 'a', source: 'user' })
    const identity = printIdentity(describeKey(FOREIGN.publicPem, 'ada'))
    const offered = write(`.ai/config/keys/trusted/${FOREIGN.fingerprint}.toml`, identity)
    const { checks, problems } = await examine()
    expect(problems).toEqual([])
    expect(checks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'shadowed', status: 'note', fix: 'rye show knowledge:a@user' }),
        expect.objectContaining({ name: 'offered key', status: 'note', fix: `rye keys trust ${offered}` }),
      ]),
    )
    const keyless = await openSession({ environment: { RYE_DEV_MODE: '1' } })
    try {
      expect((await examine(keyless)).checks).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'key', status: 'note', fix: 'rye keys generate' }),
          expect.objectContaining({ name: 'mode', status: 'note', fix: 'unset RYE_DEV_MODE' }),
        ]),
      )
    } finally {
      await keyless.close()
    }
  })

  it.each([
    ['dnf', 'dnf install bash'],
    ['pacman', 'pacman -S bash'],
    ['nothing', undefined],
  ])('names the installer of packages that the machine has: %s', async (installer, command) => {
    const bin = join(session.outside, 'installers')
    mkdirSync(bin)
    writeFileSync(join(bin, installer), '', { mode: 0o755 })
    const bare = await openSession({ environment: { PATH: bin } })
    try {
      const { checks } = await examine(bare)
      expect(checks.find(({ name }) => name === 'bash')?.fix).toBe(command)
    } finally {
      await bare.close()
    }
  })

  it('ends with 1 when something is wrong, and prints the same as it answers', async () => {
    const run = () =>
      spawnSync(process.execPath, [PROGRAM, 'doctor', '--json'], {
        cwd: session.project,
        env: session.environment,
        encoding: 'utf8',
      })
    expect(run()).toMatchObject({ status: 0, stderr: '' })
    write('.ai/tools/a.py', tool('a'))
    const ran = run()
    expect(ran).toMatchObject({ status: 1, stderr: '' })
    const printed: { readonly checks: readonly Check[] } = JSON.parse(ran.stdout)
    expect(printed.checks).toEqual((await session.call('doctor', {})).checks)
  })
})

it('a stand-in that a killed run left at a protected path is named, and gone with the printed command', async () => {
  const folder = join(session.project, '.vscode')
  const { pid } = spawnSync(process.execPath, ['--version'])
  mkdirSync(folder, 0o1700)
  mkdirSync(join(folder, `.rye-${ownerTag()}-${pid}-0123456789abcdef.hold`))
  const found = (await examine()).checks.find(({ name }) => name === 'guards')
  expect(found).toMatchObject({ status: 'note' })
  expect(found?.message).toContain(folder)
  expect(existsSync(folder)).toBe(true)
  fix(found!)
  expect(existsSync(folder)).toBe(false)
})
