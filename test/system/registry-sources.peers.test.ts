// A registry named by `.npmrc` as a source of items: publish, search, load and unpublish against a real one.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LibrarySession, openSession } from '../fixtures/library-session.ts'
import { until } from '../fixtures/patience.ts'
import { type NpmRegistry, startRegistry } from './npm-registry.ts'

const note = (name: string, text: string) => `---
name: ${name}
title: About ${name}
entry_type: reference
category: team
version: "1.0.0"
description: What the team knows about ${name}
---

${text}
`

let root: string
let registry: NpmRegistry
let ann: LibrarySession
let bob: LibrarySession
let eve: LibrarySession

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'rye-sources-'))
  registry = await startRegistry(join(root, 'registry'))
  const environment = { TEAM_TOKEN: registry.token }
  ann = await openSession({ signing: true, environment })
  bob = await openSession({ signing: true })
  eve = await openSession({ signing: true, environment })
  const { host } = new URL(registry.url)
  const token = `//${host}/:_authToken=$\{TEAM_TOKEN}\n`
  // A scope for those who publish; for the reader it is the general registry.
  writeFileSync(join(ann.user, '.npmrc'), `@team:registry=${registry.url}\n${token}`)
  writeFileSync(join(eve.user, '.npmrc'), `registry=${registry.url}\n${token}`)
  writeFileSync(join(bob.user, '.npmrc'), `registry=${registry.url}\n`)
  for (const [version, text] of [
    ['1.0.0', 'One.'],
    ['1.1.0', 'Two.'],
    ['2.0.0-rc.1', 'Three.'],
  ] as const) {
    ann.write('.ai/knowledge/team/tea.md', note('tea', text))
    await ann.call('sign', { item_type: 'knowledge', item_id: 'team/tea' })
    const tag = version.includes('-') ? { tag: 'next' } : {}
    const published = await publish(ann, '@team/kitchen', { version, ...tag })
    expect(published, JSON.stringify(published)).toMatchObject({ registry: registry.url, version })
  }
}, 180_000)
afterAll(async () => {
  await registry?.stop()
  for (const session of [ann, bob, eve]) await session?.close()
  rmSync(root, { recursive: true, force: true })
})

const publish = (session: LibrarySession, name: string, more: object) =>
  session.call('registry publish', {
    package: name,
    items: ['knowledge:team/*'],
    description: 'What the kitchen knows',
    version: '1.0.0',
    ...more,
  })
const FROM = { source: 'registry', item_id: 'knowledge:team/tea' }

