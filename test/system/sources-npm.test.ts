// Items of a real npm registry as a source: taken after a review, locked with their integrity, updated, never
// downgraded.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type LibrarySession, openSession } from '../fixtures/library-session.ts'
import { knowledge } from '../workspace/scratch.ts'
import { type NpmRegistry, registrySettings, startRegistry } from './npm-registry.ts'

let root: string
let registry: NpmRegistry
let ann: LibrarySession
let bob: LibrarySession

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'rye-sources-npm-'))
  registry = await startRegistry(join(root, 'registry'))
  ann = await openSession({ signing: true, environment: { NPM_TOKEN: registry.token } })
  bob = await openSession({ signing: true })
  for (const session of [ann, bob]) {
    session.write('.ai/config/rye/registry.yaml', registrySettings(registry.url))
    await session.call('sign', { item_type: 'config', item_id: 'rye/registry' })
  }
}, 180_000)
afterAll(async () => {
  await registry?.stop()
  await ann?.close()
  await bob?.close()
  rmSync(root, { recursive: true, force: true })
})

async function publish(version: string, body: string, author = ann, name = 'rules'): Promise<void> {
  author.write(`.ai/knowledge/team/${name}.md`, knowledge(`team/${name}`, { body }))
  await author.call('sign', { item_id: `knowledge:team/${name}` })
  const answer = await author.call('registry publish', {
    ...{ package: `@team/${name}`, version, description: 'Rules', items: [`knowledge:team/${name}`] },
  })
  expect(answer).toMatchObject({ version, dry_run: false })
}

const lock = () => readFileSync(join(bob.project, '.ai/rye.lock'), 'utf8')

it('a package is taken, locked, brought up to date and not taken back', { timeout: 120_000 }, async () => {
  await publish('1.0.0', 'Be kind.')
  const source = 'npm:@team/rules@^1.0.0'
  const shown = await bob.call('add', { source, dry_run: true })
  expect(shown).toMatchObject({ status: 'review', source: 'npm:@team/rules', resolved: '1.0.0' })
  expect(await bob.call('add', { source, accept: [shown.digest] })).toMatchObject({ status: 'added' })
  expect(lock()).toMatch(
    /source npm:@team\/rules\n {2}ref \^1\.0\.0\n {2}resolved 1\.0\.0\n {2}integrity sha512-/,
  )
  expect(await bob.call('load', { item_id: 'knowledge:team/rules' })).toMatchObject({ status: 'success' })
  expect(await bob.call('outdated', {})).toMatchObject({ outdated: 0 })
  await publish('1.1.0', 'Be kinder.')
  expect(await bob.call('outdated', {})).toMatchObject({
    outdated: 1,
    sources: [{ locked: '1.0.0', newest: '1.1.0' }],
  })
  const changed = await bob.call('update', { dry_run: true })
  const [{ digest }] = changed.sources as [{ digest: string }]
  expect(JSON.stringify(changed)).toContain('+Be kinder.')
  expect(await bob.call('update', { accept: [digest] })).toMatchObject({ status: 'updated' })
  expect(lock()).toContain('resolved 1.1.0')
  await ann.call('registry unpublish', { package: '@team/rules', version: '1.1.0' })
  const back = await bob.call('update', {})
  expect(back).toMatchObject({ status: 'failed' })
  expect(JSON.stringify(back)).toContain('version 1.0.0 is older than 1.1.0')
  expect(lock()).toContain('resolved 1.1.0')
})

it('a name that another key signs is a stop with both keys, also where that key is trusted', {
  timeout: 120_000,
}, async () => {
  const carol = await openSession({ signing: true, environment: { NPM_TOKEN: registry.token } })
  onTestFinished(() => carol.close())
  carol.write('.ai/config/rye/registry.yaml', registrySettings(registry.url))
  await carol.call('sign', { item_type: 'config', item_id: 'rye/registry' })
  const { document, fingerprint: now } = await carol.call('keys export', {})
  bob.write('carol.toml', String(document))
  await bob.call('keys trust', { file: join(bob.project, 'carol.toml') })
  const { fingerprint: before } = await ann.call('keys show', {})
  await publish('1.2.0', 'Be kindest.', carol)
  // As in another project, whose lock knows nothing of it.
  rmSync(join(bob.project, '.ai/rye.lock'))
  rmSync(join(bob.project, '.ai/knowledge'), { recursive: true })
  const source = 'npm:@team/rules@1.2.0'
  const shown = await bob.call('add', { source })
  expect(shown).toMatchObject({ status: 'review', items: [{ state: 'open' }] })
  const [{ seen }] = shown.items as [{ seen: string[] }]
  expect(seen[0]).toBe(`! signed by ${now}, and by ${before} before: ask its author another way`)
  await bob.call('add', { source, accept: [shown.digest] })
  expect(await bob.call('load', { item_id: 'knowledge:team/rules' })).toMatchObject({ status: 'success' })
  // What is pulled is locked as well, and can be put back from there.
  rmSync(join(bob.project, '.ai/rye.lock'))
  await bob.call('registry pull', { package: '@team/rules', version: '1.2.0' })
  expect(lock()).toMatch(
    new RegExp(
      `source npm:@team/rules\n  ref 1.2.0\n  resolved 1.2.0\n  integrity .*\n  item .* signer ${now} `,
    ),
  )
  rmSync(join(bob.project, '.ai/knowledge'), { recursive: true })
  expect(await bob.call('install', { frozen: true })).toMatchObject({
    status: 'installed',
    written: ['knowledge:team/rules'],
    untrusted: [],
  })
})

it.each([
  [
    'pulled',
    'pulled-rules',
    (version: string) =>
      bob.call('registry pull', { package: '@team/pulled-rules', version, overwrite: true }),
  ],
  [
    'copied by `load`',
    'loaded-rules',
    (version: string) =>
      bob.call('load', {
        ...{ item_id: 'knowledge:team/loaded-rules', source: 'registry', version },
        ...{ destination: 'project', overwrite: true },
      }),
  ],
])(
  'what was %s, and not touched since, becomes what a newer lock says',
  {
    timeout: 120_000,
  },
  async (_, name, take) => {
    const path = join(bob.project, `.ai/knowledge/team/${name}.md`)
    await publish('1.0.0', 'Be kind.', ann, name)
    await publish('1.1.0', 'Be kinder.', ann, name)
    const { identity } = await ann.call('keys show', {})
    await bob.call('keys trust', { file: String(identity) })
    rmSync(join(bob.project, '.ai/rye.lock'), { force: true })
    rmSync(join(bob.project, '.ai/knowledge'), { recursive: true, force: true })
    expect((await take('1.1.0')).error).toBeUndefined()
    const newer = lock()
    expect((await take('1.0.0')).error).toBeUndefined()
    expect(readFileSync(path, 'utf8')).toContain('Be kind.')
    // As a colleague's lock comes with a merge.
    bob.write('.ai/rye.lock', newer)
    const item = `knowledge:team/${name}`
    expect(await bob.call('install', {})).toMatchObject({ status: 'installed', written: [item], edited: [] })
    expect(readFileSync(path, 'utf8')).toContain('Be kinder.')
    bob.write('.ai/rye.lock', 'rye lock v1\n')
    expect(await bob.call('install', {})).toMatchObject({ status: 'installed', removed: [item] })
    expect(() => readFileSync(path)).toThrow('ENOENT')
  },
)
