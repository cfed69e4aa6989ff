import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeKey, printIdentity } from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'
import {
  listOfferedKeys,
  listOldKeys,
  listTrustedKeys,
  readIdentityFile,
  removeTrustedKey,
  trustIdentity,
} from '../../src/user/trusted-keys.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'

const identity = describeKey(generateKey().publicPem, 'someone')
const other = describeKey(generateKey().publicPem, 'someone else')
const trustedFolder = (space: string) => join(space, '.ai/config/keys/trusted')

function put(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

describe('the trust store', () => {
  it('trusts, lists and forgets a key', async () => {
    const userSpace = temporaryFolder()
    expect((await listTrustedKeys(userSpace)).keys.size).toBe(0)
    expect(await trustIdentity(userSpace, identity)).toBe(true)
    expect(await trustIdentity(userSpace, identity)).toBe(false)
    const path = join(trustedFolder(userSpace), `${identity.fingerprint}.toml`)
    expect(readFileSync(path, 'utf8')).toBe(printIdentity(identity))
    expect((await listTrustedKeys(userSpace)).keys.get(identity.fingerprint)).toMatchObject({
      owner: 'someone',
      path,
    })
    await removeTrustedKey(userSpace, identity.fingerprint)
    expect((await listTrustedKeys(userSpace)).keys.size).toBe(0)
    await expect(removeTrustedKey(userSpace, identity.fingerprint)).rejects.toMatchObject({
      code: 'KEY_MISSING',
    })
  })

  it.each(['../../x', '__proto__', '', 'ABCDEFABCDEFABCD', `${identity.fingerprint}\n`])(
    'has no key called %j',
    async fingerprint => {
      await expect(removeTrustedKey(temporaryFolder(), fingerprint)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      })
    },
  )

  it('trusts nothing in the folder of the older system', async () => {
    const userSpace = temporaryFolder()
    const path = put(
      join(userSpace, '.ai/trusted_keys'),
      `${identity.fingerprint}.toml`,
      printIdentity(identity),
    )
    expect((await listTrustedKeys(userSpace)).keys.size).toBe(0)
    expect((await listOldKeys(userSpace)).keys.get(identity.fingerprint)?.path).toBe(path)
    await trustIdentity(userSpace, await readIdentityFile(path))
    expect((await listTrustedKeys(userSpace)).keys.has(identity.fingerprint)).toBe(true)
    await removeTrustedKey(userSpace, identity.fingerprint)
    expect((await listTrustedKeys(userSpace)).keys.size).toBe(0)
  })

  it('takes no key from a bad file, and keeps the good ones', async () => {
    const userSpace = temporaryFolder()
    await trustIdentity(userSpace, identity)
    const folder = trustedFolder(userSpace)
    const outside = put(temporaryFolder(), 'key.toml', printIdentity(other))
    symlinkSync(outside, join(folder, `${other.fingerprint}.toml`))
    put(folder, 'renamed.toml', printIdentity(other))
    put(folder, '0123456789abcdef.toml', printIdentity(other))
    put(folder, 'broken.toml', '[[[')
    put(folder, 'huge.toml', 'x'.repeat(1e6))
    put(folder, 'extra.toml', `admin = true\n${printIdentity(other)}`)
    put(folder, 'notes.txt', 'not a key')
    const { keys, faults } = await listTrustedKeys(userSpace)
    expect([...keys.keys()]).toEqual([identity.fingerprint])
    expect(faults.map(fault => fault.path.slice(folder.length + 1)).sort()).toEqual(
      [
        '0123456789abcdef.toml',
        'broken.toml',
        'extra.toml',
        'huge.toml',
        'renamed.toml',
        `${other.fingerprint}.toml`,
      ].sort(),
    )
  })

  it('bounds the number of files that it reads', async () => {
    const userSpace = temporaryFolder()
    for (let i = 0; i < 1005; i++) put(trustedFolder(userSpace), `${i}.toml`, '')
    const { faults } = await listTrustedKeys(userSpace)
    expect(faults).toHaveLength(1001)
    expect(faults.at(-1)!.reason).toContain('more than 1000')
  })

  it('never trusts what a project offers', async () => {
    const project = temporaryFolder()
    const userSpace = temporaryFolder()
    put(trustedFolder(project), `${identity.fingerprint}.toml`, printIdentity(identity))
    expect([...(await listOfferedKeys(project)).keys.keys()]).toEqual([identity.fingerprint])
    expect((await listTrustedKeys(userSpace)).keys.size).toBe(0)
  })

  it('does not follow a project that links its key folder elsewhere', async () => {
    const project = temporaryFolder()
    const elsewhere = temporaryFolder()
    put(elsewhere, `${identity.fingerprint}.toml`, printIdentity(identity))
    mkdirSync(join(project, '.ai/config/keys'), { recursive: true })
    symlinkSync(elsewhere, trustedFolder(project))
    expect((await listOfferedKeys(project)).keys.size).toBe(0)
  })

  it('reads a document that a person names, but no link and no missing file', async () => {
    const folder = temporaryFolder()
    const path = put(folder, 'key.toml', printIdentity(identity))
    symlinkSync(path, join(folder, 'link.toml'))
    expect(await readIdentityFile(path)).toMatchObject({ fingerprint: identity.fingerprint })
    await expect(readIdentityFile(join(folder, 'link.toml'))).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
    })
    await expect(readIdentityFile(join(folder, 'none.toml'))).rejects.toMatchObject({ code: 'KEY_MISSING' })
  })
})