describe('publishing', () => {
  it('says what goes in, with a manifest that lists the items and a README that names their key', async () => {
    const dry = await publish(ann, '@team/kitchen', { version: '3.0.0', dry_run: true })
    expect(dry).toMatchObject({
      files: [{ path: '.ai/knowledge/team/tea.md' }],
      generated: [{ path: 'package.json' }, { path: 'README.md' }],
    })
    const packument = (await (await fetch(`${registry.url}@team%2fkitchen`)).json()) as {
      readme: string
      versions: Record<string, { rye: { items: object[] } }>
    }
    const { fingerprint } = await ann.call('keys show', {})
    const { rye } = packument.versions['1.1.0']!
    expect(rye.items).toEqual([
      {
        ...{ type: 'knowledge', id: 'team/tea', version: '1.0.0', signer: fingerprint },
        description: 'What the team knows about tea',
      },
    ])
    expect(packument.readme).toContain(`Signed with the key \`${fingerprint}\``)
  })

  it('is refused to items that are not valid or whose signer is not trusted, and to whoever has no token', async () => {
    bob.write('.ai/knowledge/team/tea.md', readFileSync(join(ann.project, '.ai/knowledge/team/tea.md')))
    const untrusted = await publish(bob, 'kitchen', { dry_run: true })
    expect(untrusted.problems).toEqual([expect.stringContaining('is not one that you trust')])
    bob.write('.ai/knowledge/team/tea.md', note('tea', 'Mine.'))
    await bob.call('sign', { item_type: 'knowledge', item_id: 'team/tea' })
    expect((await publish(bob, 'kitchen', {})).error).toContain('publishing needs a token')
    rmSync(join(bob.project, '.ai/knowledge'), { recursive: true })
  })

  it('takes no short or empty password for a secret that a file gives away', async () => {
    const { host } = new URL(registry.url)
    const auth = Buffer.from('some-token:').toString('base64')
    eve.write('.ai/knowledge/team/jam.md', note('jam', 'Sweet.'))
    await eve.call('sign', { item_type: 'knowledge', item_id: 'team/jam' })
    const kept = readFileSync(join(eve.user, '.npmrc'))
    writeFileSync(join(eve.user, '.npmrc'), `registry=${registry.url}\n//${host}/:_auth=${auth}\n`)
    expect(await publish(eve, 'jam', { dry_run: true })).toMatchObject({
      files: [{ path: '.ai/knowledge/team/jam.md' }],
    })
    writeFileSync(join(eve.user, '.npmrc'), kept)
    rmSync(join(eve.project, '.ai/knowledge'), { recursive: true })
  })

  it('shows no token, whatever goes wrong', async () => {
    const wrong = await publish(ann, '@team/kitchen', { version: '1.0.0' })
    expect(wrong.error).toContain('is published already')
    const elsewhere = await publish(ann, '@team/kitchen', {
      version: '9.0.0',
      registry: 'https://other.invalid/',
    })
    expect(elsewhere.error).toContain('is not the configured registry')
    expect(JSON.stringify([wrong, elsewhere])).not.toContain(registry.token)
  })
})

describe('searching', () => {
  it('a registry finds what its bundles list, marked and not trusted', async () => {
    const found = await bob.call('search', { query: 'tea', source: 'registry' })
    expect(found).toMatchObject({
      total: 1,
      space: 'registry',
      results: [
        {
          id: 'team/tea',
          type: 'knowledge',
          source: 'registry',
          package: '@team/kitchen@1.1.0',
          trust: { status: 'untrusted' },
        },
      ],
    })
    const other = { query: 'tea', source: 'registry', item_type: 'tool' }
    expect(await bob.call('search', other)).toMatchObject({
      total: 0,
      hint: expect.stringContaining('lists'),
    })
    const inScope = { query: 'tea', source: 'registry', scope: 'knowledge.team.*' }
    expect(await bob.call('fetch', inScope)).toMatchObject({ total: 1 })
  })

  it('a registry that knows the words of packages alone is asked for all, and their lists are looked at', async () => {
    ann.write(
      '.ai/knowledge/larder/quince.md',
      note('quince', 'Sour.').replace('category: team', 'category: larder'),
    )
    await ann.call('sign', { item_type: 'knowledge', item_id: 'larder/quince' })
    await publish(ann, '@team/pantry', { items: ['knowledge:larder/quince'], description: 'Odds and ends' })
    expect(await bob.call('search', { query: 'quince', source: 'registry' })).toMatchObject({
      results: [{ id: 'larder/quince', package: '@team/pantry@1.0.0' }],
    })
    await ann.call('registry unpublish', { package: '@team/pantry', version: '1.0.0' })
  })

  it('everything asks a registry where the caller names it or the user wants it, and puts its hits last', async () => {
    bob.write('.ai/knowledge/team/cups.md', note('cups', 'For tea.'))
    await bob.call('sign', { item_type: 'knowledge', item_id: 'team/cups' })
    const query = { query: 'tea', item_type: 'knowledge', scope: 'knowledge.team.*' }
    const sources = async (more = {}) => (await bob.call('search', { ...query, ...more })).results as object[]
    expect(await sources()).toMatchObject([{ id: 'team/cups', source: 'project' }])
    await until(async () => (await sources({ source: 'all' })).length === 2)
    expect(await sources({ source: 'all' })).toMatchObject([
      { id: 'team/cups', source: 'project' },
      { id: 'team/tea', source: 'registry' },
    ])
    expect(await sources()).toHaveLength(1)
    const settings = join(bob.user, '.ai/config/rye.toml')
    writeFileSync(settings, '[search]\nregistry = "ask"\n')
    // A registry that is busy is left out: then the next search finds it.
    await until(async () => (await sources()).length === 2)
    expect(await sources()).toMatchObject([
      { id: 'team/cups', source: 'project' },
      { id: 'team/tea', source: 'registry' },
    ])
    expect((await bob.call('search', { ...query, source: 'local' })).results).toHaveLength(1)
    rmSync(settings)
    rmSync(join(bob.project, '.ai/knowledge'), { recursive: true })
  })

  it('everything is answered when the registry is not', async () => {
    const lost = await openSession({ environment: { npm_config_registry: 'http://127.0.0.1:9/' } })
    lost.write('../user/.ai/config/rye.toml', '[search]\nregistry = "ask"\n')
    expect(await lost.call('search', { query: 'bash' })).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ id: 'rye/bash' })]),
      warning: expect.stringContaining('the registry was left out'),
    })
    await lost.close()
  })
})

