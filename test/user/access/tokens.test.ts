// Who may use a shared server: the file is read as it was written, or refused as a whole with the line of its
// fault.
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  changeAccessTokens,
  digestToken,
  isSameDigest,
  makeToken,
  readAccessTokens,
  watchAccessTokens,
} from '../../../src/user/access/token-file.ts'
import {
  type AccessToken,
  PERMISSIONS,
  parseAccessTokens,
  printAccessTokens,
} from '../../../src/user/access/tokens.ts'

const DIGEST = digestToken('secret')
const GOOD = `version = 1

[[token]]
name = "ada"
sha256 = "${DIGEST}"
projects = ["/srv/shop"]
spaces = ["project"]
permissions = ["search"]
`

function place(text: string, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), 'rye-tokens-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'tokens.toml')
  writeFileSync(path, text, { mode })
  return path
}

describe('the file of tokens', () => {
  it('says who may do what, with limits for whoever has none of their own', async () => {
    expect(await parseAccessTokens('f', GOOD)).toEqual([
      {
        user: 'ada',
        sha256: DIGEST,
        projects: ['/srv/shop'],
        spaces: ['project'],
        permissions: ['search'],
        rate: 600,
        concurrency: 8,
        queue: 32,
      },
    ])
  })

  it.each([
    ['not TOML', 'version = 1\n[[token]\n', 2, 'not valid TOML'],
    ['no version', GOOD.replace('version = 1', ''), 1, 'expected `version = 1`, got `undefined`'],
    ['another version', GOOD.replace('version = 1', 'version = 2'), 1, 'expected `version = 1`, got `2`'],
    ['an unknown key beside the tokens', `admin = "all"\n${GOOD}`, 1, 'unknown key `admin`'],
    ['tokens as one table', 'version = 1\ntoken = "x"\n', 2, 'expected tokens as `[[token]]`'],
    ['a key misspelt', `${GOOD}permission = ["sign"]\n`, 9, 'did you mean `permissions`?'],
    ['no projects', GOOD.replace(/projects.*\n/, ''), 3, '`projects` is missing'],
    ['no spaces', GOOD.replace(/spaces.*\n/, ''), 3, '`spaces` is missing'],
    ['no permissions', GOOD.replace(/permissions.*\n/, ''), 3, '`permissions` is missing'],
    ['every project', GOOD.replace('/srv/shop', '/'), 6, 'a list of absolute paths'],
    ['every project, in another way', GOOD.replace('/srv/shop', '//'), 6, 'a list of absolute paths'],
    [
      'the digest of no token',
      GOOD.replace(/[0-9a-f]{64}/, createHash('sha256').digest('hex')),
      5,
      'a SHA-256',
    ],
    ['a relative project', GOOD.replace('/srv/shop', 'shop'), 6, 'a list of absolute paths'],
    ['a project that climbs', GOOD.replace('/srv/shop', '/srv/shop/../..'), 6, 'a list of absolute paths'],
    ['one project as text', GOOD.replace('["/srv/shop"]', '"/srv/shop"'), 6, 'a list of absolute paths'],
    ['an unknown space', GOOD.replace('"project"', '"all"'), 7, '`spaces` to be a list of'],
    ['an unknown permission', GOOD.replace('"search"', '"*"'), 8, '`permissions` to be a list of'],
    ['a token in plain text', GOOD.replace(DIGEST, makeToken()), 5, 'a SHA-256'],
    ['a digest in capitals', GOOD.replace(DIGEST, DIGEST.toUpperCase()), 5, 'a SHA-256'],
    ['an empty name', GOOD.replace('"ada"', '""'), 4, 'a name of letters'],
    ['a name with a line feed', GOOD.replace('"ada"', '"ada\\nroot"'), 4, 'a name of letters'],
    ['no calls', `${GOOD}rate = 0\n`, 9, 'a whole number from 1 to 1000000'],
    ['half a call', `${GOOD}concurrency = 0.5\n`, 9, 'a whole number from 1 to 1000'],
    ['an endless line', `${GOOD}queue = inf\n`, 9, 'a whole number from 0 to 10000'],
    ['no date', `${GOOD}until = "soon"\n`, 9, 'a date such as'],
    ['a day that no month has', `${GOOD}until = "2027-02-30"\n`, 9, 'a date such as'],
    [
      'the same name twice',
      GOOD + GOOD.slice(12).replace(DIGEST, digestToken('other')),
      11,
      '`name` is that of an earlier',
    ],
    [
      'the same token twice',
      GOOD + GOOD.slice(12).replace('ada', 'bob'),
      12,
      '`sha256` is that of an earlier',
    ],
  ])('is refused with %s', async (_title, text, line, message) => {
    const path = place(text)
    const refusal = await readAccessTokens(path).catch((thrown: Error) => thrown)
    expect(refusal).toMatchObject({ code: 'CONFIG_INVALID' })
    expect((refusal as Error).message).toContain(`\`${path}\`, line ${line}: `)
    expect((refusal as Error).message).toContain(message)
  })

  it('is never read as more than it says, whatever its bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.nat(GOOD.length), async (noise, at) => {
        const text = GOOD.slice(0, at) + noise + GOOD.slice(at)
        const tokens = await parseAccessTokens('f', text).catch(() => [])
        for (const { sha256, projects, permissions } of tokens) {
          expect(sha256).toMatch(/^[0-9a-f]{64}$/)
          expect(projects.every(path => path.startsWith('/') && path !== '/')).toBe(true)
          expect(permissions.every(word => PERMISSIONS.includes(word))).toBe(true)
        }
      }),
    )
  })

  it('is read back as it was written', async () => {
    const token: fc.Arbitrary<AccessToken> = fc.record({
      user: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,20}$/),
      sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
      projects: fc.array(fc.stringMatching(/^\/srv\/[^\0\n./]{1,20}$/)),
      spaces: fc.subarray(['project', 'user', 'system'] as const),
      permissions: fc.subarray([...PERMISSIONS]),
      rate: fc.integer({ min: 1, max: 1_000_000 }),
      concurrency: fc.integer({ min: 1, max: 1000 }),
      queue: fc.integer({ min: 0, max: 10_000 }),
    })
    const tokens = fc.uniqueArray(token, { selector: ({ user }) => user, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(tokens, async given => {
        fc.pre(new Set(given.map(({ sha256 }) => sha256)).size === given.length)
        expect(await parseAccessTokens('f', printAccessTokens(given))).toEqual(given)
      }),
    )
  })
})

