// The user's trust and settings are read again when one of their files was written, and only then.
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeKey, printIdentity, printTrustRecord } from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'
import { createTrustReader } from '../../src/workspace/trust-state.ts'
import { rewriteInPlace } from '../files/rewrite-in-place.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 }))
afterEach(() => vi.useRealTimers())

const IDENTITY = describeKey(generateKey().publicPem, 'local')
const DOCUMENT = printIdentity(IDENTITY)
const CONFIG = '.ai/config/rye.toml'
const FOLDERS = ['.ai/config/keys/trusted']

function userSpace() {
  const root = temporaryFolder()
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
    utimesSync(join(root, path), 1e9, 1e9)
    return join(root, path)
  }
  const reader = createTrustReader(root, () => new Date(0))
  const keys = async () => [...(await reader.read()).context.keys.keys()]
  return { root, write, reader, keys }
}

describe('what the user trusts', () => {
  it('is the same object as long as nothing was written', async () => {
    const { write, reader } = userSpace()
    write(`${FOLDERS[0]}/${IDENTITY.fingerprint}.toml`, DOCUMENT)
    const first = await reader.read()
    const again = await reader.read()
    expect(again.context.keys).toBe(first.context.keys)
    expect(again.policy).toBe(first.policy)
  })

  it.each(FOLDERS)(
    'ends with a key file in %s that was written in place, its size, inode and time as before',
    async folder => {
      const { write, keys } = userSpace()
      const path = write(`${folder}/${IDENTITY.fingerprint}.toml`, DOCUMENT)
      expect(await keys()).toEqual([IDENTITY.fingerprint])
      rewriteInPlace(path, DOCUMENT.replace(IDENTITY.fingerprint, '0123456789abcdef'))
      expect(await keys()).toEqual([])
      rewriteInPlace(path, DOCUMENT)
      expect(await keys()).toEqual([IDENTITY.fingerprint])
    },
  )

  it.each(FOLDERS)('follows a key file that comes to %s and goes', async folder => {
    const { write, keys } = userSpace()
    expect(await keys()).toEqual([])
    const path = write(`${folder}/${IDENTITY.fingerprint}.toml`, DOCUMENT)
    expect(await keys()).toEqual([IDENTITY.fingerprint])
    rmSync(path)
    expect(await keys()).toEqual([])
  })

  it('ends with a link in the place of the folder, whatever is behind it', async () => {
    const { root, write, keys } = userSpace()
    write(`${FOLDERS[0]}/${IDENTITY.fingerprint}.toml`, DOCUMENT)
    expect(await keys()).toEqual([IDENTITY.fingerprint])
    const folder = join(root, FOLDERS[0]!)
    renameSync(folder, `${folder}-moved`)
    symlinkSync(`${folder}-moved`, folder)
    expect(await keys()).toEqual([])
  })

  it('is read every time while a file is not settled, and is the same object if it is equal', async () => {
    const { write, reader } = userSpace()
    const path = write(CONFIG, 'legacy = "allow" \n')
    write(`${FOLDERS[0]}/${IDENTITY.fingerprint}.toml`, DOCUMENT)
    vi.setSystemTime(statSync(path).ctimeMs + 100)
    const first = await reader.read()
    const again = await reader.read()
    expect(again.policy).not.toBe(first.policy)
    expect(again.context.keys).toBe(first.context.keys)
    writeFileSync(path, 'legacy = "refuse"\n')
    expect((await reader.read()).policy.legacy).toBe('refuse')
  })
})

describe('trust that ends', () => {
  it('makes another object of the same keys when the time of one comes, and only then', async () => {
    const root = temporaryFolder()
    mkdirSync(join(root, FOLDERS[0]!), { recursive: true })
    const record = printTrustRecord({ ...IDENTITY, bounds: { until: '2026-05-01' } })
    writeFileSync(join(root, FOLDERS[0]!, `${IDENTITY.fingerprint}.toml`), record)
    let now = new Date('2026-05-01T00:00:00Z')
    const reader = createTrustReader(root, () => now)
    const first = (await reader.read()).context
    now = new Date('2026-05-01T23:59:59Z')
    expect((await reader.read()).context.keys).toBe(first.keys)
    now = new Date('2026-05-02T00:00:00Z')
    const over = (await reader.read()).context
    expect(over.keys).not.toBe(first.keys)
    expect(over.keys).toEqual(first.keys)
    expect((await reader.read()).context.keys).toBe(over.keys)
  })

  it('follows a revocation that comes, is damaged in place, and goes', async () => {
    const { write, reader, keys } = userSpace()
    write(`${FOLDERS[0]}/${IDENTITY.fingerprint}.toml`, DOCUMENT)
    expect(await keys()).toEqual([IDENTITY.fingerprint])
    const path = write(`.ai/config/keys/revoked/${IDENTITY.fingerprint}.toml`, 'x')
    expect(await keys()).toEqual([])
    expect([...(await reader.read()).context.revoked.keys()]).toEqual([IDENTITY.fingerprint])
    rewriteInPlace(path, '[')
    expect(await keys()).toEqual([])
    rmSync(path)
    expect(await keys()).toEqual([IDENTITY.fingerprint])
  })

  it('takes verdicts along when old signatures are no longer accepted', async () => {
    const { write, reader } = userSpace()
    const path = write(CONFIG, 'legacy = "allow" \n')
    const { keys } = (await reader.read()).context
    rewriteInPlace(path, 'legacy = "refuse"\n')
    expect((await reader.read()).context.keys).not.toBe(keys)
  })
})

it.each(['.ai', '.ai/config'])('is nothing special when `%s` is a file', async path => {
  const { write, reader } = userSpace()
  write(path, 'a file')
  const { policy, context } = await reader.read()
  expect([policy.legacy, context.keys.size]).toEqual(['refuse', 0])
})

it('what the user allows follows a file that was written in place, its size, inode and time as before', async () => {
  const { write, reader } = userSpace()
  const path = write(CONFIG, 'legacy = "allow" \n')
  expect((await reader.read()).policy.legacy).toBe('allow')
  rewriteInPlace(path, 'legacy = "refuse"\n')
  expect((await reader.read()).policy.legacy).toBe('refuse')
  rewriteInPlace(path, 'legacy = "allow" \n')
  expect((await reader.read()).context.policy.legacy).toBe('allow')
  rmSync(path)
  expect((await reader.read()).policy.legacy).toBe('refuse')
})
