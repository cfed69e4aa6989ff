// Repositories that would cause harm if any of their content were run, checked out or believed.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { approve, printApproval } from '../../../src/trust/approval.ts'
import { generateKey } from '../../../src/trust/key.ts'
import { type Scratch, scratch, skill } from '../../workspace/scratch.ts'
import { makeRepository } from './repository.ts'

async function take(made: Scratch, source: string) {
  const shown = await made.run('add', { source, dry_run: true })
  return made.run('add', { source, accept: [shown.digest] })
}

describe('nothing of a repository is run', () => {
  it('no hook, filter, submodule or setting of it, nor of the person', async () => {
    const made = await scratch()
    const marker = join(made.root, 'ran')
    const program = join(made.root, 'program')
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat\n`)
    chmodSync(program, 0o755)
    const repository = makeRepository({
      'a/SKILL.md': skill('a'),
      '.gitattributes': '* filter=evil diff=evil merge=evil\n*.md export-subst ident\n',
      '.lfsconfig': `[lfs]\n  url = ${program}\n`,
      '.gitmodules': `[submodule "x"]\n  path = x\n  url = ext::${program}\n  update = !${program}\n`,
    })
    // In the repository that is asked, and for the person who asks.
    const settings = [
      `[core]\n  fsmonitor = ${program}\n  hooksPath = ${made.root}/hooks\n  sshCommand = ${program}\n  alternateRefsCommand = ${program}`,
      `[filter "evil"]\n  smudge = ${program}\n  clean = ${program}\n  required = true`,
      `[uploadpack]\n  packObjectsHook = ${program}`,
      `[credential]\n  helper = ${program}`,
      `[url "ext::${program} "]\n  insteadOf = file://`,
      `[remote "origin"]\n  promisor = true\n  uploadpack = ${program}\n  url = ext::${program}`,
      `[protocol]\n  allow = always`,
    ].join('\n')
    writeFileSync(join(made.user, '.gitconfig'), settings)
    writeFileSync(
      join(repository.path, '.git/config'),
      `[core]\n  repositoryformatversion = 0\n${settings}\n`,
    )
    mkdirSync(join(made.root, 'hooks'))
    for (const hook of [
      'post-checkout',
      'post-merge',
      'reference-transaction',
      'pre-auto-gc',
      'fsmonitor-watchman',
    ]) {
      writeFileSync(join(made.root, 'hooks', hook), `#!/bin/sh\ntouch ${marker}\n`)
      writeFileSync(join(repository.path, '.git/hooks', hook), `#!/bin/sh\ntouch ${marker}\n`)
      chmodSync(join(made.root, 'hooks', hook), 0o755)
      chmodSync(join(repository.path, '.git/hooks', hook), 0o755)
    }
    expect(await take(made, repository.url)).toMatchObject({ items: [{ item: 'skill:a', state: 'taken' }] })
    expect(existsSync(marker)).toBe(false)
    expect(made.read('.ai/skills/a/SKILL.md')).toBe(skill('a'))
  })

  it.each([
    'ext::sh -c touch%20RAN',
    '--upload-pack=touch RAN',
    'ssh://-oProxyCommand=touch%20RAN/x',
    'https://github.com/a/b#--upload-pack=touch RAN',
  ])('not by the address %s', async source => {
    const made = await scratch()
    expect(await made.run('add', { source })).toMatchObject({ code: 'INVALID_INPUT' })
    expect(existsSync(join(made.project, 'RAN'))).toBe(false)
  })

  it('nor by a ref beside it', async () => {
    const made = await scratch()
    const repository = makeRepository({ 'a/SKILL.md': skill('a') })
    for (const ref of ['--upload-pack=x', '-x', 'a b', '../x', 'HEAD:x'])
      expect(await made.run('add', { source: repository.url, ref })).toMatchObject({ code: 'INVALID_INPUT' })
  })
})

describe('nothing of a lock is an option of git', () => {
  it.each(['install', 'update'])('%s takes no state of a source that is no commit', async action => {
    const made = await scratch()
    const kept = made.write('kept.txt', 'precious')
    const repository = makeRepository({ 'a/SKILL.md': skill('a') })
    repository.git('update-ref', `refs/heads/--output=${kept}`, 'HEAD')
    const item = `item skill:a sha256:${'0'.repeat(64)} signer - accepted - at - from a/SKILL.md`
    made.write(
      '.ai/rye.lock',
      `rye lock v1\n\nsource ${repository.url}\n  resolved --output=${kept}\n  ${item}\n`,
    )
    expect(JSON.stringify(await made.run(action))).toContain('expected a commit of 40 digits')
    expect(made.read('kept.txt')).toBe('precious')
  })
})

