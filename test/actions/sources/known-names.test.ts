// An id that came from one key and now comes from another: every way of taking it stops and shows both keys.
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeKey, printIdentity } from '../../../src/trust/identity-document.ts'
import { generateKey } from '../../../src/trust/key.ts'
import { placeKey, type Scratch, scratch, TEST_KEY, tool } from '../../workspace/scratch.ts'
import { makeRepository } from './repository.ts'

const eve = generateKey()

/** Writes a folder with a tool that this key signed. */
async function signed(folder: string, key: typeof eve, version = '1.0.0', id = 'deploy'): Promise<void> {
  const author = await scratch({ [`.ai/tools/${id}.py`]: tool(id, { version }) }, { key: false })
  placeKey(author, key)
  await author.sign(`tool:${id}`)
  mkdirSync(folder, { recursive: true })
  cpSync(join(author.project, '.ai/tools'), join(folder, '.ai/tools'), { recursive: true })
}

async function trust(made: Scratch, key: typeof eve): Promise<void> {
  const file = made.write('key.toml', printIdentity(describeKey(key.publicPem, 'Eve')))
  await made.run('keys trust', { file })
}

const STOP = `! signed by ${eve.fingerprint}, and by ${TEST_KEY.fingerprint} before: ask its author another way`

/** A project that has the tool of the first key, and trusts the second as well. */
async function project() {
  const made = await scratch()
  const [first, second] = ['acme', 'mallory'].map(name => join(made.root, name, 'tools')) as [string, string]
  await signed(first, TEST_KEY)
  expect(await made.run('add', { source: first })).toMatchObject({ status: 'added' })
  await trust(made, eve)
  await signed(second, eve, '2.0.0')
  return { made, first, second }
}

async function expectStop(made: Scratch, source: string): Promise<void> {
  const before = made.read('.ai/rye.lock')
  const shown = await made.run('add', { source })
  expect(shown).toMatchObject({ status: 'review', items: [{ item: 'tool:deploy', state: 'open' }] })
  expect(shown.items[0].seen[0]).toBe(STOP)
  expect(made.read('.ai/rye.lock')).toBe(before)
}

describe('another key for an id', () => {
  it('under a prefix is another id, and both are there', async () => {
    const { made, second } = await project()
    expect(await made.run('add', { source: second })).toMatchObject({
      status: 'added',
      items: [{ item: expect.stringMatching(/^tool:.+\/deploy$/) }],
    })
    expect(await made.run('load', { item_id: 'tool:deploy' })).toMatchObject({
      trust: { signer: TEST_KEY.fingerprint },
    })
  })

  it('is a stop from another source, where the file of the first is missing', async () => {
    const { made, second } = await project()
    rmSync(made.path('.ai/tools/deploy.py'))
    await expectStop(made, second)
  })

  it('is a stop once the first was removed, and in another project', async () => {
    const { made, first, second } = await project()
    await made.run('remove', { name: 'deploy' })
    await expectStop(made, second)
    rmSync(made.path('.ai'), { recursive: true })
    mkdirSync(made.path('.ai'))
    made.write('.ai/rye.lock', 'rye lock v1\n')
    await expectStop(made, second)
    const { digest } = await made.run('add', { source: second, dry_run: true })
    expect(await made.run('add', { source: second, accept: [digest] })).toMatchObject({ status: 'added' })
    // From now on that is the known one.
    await made.run('remove', { name: 'deploy' })
    const back = await made.run('add', { source: first })
    expect(back.items[0].seen[0]).toBe(
      `! signed by ${TEST_KEY.fingerprint}, and by ${eve.fingerprint} before: ask its author another way`,
    )
  })

  it('is a stop in a repository, whatever it is called by then', async () => {
    const made = await scratch()
    const [before, after] = [makeRepository({ 'a.md': 'a\n' }), makeRepository({ 'a.md': 'a\n' })]
    await signed(before.path, TEST_KEY)
    before.commit()
    expect(await made.run('add', { source: before.url })).toMatchObject({ status: 'added' })
    await trust(made, eve)
    await signed(after.path, eve, '2.0.0')
    after.commit()
    await made.run('remove', { name: 'deploy' })
    await expectStop(made, after.url)
  })

  it('is a stop for an item that a person had accepted from a key that nobody trusts', async () => {
    const made = await scratch({}, { key: false })
    placeKey(made, generateKey())
    const source = join(made.root, 'vendor')
    await signed(source, TEST_KEY)
    const { digest } = await made.run('add', { source, dry_run: true })
    await made.run('add', { source, accept: [digest] })
    expect(made.read('.ai/rye.lock')).toContain('signer -')
    await trust(made, eve)
    rmSync(join(source, '.ai'), { recursive: true })
    await signed(source, eve, '2.0.0')
    const shown = await made.run('update')
    expect(shown).toMatchObject({ status: 'review' })
    expect(shown.sources[0].items[0].seen[0]).toBe(STOP)
  })
})
