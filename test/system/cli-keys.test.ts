// The key commands as a person types them: what they print, and what they refuse.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePlace, type Place } from './run-rye.ts'

const ann = makePlace()
let place: Place
let fingerprint: string

beforeAll(async () => {
  place = makePlace()
  writeFileSync(join(place.user, '.gitconfig'), '[user]\n\tname = Bea\n\temail = bea@example.org\n')
  expect((await place.rye(['keys', 'generate'])).stdout).toContain('Bea <bea@example.org>')
  await ann.rye(['keys', 'generate', '--owner', 'ann'])
  // As people send each other their keys.
  const { stdout } = await ann.rye(['keys', 'export'])
  writeFileSync(join(place.project, 'ann.toml'), stdout)
  fingerprint = (await ann.rye(['keys', 'show', '--json'])).json().fingerprint
  mkdirSync(join(place.project, 'site'))
})
afterAll(() => {
  place.remove()
  ann.remove()
})

describe('a person', () => {
  it('trusts, reads, narrows, revokes and rotates, in words', async () => {
    const said = async (...words: string[]) => {
      const { status, stdout, stderr } = await place.rye(words)
      expect([status, stderr]).toEqual([0, ''])
      return stdout
    }
    const flags = [
      '--for',
      'tool:team/*',
      '--for',
      'skill:team/**',
      '--project',
      'site',
      '--until',
      '2100-01-31',
    ]
    const bounds = `for tool:team/*, skill:team/**, in ${join(place.project, 'site')}, until 2100-01-31`
    expect(await said('keys', 'trust', 'ann.toml', ...flags)).toContain(
      `✓ items signed by ann can now be used ${bounds}`,
    )
    const listed = await said('keys', 'list')
    expect(listed).toContain('Bea <bea@example.org> (you)')
    expect(listed).toMatch(new RegExp(`${fingerprint} +ann +for tool:team/\\* skill:team/\\*\\*, in`))
    expect(await said('keys', 'export', 'ann')).toBe(readFileSync(join(place.project, 'ann.toml'), 'utf8'))
    expect(await said('keys', 'export', '--out', 'bea.toml')).toContain('✓ wrote ')
    expect(await said('keys', 'offer')).toContain('compare the words')
    expect(await said('keys', 'revoke', fingerprint.slice(0, 8), '--reason', 'left')).toContain(
      'by you alone',
    )
    expect(await said('keys', 'list')).toMatch(new RegExp(`${fingerprint} +revoked +left`))
    expect(await said('keys', 'rotate')).toContain('stays trusted')
  })

  it.each([
    [['trust'], 2, '`KEY.toml` is required'],
    [['trust', 'missing.toml'], 1, 'no key document at'],
    [['trust', 'ann.toml', '--for', 'tols:x'], 2, 'expected `--for` to be `TYPE:GLOB`'],
    [['trust', 'ann.toml', '--until', 'soon'], 2, 'expected `--until` to be a date'],
    [['trust', 'ann.toml', '--until', '2020-01-01'], 2, 'expected `--until` to be a time to come'],
    [['trust', 'ann.toml', '--project', 'nowhere'], 1, 'no directory at project path'],
    [['trust', 'ann.toml', '--project'], 2, '`--project` expects a value'],
    [['remove'], 2, '`FINGERPRINT` is required'],
    [['remove', 'nobody'], 1, 'no key is called `nobody`'],
    [['export', 'nobody'], 1, 'no key is called `nobody`'],
    [['revoke'], 2, 'expected a key or `--import`'],
    [['revoke', '--import', 'ann.toml'], 1, 'expected a revocation'],
    [['revoke', '--import', 'missing.toml'], 1, 'no revocation at'],
    [['rotate', 'now'], 2, 'unexpected `now`'],
    [['offer', '--project', 'nowhere'], 1, 'no directory at project path'],
  ])('who types %j is told what is wrong', async (words: string[], status, says) => {
    const ran = await place.rye(['keys', ...words])
    expect(ran).toMatchObject({ status, stdout: '' })
    expect(ran.stderr).toContain(says)
  })
})

it('`verify` and `new` say that it is the own key which is not trusted any more', async () => {
  const own = makePlace()
  try {
    await own.rye(['init', '--quiet'])
    const key = (await own.rye(['keys', 'show', '--json'])).json().fingerprint
    rmSync(join(own.user, '.ai/config/keys/trusted'), { recursive: true })
    const ran = await own.rye(['verify', 'tool:hello/greet'])
    expect(ran).toMatchObject({ status: 2, stdout: expect.stringContaining('1 untrusted') })
    expect(ran.stderr).toContain(`your signing key ${key} is not among the keys that you trust`)
    expect(ran.stderr).toContain(`trust it again with \`rye keys trust ${key}\``)
    const made = await own.rye(['new', 'tool', 'ops/greet'])
    expect(made).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/created and signed: .*\n {2}warning: your signing key/),
    })
    expect(made.stdout).toContain(`rye keys trust ${key}`)
  } finally {
    own.remove()
  }
})
