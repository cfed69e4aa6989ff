// How a source is reached: through the real `ssh` and a real server, over TLS with a private certificate, and
// when the source is too large or has moved.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fetchGit } from '../../../src/sources/index.ts'
import { type Scratch, scratch, skill } from '../../workspace/scratch.ts'
import { makeRepository, serve } from './repository.ts'

const SSHD = '/usr/sbin/sshd'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'rye-transport-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

async function take(made: Scratch, source: string) {
  const { digest } = await made.run('add', { source, dry_run: true })
  return made.run('add', { source, accept: [digest] })
}

describe('ssh', () => {
  it('gives the items of a repository, with the key of the person, and asks nothing', async () => {
    const place = folder()
    const file = (name: string) => join(place, name)
    for (const name of ['host', 'person'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)])
    writeFileSync(file('authorized'), readFileSync(file('person.pub')), { mode: 0o600 })
    const [kind, key] = readFileSync(file('host.pub'), 'utf8').split(' ')
    writeFileSync(file('known'), `git.example ${kind} ${key}\n`)
    const server = [
      ...[`HostKey ${file('host')}`, `AuthorizedKeysFile ${file('authorized')}`, 'StrictModes no'],
      ...['UsePAM no', 'PasswordAuthentication no', 'PidFile none', 'LogLevel QUIET'],
    ]
    writeFileSync(file('sshd_config'), `${server.join('\n')}\n`)
    const client = [
      ...['Host git.example', `ProxyCommand ${SSHD} -i -f ${file('sshd_config')}`],
      ...[`IdentityFile ${file('person')}`, `UserKnownHostsFile ${file('known')}`, 'IdentityAgent none'],
    ]
    writeFileSync(file('config'), `${client.join('\n')}\n`)
    // ssh reads the real user's settings, whatever HOME says: these stand in for them.
    mkdirSync(file('bin'))
    writeFileSync(file('bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${file('config')} "$@"\n`)
    chmodSync(file('bin/ssh'), 0o755)
    // The privilege separation folder that an sshd started by root needs.
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
    const made = await scratch({}, { environment: { PATH: `${file('bin')}:${process.env.PATH}` } })
    const repository = makeRepository({ 'pdf/SKILL.md': skill('pdf') })
    const source = `ssh://${process.env.USER ?? 'root'}@git.example${repository.path}`
    expect(await take(made, source)).toMatchObject({
      status: 'added',
      source,
      resolved: repository.git('rev-parse', 'HEAD'),
    })
    // A different host key is a stop, and nobody is asked.
    writeFileSync(file('known'), `git.example ${readFileSync(file('person.pub'), 'utf8')}`)
    expect(await made.run('add', { source })).toMatchObject({ code: 'REMOTE_FAILED' })
  })
})

/** A certificate for `localhost` from its own authority. */
function makeCertificate(place: string) {
  const run = (...words: string[]) => execFileSync('openssl', words, { cwd: place, stdio: 'pipe' })
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  run(
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    'key.pem',
    '-out',
    'cert.pem',
    '-days',
    '2',
    ...name,
  )
  return { key: readFileSync(join(place, 'key.pem')), cert: readFileSync(join(place, 'cert.pem')) }
}

describe('TLS', () => {
  it('is checked against the certificates that the person names, for packages and for repositories', async () => {
    const place = folder()
    const made = await scratch()
    const repository = makeRepository({ 'pdf/SKILL.md': skill('pdf') })
    const plain = new URL(await serve(repository))
    const server = createServer(makeCertificate(place), async (request, response) => {
      if (request.url?.startsWith('/-/')) return response.end('{"objects":[],"total":0}')
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const headers = Object.fromEntries(
        ['content-type', 'git-protocol', 'content-encoding'].flatMap(name => {
          const value = request.headers[name]
          return typeof value === 'string' ? [[name, value]] : []
        }),
      )
      const body = request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}
      const answer = await fetch(new URL(request.url!, plain), { method: request.method!, headers, ...body })
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      return response.end(Buffer.from(await answer.arrayBuffer()))
    })
    await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
    onTestFinished(() => void server.close())
    const origin = `https://localhost:${(server.address() as AddressInfo).port}`
    const search = () => made.run('search', { query: 'x', source: 'registry' })
    made.write('user:.npmrc', `registry=${origin}/\n`)
    expect(await search()).toMatchObject({ status: 'error', hint: expect.stringContaining('`cafile=FILE`') })
    made.write('user:.npmrc', `registry=${origin}/\ncafile=${join(place, 'cert.pem')}\n`)
    expect(await search()).toMatchObject({ total: 0 })
    const source = `${origin}${plain.pathname}`
    expect(await made.run('add', { source })).toMatchObject({ code: 'REMOTE_FAILED' })
    const trusting = await scratch({}, { environment: { GIT_SSL_CAINFO: join(place, 'cert.pem') } })
    expect(await take(trusting, source)).toMatchObject({ status: 'added' })
  })
})