describe('nothing of a repository leads elsewhere', () => {
  it('an item with a link, another repository or two names for one file is left out', async () => {
    const made = await scratch()
    const repository = makeRepository({
      'good/SKILL.md': skill('good'),
      'link/SKILL.md': skill('link'),
      'twin/SKILL.md': skill('twin'),
      'inner/SKILL.md': skill('inner'),
    })
    symlinkSync('/etc/passwd', join(repository.path, 'link/notes.md'))
    repository.commit()
    const blob = repository.git('hash-object', '-w', 'good/SKILL.md')
    const commit = repository.git('rev-parse', 'HEAD')
    for (const [mode, object, path] of [
      ['100644', blob, 'twin/Notes.md'],
      ['100644', blob, 'twin/notes.md'],
      ['160000', commit, 'inner/module'],
      ['100644', blob, 'dots/a\\..\\b/SKILL.md'],
      ['100644', blob, 'rye/SKILL.md'],
      ['100644', blob, 'with blank/SKILL.md'],
    ] as const)
      repository.git('update-index', '--add', '--cacheinfo', `${mode},${object},${path}`)
    repository.git('commit', '--quiet', '-m', 'odd')
    const taken = await take(made, repository.url)
    expect(taken.items).toMatchObject([{ item: 'skill:good', state: 'taken' }])
    expect(taken.left.map(({ path }: { path: string }) => path).sort()).toEqual([
      'dots/a\\..\\b/',
      'inner/',
      'link/',
      'rye/',
      'twin/',
      'with blank/',
    ])
  })

  it('a tree with names that climb is refused by git or by us', async () => {
    const made = await scratch()
    const repository = makeRepository({ 'a/SKILL.md': skill('a') })
    const blob = repository.git('hash-object', '-w', 'a/SKILL.md')
    writeFileSync(join(repository.path, 'entries'), `100644 blob ${blob}\tSKILL.md\n`)
    const inner =
      repository.git('mktree', '--missing').length > 0
        ? makeTree(repository, [['100644', blob, 'SKILL.md']])
        : ''
    const climbing = makeTree(repository, [['40000', inner, '..']])
    const commit = repository.git('commit-tree', climbing, '-m', 'climb')
    repository.git('update-ref', 'refs/heads/main', commit)
    const answer = await made.run('add', { source: repository.url })
    expect(answer.status).toBe('error')
    expect(existsSync(join(made.project, '.ai'))).toBe(false)
  })
})

/** A tree as bytes, since git itself would not write such names. */
function makeTree(
  repository: ReturnType<typeof makeRepository>,
  entries: readonly (readonly [string, string, string])[],
): string {
  const bytes = entries.map(([mode, object, name]) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(object, 'hex')]),
  )
  writeFileSync(join(repository.path, 'tree'), Buffer.concat(bytes))
  return repository.git('hash-object', '-w', '-t', 'tree', '--literally', 'tree')
}

describe('nothing of a repository is believed', () => {
  it('no approval, key or lock that it brings', async () => {
    const made = await scratch()
    const eve = generateKey()
    const document = approve(
      {
        at: '2026-01-01T00:00:00Z',
        source: 'x',
        revision: '',
        items: new Map([['skill:a', '0'.repeat(64)]]),
      },
      eve,
    )
    const repository = makeRepository({
      '.ai/skills/a/SKILL.md': skill('a'),
      '.ai/config/approvals/0.txt': printApproval(document),
      '.ai/rye.lock': 'rye lock v1\n',
    })
    const shown = await made.run('add', { source: repository.url })
    expect(shown.items).toMatchObject([{ item: 'skill:a', state: 'open' }])
    expect(existsSync(join(made.project, '.ai'))).toBe(false)
  })

  it('a server that never answers is given up', async () => {
    const made = await scratch()
    const server = createServer(() => {})
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`
    expect(await made.run('add', { source, timeout: 0.5 })).toMatchObject({ code: 'EXECUTION_TIMEOUT' })
  })

  it('a repository that is not there is told in words of git', async () => {
    const made = await scratch()
    const answer = await made.run('add', { source: `file://${made.root}/nothing.git` })
    expect(answer).toMatchObject({ code: 'REMOTE_FAILED', error: expect.stringContaining('git: fatal:') })
  })
})
