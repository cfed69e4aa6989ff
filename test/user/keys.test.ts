import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generateKey } from '../../src/trust/key.ts'
import {
  findSigningKey,
  generateSigningKey,
  getSigningKey,
  importSigningKey,
  signingKeyPaths,
} from '../../src/user/keys.ts'
import { listTrustedKeys } from '../../src/user/trusted-keys.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'

const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8)
const invalid = expect.objectContaining({ code: 'KEY_INVALID' })

describe('the signing key', () => {
  it('is generated for its owner alone, and trusted', async () => {
    const userSpace = temporaryFolder()
    const key = await generateSigningKey(userSpace, 'ann')
    const { current } = signingKeyPaths(userSpace)
    expect([modeOf(dirname(current)), modeOf(current)]).toEqual(['700', '600'])
    expect(modeOf(join(dirname(current), 'public_key.pem'))).toBe('644')
    expect(readdirSync(dirname(current)).sort()).toEqual(['private_key.pem', 'public_key.pem'])
    expect(getSigningKey(userSpace).fingerprint).toBe(key.fingerprint)
    const trusted = (await listTrustedKeys(userSpace)).keys.get(key.fingerprint)
    expect(trusted).toMatchObject({ owner: 'ann', pem: key.publicPem })
  })

  it('is never replaced, and a failed attempt trusts nothing', async () => {
    const userSpace = temporaryFolder()
    const key = await generateSigningKey(userSpace, 'ann')
    const exists = { code: 'KEY_EXISTS', message: expect.stringContaining(key.fingerprint) }
    await expect(generateSigningKey(userSpace, 'ann')).rejects.toMatchObject(exists)
    await expect(importSigningKey(userSpace, generateKey().privatePem, 'ann')).rejects.toMatchObject(exists)
    expect(getSigningKey(userSpace).fingerprint).toBe(key.fingerprint)
    expect([...(await listTrustedKeys(userSpace)).keys.keys()]).toEqual([key.fingerprint])
  })

  it('is one key, also when several are generated at once', async () => {
    const userSpace = temporaryFolder()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => generateSigningKey(userSpace, 'ann')),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { fingerprint } = getSigningKey(userSpace)
    expect([...(await listTrustedKeys(userSpace)).keys.keys()]).toEqual([fingerprint])
  })

  it('is imported from PEM and from base64 of PEM', async () => {
    const { privatePem, fingerprint } = generateKey()
    for (const text of [privatePem, Buffer.from(privatePem).toString('base64')]) {
      const userSpace = temporaryFolder()
      await importSigningKey(userSpace, text, 'ann')
      expect(getSigningKey(userSpace).fingerprint).toBe(fingerprint)
    }
    await expect(importSigningKey(temporaryFolder(), 'junk', 'ann')).rejects.toMatchObject({
      code: 'KEY_INVALID',
    })
  })

  it('is missing with the command that makes one', () => {
    const userSpace = temporaryFolder()
    expect(findSigningKey(userSpace)).toBeUndefined()
    expect(() => getSigningKey(userSpace)).toThrow(
      expect.objectContaining({
        code: 'KEY_MISSING',
        hint: expect.objectContaining({ person: expect.stringContaining('rye keys generate') }),
      }),
    )
  })

  it('is read from the old place, and nothing is written there', async () => {
    const userSpace = temporaryFolder()
    const { old } = signingKeyPaths(userSpace)
    const key = generateKey()
    mkdirSync(dirname(old), { recursive: true })
    writeFileSync(old, key.privatePem, { mode: 0o600 })
    expect(getSigningKey(userSpace).fingerprint).toBe(key.fingerprint)
    await expect(generateSigningKey(userSpace, 'ann')).rejects.toMatchObject({ code: 'KEY_EXISTS' })
    expect(readdirSync(dirname(old))).toEqual(['private_key.pem'])
  })

  it('is refused when others may read it, with the command that fixes it', async () => {
    const userSpace = temporaryFolder()
    await generateSigningKey(userSpace, 'ann')
    const { current } = signingKeyPaths(userSpace)
    for (const mode of [0o644, 0o640, 0o604]) {
      chmodSync(current, mode)
      expect(() => getSigningKey(userSpace)).toThrow(
        expect.objectContaining({ code: 'KEY_INVALID', hint: `chmod 600 ${current}` }),
      )
    }
  })

  it('is refused when it is a link, damaged, oversize or of another kind', async () => {
    const userSpace = temporaryFolder()
    await generateSigningKey(userSpace, 'ann')
    const { current } = signingKeyPaths(userSpace)
    renameSync(current, `${current}.moved`)
    symlinkSync(`${current}.moved`, current)
    expect(() => getSigningKey(userSpace)).toThrow(invalid)
    for (const text of ['', 'junk', 'x'.repeat(10_000), generateKey().publicPem]) {
      const other = temporaryFolder()
      const path = signingKeyPaths(other).current
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text, { mode: 0o600 })
      expect(() => getSigningKey(other)).toThrow(invalid)
    }
  })
})
