// Real repositories, over `file` and over git's own http server.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sha256Hex } from '../../../src/base/digest.ts'
import { type Scratch, scratch, skill } from '../../workspace/scratch.ts'
import { makeRepository, serve } from './repository.ts'

const GIT = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()

async function take(made: Scratch, source: string, input: object = {}) {
  const { digest } = await made.run('add', { source, ...input, dry_run: true })
  return made.run('add', { source, ...input, accept: [digest] })
}

describe('a repository', () => {
  it('over http gives its items, and installs again from the lock', async () => {
    const made = await scratch()
    const repository = makeRepository({ 'skills/pdf/SKILL.md': skill('pdf'), 'README.md': 'x' })
    const url = await serve(repository)
    const taken = await take(made, url)
    expect(taken).toMatchObject({
      status: 'added',
      source: url,
      resolved: repository.git('rev-parse', 'HEAD'),
    })
    expect(await made.run('load', { item_id: 'skill:pdf' })).toMatchObject({
      status: 'success',
      trust: { approved: { source: url, revision: taken.resolved } },
    })
    // Upstream moves on; the lock still means what it meant.
    repository.commit({ 'skills/pdf/SKILL.md': skill('pdf', 'Newer') })
    rmSync(join(made.project, '.ai/skills'), { recursive: true })
    rmSync(join(made.user, '.ai/state/accepted'), { recursive: true })
    rmSync(join(made.library.cacheRoot, 'sources'), { recursive: true })
    expect(await made.run('install')).toMatchObject({ status: 'installed', untrusted: [] })
    expect(made.read('.ai/skills/pdf/SKILL.md')).not.toContain('Newer')
    expect(await made.run('outdated')).toMatchObject({
      outdated: 1,
      sources: [{ state: 'outdated', locked: taken.resolved }],
    })
    const shown = await made.run('update')
    expect(shown.sources[0].items).toMatchObject([{ item: 'skill:pdf', state: 'open' }])
    expect(await made.run('update', { accept: [shown.sources[0].digest] })).toMatchObject({
      status: 'updated',
    })
    expect(made.read('.ai/skills/pdf/SKILL.md')).toContain('Newer')
    expect(await made.run('outdated')).toMatchObject({ outdated: 0 })
  })

  it('gives a folder of it, a branch of it, and some of its items', async () => {
    const made = await scratch()
    const repository = makeRepository({
      'office/a/SKILL.md': skill('a'),
      'office/b/SKILL.md': skill('b'),
      'c/SKILL.md': skill('c'),
    })
    repository.git('checkout', '--quiet', '-b', 'next')
    repository.commit({ 'office/a/SKILL.md': skill('a', 'Next') })
    const taken = await take(made, `${repository.url}//office#next`, { only: ['a'] })
    expect(taken.items).toMatchObject([{ item: 'skill:a', from: 'a/SKILL.md', description: 'Next' }])
    expect(made.read('.ai/rye.lock')).toContain(`source ${repository.url}//office\n  ref next\n`)
    expect(await made.run('add', { source: repository.url, ref: 'nowhere' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
    })
    expect(await made.run('add', { source: `${repository.url}//nowhere` })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
    })
  })

  it('is asked once for all that is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rye-git-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const log = join(folder, 'calls')
    const wrapper = `#!/bin/sh\ncase "$*" in *cat-file*) echo call >> ${log};; esac\nexec ${GIT} "$@"\n`
    writeFileSync(join(folder, 'git'), wrapper, { mode: 0o755 })
    const made = await scratch({}, { environment: { PATH: `${folder}:${process.env.PATH}` } })
    const files = ['a', 'b', 'c', 'd'].map(name => [`${name}/SKILL.md`, skill(name)])
    await take(made, makeRepository(Object.fromEntries(files)).url)
    rmSync(made.path('.ai/skills'), { recursive: true })
    rmSync(made.path('user:.ai/state/accepted'), { recursive: true })
    writeFileSync(log, '')
    expect((await made.run('install')).written).toHaveLength(4)
    expect(readFileSync(log, 'utf8')).toBe('call\n')
  })

  it('reads of an update only what has changed', async () => {
    // git itself, with a list of the objects that are asked for.
    const folder = mkdtempSync(join(tmpdir(), 'rye-git-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const log = join(folder, 'objects')
    const wrapper = `#!/bin/sh\ncase "$*" in *cat-file*) tee -a ${log} | exec ${GIT} "$@";; *) exec ${GIT} "$@";; esac\n`
    writeFileSync(join(folder, 'git'), wrapper, { mode: 0o755 })
    const made = await scratch({}, { environment: { PATH: `${folder}:${process.env.PATH}` } })
    const names = ['a', 'b', 'c', 'd']
    const files = names.map(name => [`${name}/SKILL.md`, skill(name)])
    const repository = makeRepository(Object.fromEntries(files))
    await take(made, repository.url)
    const after = repository.commit({ 'b/SKILL.md': skill('b', 'New b'), 'e/SKILL.md': skill('e') })
    writeFileSync(log, '')
    const shown = await made.run('update')
    expect(shown.sources).toMatchObject([
      { items: [{ item: 'skill:b', state: 'open' }], gone: [], others: ['skill:e'] },
    ])
    const object = repository.git('rev-parse', 'HEAD:b/SKILL.md')
    expect(readFileSync(log, 'utf8')).toBe(`${object}\n`)
    await made.run('update', { accept: [shown.sources[0].digest] })
    expect(made.read('.ai/rye.lock')).toContain(`resolved ${after}`)
    expect(made.read('.ai/rye.lock').match(/ at - from/g)).toHaveLength(4)
    expect(await made.run('install', { frozen: true })).toMatchObject({ status: 'unchanged', unchanged: 4 })
    // Nothing of ours has changed: the lock moves on, and nothing is read.
    const moved = repository.commit({ 'README.md': 'more' })
    writeFileSync(log, '')
    expect(await made.run('update')).toMatchObject({ status: 'unchanged' })
    expect(readFileSync(log, 'utf8')).toBe('')
    expect(made.read('.ai/rye.lock')).toContain(`resolved ${moved}`)
  })

  it('takes or leaves each item of an update, and knows the state of each', async () => {
    const made = await scratch()
    const repository = makeRepository({ 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b') })
    const before = repository.git('rev-parse', 'HEAD')
    await take(made, repository.url)
    const after = repository.commit({ 'a/SKILL.md': skill('a', 'New a'), 'b/SKILL.md': skill('b', 'New b') })
    const shown = await made.run('update', { dry_run: true })
    const [a] = shown.sources[0].items
    const some = await made.run('update', { accept: [a.accept] })
    expect(some).toMatchObject({ status: 'review' })
    // What it names for the rest is what the next call takes.
    const rest = await made.run('update', { dry_run: true })
    expect(some.sources[0].digest).toBe(rest.sources[0].digest)
    expect(some.sources[0].accept_command).toBe(`rye update --accept ${rest.sources[0].digest}`)
    const lock = made.read('.ai/rye.lock')
    expect(lock).toMatch(new RegExp(`resolved ${after}`))
    expect(lock).toMatch(/skill:a .* at - from/)
    expect(lock).toMatch(new RegExp(`skill:b .* at ${before} from`))
    expect(made.read('.ai/skills/b/SKILL.md')).not.toContain('New b')
    // An item that was left is installed from the state that it is from.
    rmSync(join(made.project, '.ai/skills'), { recursive: true })
    rmSync(join(made.user, '.ai/state/accepted'), { recursive: true })
    expect(await made.run('install')).toMatchObject({ written: ['skill:a', 'skill:b'], untrusted: [] })
  })

  it('is outdated as long as nobody has decided, and says what was left behind', async () => {
    const made = await scratch()
    const repository = makeRepository({ 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b') })
    await take(made, repository.url)
    repository.commit({ 'a/SKILL.md': skill('a', 'New a') })
    const lock = made.read('.ai/rye.lock')
    expect(await made.run('update')).toMatchObject({ status: 'review' })
    expect(made.read('.ai/rye.lock')).toBe(lock)
    expect(await made.run('outdated')).toMatchObject({ outdated: 1, sources: [{ state: 'outdated' }] })
    repository.commit({ 'b/SKILL.md': skill('b', 'New b') })
    const shown = await made.run('update', { name: 'skill:b', dry_run: true })
    await made.run('update', { name: 'skill:b', accept: [shown.sources[0].digest] })
    expect(await made.run('outdated')).toMatchObject({ sources: [{ state: 'current', behind: ['skill:a'] }] })
    // The one that was left is as it was again: that alone takes nothing of the other.
    repository.commit({ 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b', 'Newer b') })
    expect(await made.run('update')).toMatchObject({ status: 'review' })
    expect(await made.run('outdated')).toMatchObject({
      sources: [{ state: 'outdated', behind: ['skill:a'] }],
    })
  })

  it.each([
    ['a lock of a run that was killed', 'shallow.lock', ''],
    ['a damaged head', 'HEAD', 'nothing'],
  ])('whose copy here has %s is fetched again', async (_, file, content) => {
    const made = await scratch()
    const repository = makeRepository({ 'a/SKILL.md': skill('a') })
    await take(made, repository.url)
    repository.commit({ 'a/SKILL.md': skill('a', 'New') })
    const copies = join(made.library.cacheRoot, 'sources')
    const name = `${sha256Hex(repository.url).slice(0, 32)}.git`
    writeFileSync(join(copies, name, file), content)
    expect((await made.run('update')).sources).toMatchObject([
      { items: [{ item: 'skill:a', state: 'open' }] },
    ])
  })

  it('does not go back', async () => {
    const made = await scratch()
    const repository = makeRepository({ 'a/SKILL.md': skill('a') })
    const old = repository.git('rev-parse', 'HEAD')
    repository.commit({ 'a/SKILL.md': skill('a', 'Newer') })
    await take(made, repository.url)
    repository.git('reset', '--quiet', '--hard', old)
    const { status, sources } = await made.run('update')
    expect(status).toBe('failed')
    expect(sources[0].error).toContain('is older than')
    // Nor when it is added once more, unless the state is named.
    const again = await made.run('add', { source: repository.url })
    expect(again).toMatchObject({ code: 'ITEM_ROLLED_BACK', hint: expect.stringContaining('--ref') })
    expect(made.read('.ai/skills/a/SKILL.md')).toContain('Newer')
    expect(await take(made, repository.url, { ref: old })).toMatchObject({ status: 'added' })
  })

  it('whose tag was moved is refused', async () => {
    const made = await scratch()
    const repository = makeRepository({ 'a/SKILL.md': skill('a') })
    repository.git('tag', '-a', '-m', 'one', 'v1')
    await take(made, `${repository.url}#v1`)
    repository.commit({ 'a/SKILL.md': skill('a', 'Moved') })
    repository.git('tag', '-f', 'v1')
    const { sources } = await made.run('update')
    expect(sources[0].error).toContain('the tag `v1` was moved')
    const again = await made.run('add', { source: `${repository.url}#v1` })
    expect(again).toMatchObject({ code: 'ITEM_ROLLED_BACK' })
  })

  it('whose history was rewritten says so, and asks for a review', async () => {
    const made = await scratch()
    const repository = makeRepository({ 'a/SKILL.md': skill('a') })
    await take(made, repository.url)
    repository.write('a/SKILL.md', skill('a', 'Rewritten'))
    repository.git('commit', '--quiet', '--all', '--amend', '-m', 'other')
    repository.git('reflog', 'expire', '--expire=now', '--all')
    repository.git('gc', '--quiet', '--prune=now')
    rmSync(join(made.library.cacheRoot, 'sources'), { recursive: true })
    const { status, sources } = await made.run('update')
    expect(status).toBe('review')
    expect(sources[0]).toMatchObject({
      warning: expect.stringContaining('rewritten'),
      items: [{ state: 'open' }],
    })
  })
})