describe('loading', () => {
  it('needs a signer that is trusted', async () => {
    expect(await bob.call('load', FROM)).toMatchObject({ code: 'ITEM_UNTRUSTED', item_id: 'team/tea' })
    const { identity } = await ann.call('keys show', {})
    await bob.call('keys trust', { file: String(identity) })
    expect(await bob.call('load', FROM, 'agent')).toMatchObject({
      status: 'success',
      source: 'registry',
      package: '@team/kitchen@1.1.0',
      content: expect.stringContaining('Two.'),
      trust: { status: 'verified' },
    })
  })

  it.each([
    ['1.0.0', 'One.'],
    ['^1.0.0', 'Two.'],
    ['~1.0', 'One.'],
    ['<1.1.0', 'One.'],
    ['latest', 'Two.'],
    ['next', 'Three.'],
  ])('takes version %s of the bundle', async (version, text) => {
    const loaded = await bob.call('fetch', { ...FROM, version })
    expect(loaded.content, JSON.stringify(loaded)).toContain(text)
  })

  it('says which versions there are, and what is not there', async () => {
    expect((await bob.call('load', { ...FROM, version: '^5' })).error).toContain(
      'a version, a range or a tag',
    )
    const none = { ...FROM, item_id: 'knowledge:team/none' }
    expect(await bob.call('load', none)).toMatchObject({ code: 'ITEM_NOT_FOUND' })
    expect(await bob.call('load', { ...FROM, view: 'summary' })).toMatchObject({
      view: 'summary',
      description: 'What the team knows about tea',
      source: 'registry',
    })
  })

  it('writes only what it is asked to, and never over another file', async () => {
    const path = join(bob.project, '.ai/knowledge/team/tea.md')
    expect(() => readFileSync(path)).toThrow('ENOENT')
    const copied = await bob.call('load', { ...FROM, version: '1.0.0', destination: 'project' })
    expect(copied).toMatchObject({ copied_to: 'project', destination_path: path })
    expect(readFileSync(path, 'utf8')).toContain('One.')
    expect(await bob.call('verify', {})).toMatchObject({
      counts: { verified: expect.any(Number), untrusted: 0 },
    })
    const newer = { ...FROM, destination: 'project' }
    expect(await bob.call('load', newer)).toMatchObject({ code: 'ITEM_EXISTS' })
    expect(await bob.call('load', { ...newer, overwrite: true })).toMatchObject({ copied_to: 'project' })
    expect(readFileSync(path, 'utf8')).toContain('Two.')
  })
})