describe('on disk', () => {
  it.each([
    ['others can read it', 0o644],
    ['the group can write it', 0o620],
  ])('it is refused when %s', async (_title, mode) => {
    const path = place(GOOD)
    chmodSync(path, mode)
    await expect(readAccessTokens(path)).rejects.toMatchObject({
      code: 'POLICY_DENIED',
      hint: `chmod 600 ${path}`,
    })
  })

  it('it is refused when it is a link, or not there', async () => {
    const path = place(GOOD)
    symlinkSync(path, `${path}.link`)
    await expect(readAccessTokens(`${path}.link`)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
    await expect(readAccessTokens(`${path}.none`)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
  })

  it('a change counts at once, and a fault lets nobody in until it is fixed', async () => {
    const path = place(GOOD)
    const read = watchAccessTokens(path)
    expect(await read()).toHaveLength(1)
    writeFileSync(path, `${GOOD}oops\n`)
    await expect(read()).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(read()).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    writeFileSync(path, 'version = 1\n')
    expect(await read()).toEqual([])
    rmSync(path)
    await expect(read()).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
  })

  it('changes at the same time lose nothing, and no token is written', async () => {
    const path = `${place(GOOD)}.new`
    const made = Array.from({ length: 8 }, () => makeToken())
    const base = (await parseAccessTokens('f', GOOD))[0]!
    await Promise.all(
      made.map((token, at) =>
        changeAccessTokens(path, tokens => [
          ...tokens,
          { ...base, user: `u${at}`, sha256: digestToken(token) },
        ]),
      ),
    )
    expect((await readAccessTokens(path)).map(({ user }) => user).sort()).toEqual(
      made.map((_, at) => `u${at}`),
    )
    const text = readFileSync(path, 'utf8')
    for (const token of made) expect(text).not.toContain(token)
  })
})

it('a token has 256 random bits and is compared by its digest', () => {
  const [one, two] = [makeToken(), makeToken()]
  expect(one).toMatch(/^rye_[\w-]{43}$/)
  expect(isSameDigest(digestToken(one), digestToken(one))).toBe(true)
  expect(isSameDigest(digestToken(one), digestToken(two))).toBe(false)
})