describe('a repository', () => {
  it('that is larger than it may be is given up, and nothing of it stays', async () => {
    const repository = makeRepository({ 'pdf/SKILL.md': skill('pdf') })
    writeFileSync(join(repository.path, 'noise'), randomBytes(3_000_000))
    repository.commit()
    const around = {
      cacheRoot: folder(),
      environment: process.env,
      signal: new AbortController().signal,
      mostBytes: 1_000_000,
    }
    const address = { kind: 'git', url: repository.url } as const
    await expect(fetchGit(address, around)).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringContaining('is larger than 1000000 bytes'),
    })
    expect(readdirSync(join(around.cacheRoot, 'sources'))).toEqual([])
    // A copy that has grown over many commits is made anew.
    await fetchGit(address, { ...around, mostBytes: 10_000_000 })
    rmSync(join(repository.path, 'noise'))
    repository.commit({ 'pdf/SKILL.md': skill('pdf', 'Newer') })
    expect((await fetchGit(address, around)).files).toHaveLength(1)
  })

  it('whose branch was pushed by force to an unrelated history is told, and asked about', async () => {
    const made = await scratch()
    const repository = makeRepository({ 'pdf/SKILL.md': skill('pdf') })
    await take(made, repository.url)
    const before = made.read('.ai/skills/pdf/SKILL.md')
    repository.git('checkout', '--quiet', '--orphan', 'other')
    repository.commit({ 'pdf/SKILL.md': skill('pdf', 'Other people') })
    repository.git('branch', '--force', 'main', 'other')
    repository.git('checkout', '--quiet', 'main')
    const [{ items }] = (await made.run('update')).sources
    expect(items).toMatchObject([{ item: 'skill:pdf', state: 'open' }])
    expect(made.read('.ai/skills/pdf/SKILL.md')).toBe(before)
  })

  it('that renames a skill has lost the one and offers the other; one that moves is the same', async () => {
    const made = await scratch()
    const repository = makeRepository({ 'pdf/SKILL.md': skill('pdf'), 'docx/SKILL.md': skill('docx') })
    await take(made, repository.url)
    repository.git('mv', 'pdf', 'portable')
    repository.write('portable/SKILL.md', skill('portable'))
    mkdirSync(join(repository.path, 'skills'))
    repository.git('mv', 'docx', 'skills/docx')
    repository.commit()
    const { status, sources } = await made.run('update')
    expect(status).toBe('unchanged')
    expect(sources).toMatchObject([{ gone: ['skill:pdf'], others: ['skill:portable'] }])
    expect(made.read('.ai/rye.lock')).toContain('from skills/docx/SKILL.md')
    expect(existsSync(made.path('.ai/skills/pdf/SKILL.md'))).toBe(true)
    expect(existsSync(made.path('.ai/skills/portable'))).toBe(false)
    expect(await made.run('install', { frozen: true })).toMatchObject({ status: 'unchanged', unchanged: 2 })
  })
})