describe('another key', () => {
  it('for an item that is known is a stop that shows both, which only a person passes', async () => {
    eve.write('.ai/knowledge/team/tea.md', note('tea', 'Buy mine.'))
    await eve.call('sign', { item_type: 'knowledge', item_id: 'team/tea' })
    const published = await publish(eve, 'kitchen-tea', {})
    expect(published, JSON.stringify(published)).toMatchObject({ version: '1.0.0' })
    expect(await bob.call('load', FROM)).toMatchObject({ package: '@team/kitchen@1.1.0' })
    expect(await eve.call('load', FROM)).toMatchObject({
      code: 'ITEM_AMBIGUOUS',
      error: expect.stringContaining('kitchen-tea'),
    })
    const [known, found] = await Promise.all(
      [ann, eve].map(async session => (await session.call('keys show', {})).fingerprint),
    )
    const pull = { package: 'kitchen-tea', overwrite: true }
    const stop = { code: 'POLICY_DENIED', signers: [{ item: 'knowledge:team/tea', known, found }] }
    expect(await bob.call('registry pull', pull)).toMatchObject(stop)
    rmSync(join(bob.project, '.ai/knowledge'), { recursive: true })
    expect(await bob.call('registry pull', pull)).toMatchObject(stop)
    const accepting = { ...pull, accept_signer: found }
    expect((await bob.call('registry pull', { ...accepting, dry_run: true })).note).toMatch(
      /^a dry run: nothing was written, not trusted: /,
    )
    expect(await bob.call('registry pull', accepting, 'agent')).toMatchObject({ code: 'POLICY_DENIED' })
    expect(await bob.call('registry pull', accepting)).toMatchObject({
      written: ['.ai/knowledge/team/tea.md'],
      note: expect.stringMatching(/^written, not trusted: /),
    })
    expect((await eve.call('registry pull', pull)).note).toBe(
      'all of it was there already; every item is signed by a key that is trusted here',
    )
  })
})

describe('an agent', () => {
  it('reaches no registry that only it, or a file that it can write, names', async () => {
    const other = { registry: 'https://example.com/', query: 'x' }
    expect(await bob.call('registry search', other, 'agent')).toMatchObject({ code: 'NETWORK_REFUSED' })
    bob.write('.npmrc', 'registry=https://example.com/\n')
    expect(await bob.call('registry search', {}, 'agent')).toMatchObject({ code: 'NETWORK_REFUSED' })
    bob.write('.npmrc', 'registry=http://169.254.169.254/\n')
    expect(await bob.call('registry search', {}, 'agent')).toMatchObject({ code: 'NETWORK_REFUSED' })
    rmSync(join(bob.project, '.npmrc'))
    const gone = { package: '@team/kitchen', version: '1.0.0' }
    expect(await bob.call('registry unpublish', gone, 'agent')).toMatchObject({ code: 'POLICY_DENIED' })
  })
})

describe('unpublishing', () => {
  it('takes one version back, and the package with its last one', async () => {
    const gone = { package: '@team/kitchen', version: '1.1.0' }
    expect(await ann.call('registry unpublish', gone)).toMatchObject({
      status: 'unpublished',
      version: '1.1.0',
    })
    const left = await bob.call('registry show', { package: '@team/kitchen', version: '1.0.0' })
    expect(left.versions).toEqual(['1.0.0', '2.0.0-rc.1'])
    // The newest release, though a candidate was published after it.
    expect(left.tags).toEqual({ latest: '1.0.0', next: '2.0.0-rc.1' })
    expect(await ann.call('registry unpublish', gone)).toMatchObject({ code: 'ITEM_NOT_FOUND' })
    expect(await eve.call('registry unpublish', { package: 'kitchen-tea', version: '1.0.0' })).toMatchObject({
      status: 'unpublished',
    })
    expect(await bob.call('registry show', { package: 'kitchen-tea' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
    })
  })
})
