// A key trusted for some things must not count for anything else, for longer, elsewhere, or after it was
// revoked. Only its owner and the user can end the trust in it or pass it on.
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../fixtures/patience.ts'
import { answerOf, connectStdio, ERAS, searchFor } from '../mcp-world.ts'
import { makePlace, type Place, PROGRAM } from '../run-rye.ts'
import { shellHead } from './signed-project.ts'

const SYSTEM = new URL('../../../system/.ai/tools/rye/core/', import.meta.url)
const TRUSTED = '.ai/config/keys/trusted'
const REVOKED = '.ai/config/keys/revoked'
const shell = (category: string) =>
  `${shellHead().replace('__category__ = ""', `__category__ = "${category}"`)}echo '{"success": true}'
`
const KNOWLEDGE =
  '# n\n\n```yaml\nname: n\ntitle: n\nversion: 1.0.0\ncategory: team\nentry_type: reference\nauthor: ann\ndescription: about n\ntags: [x]\n```\n\nText.\n'
const SKILL = '---\nname: pdf\ndescription: Reads pages of a document\nlicense: MIT\n---\n\n# pdf\n'

/** What Ann signs: one tool in her own corner, and things that somebody who trusts her for that must not get. */
const ITEMS: Readonly<Record<string, { path: string; text: string }>> = {
  'tool:team/ok': { path: '.ai/tools/team/ok.sh', text: shell('team') },
  'tool:team/deep/x': { path: '.ai/tools/team/deep/x.sh', text: shell('team/deep') },
  'tool:teams/x': { path: '.ai/tools/teams/x.sh', text: shell('teams') },
  'tool:other/team/ok': { path: '.ai/tools/other/team/ok.sh', text: shell('other/team') },
  'tool:other/runtime': {
    path: '.ai/tools/other/runtime.yaml',
    text: readFileSync(new URL('runtimes/bash/bash.yaml', SYSTEM), 'utf8').replace(
      /^category:.*$/m,
      'category: other',
    ),
  },
  'tool:team/chained': {
    path: '.ai/tools/team/chained.sh',
    text: shell('team').replace('rye/core/runtimes/bash/bash', 'other/runtime'),
  },
  'tool:rye/core/extractors/tool/tool_extractor': {
    path: '.ai/tools/rye/core/extractors/tool/tool_extractor.yaml',
    text: readFileSync(new URL('extractors/tool/tool_extractor.yaml', SYSTEM), 'utf8'),
  },
  'knowledge:team/n': { path: '.ai/knowledge/team/n.md', text: KNOWLEDGE },
  'skill:team/pdf': { path: '.ai/skills/team/pdf/SKILL.md', text: SKILL },
  'config:team/limits': {
    path: '.ai/config/team/limits.yaml',
    text: 'version: 1.0.0\ncategory: team\nlimit: 3\n',
  },
}

const ann = makePlace()
const mallory = makePlace()
let annKey: string
let mine: Place

async function must(place: Place, words: readonly string[]) {
  const ran = await place.rye([...words, '--json'])
  if (ran.status !== 0) throw new Error(`rye ${words.join(' ')}: ${ran.stdout}${ran.stderr}`)
  return ran.json()
}

function write(root: string, path: string, text: string): string {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

beforeAll(async () => {
  annKey = (await must(ann, ['keys', 'generate', '--owner', 'ann'])).fingerprint
  for (const [ref, { path, text }] of Object.entries(ITEMS)) {
    write(ann.project, path, text)
    await must(ann, ['sign', ref])
  }
  await must(ann, ['keys', 'export', '--out', join(ann.root, 'ann.toml')])
  await must(mallory, ['keys', 'generate', '--owner', 'ann'])
})
afterAll(() => {
  ann.remove()
  mallory.remove()
})

/** A clone of Ann's project, by somebody who has her document. */
beforeEach(async () => {
  mine = makePlace()
  onTestFinished(() => mine.remove())
  await must(mine, ['keys', 'generate'])
  cpSync(join(ann.project, '.ai'), join(mine.project, '.ai'), { recursive: true })
})

const trustAnn = (...flags: string[]) => must(mine, ['keys', 'trust', join(ann.root, 'ann.toml'), ...flags])

async function statuses(place = mine, ...targets: string[]): Promise<Record<string, string>> {
  // Some places that a test tries are refused as a whole.
  const { items = [] } = (await place.rye(['verify', ...targets, '--json'])).json()
  return Object.fromEntries(
    items
      .filter((item: { signer: string }) => item.signer !== 'system')
      .map((item: Record<string, string>) => [`${item.item_type}:${item.item_id}`, item.status]),
  )
}

const load = async (ref: string) => (await mine.rye(['load', ref, '--json'])).json()

describe('a key that is trusted for `tool:team/*`', () => {
  it('makes its tools usable, and no runtime, extractor, config, skill or knowledge, and no id that looks alike', async () => {
    await trustAnn('--for', 'tool:team/*')
    const inside = ['tool:team/ok', 'tool:team/chained']
    const expected = Object.keys(ITEMS).map(ref => [ref, inside.includes(ref) ? 'verified' : 'untrusted'])
    expect(await statuses()).toEqual(Object.fromEntries(expected))
    expect((await mine.rye(['execute', 'tool:team/ok', '--json'])).json()).toMatchObject({
      status: 'success',
    })
    for (const ref of ['tool:team/deep/x', 'tool:other/team/ok', 'knowledge:team/n', 'skill:team/pdf'])
      expect(await load(ref)).toMatchObject({ code: 'ITEM_UNTRUSTED' })
  })

  it('runs nothing through its own runtime outside of the bounds, and replaces no extractor', async () => {
    await trustAnn('--for', 'tool:team/*')
    expect((await mine.rye(['execute', 'tool:team/chained', '--json'])).json()).toMatchObject({
      code: 'ITEM_UNTRUSTED',
      error: expect.stringContaining('tool:other/runtime'),
    })
    const { checks } = (await mine.rye(['doctor', '--json'])).json()
    expect(JSON.stringify(checks)).toContain('the tool extractor is ignored: it is untrusted')
    // With unlimited trust the same files do run: it was the bound that refused them.
    await must(mine, ['keys', 'remove', 'ann'])
    await trustAnn()
    expect((await mine.rye(['execute', 'tool:team/chained', '--json'])).json()).toMatchObject({
      status: 'success',
    })
  })

  it('gets nothing in by tricks with paths', async () => {
    await trustAnn('--for', 'tool:team/*')
    const tools = join(mine.project, '.ai/tools')
    cpSync(join(tools, 'other/team/ok.sh'), join(tools, 'team/copied.sh'))
    symlinkSync('../other/team/ok.sh', join(tools, 'team/linked.sh'))
    symlinkSync('other', join(tools, 'team/folder'))
    const after = await statuses()
    expect(after['tool:team/copied']).toBe('tampered')
    expect([after['tool:team/linked'], after['tool:team/folder/team/ok']]).toEqual([undefined, undefined])
    for (const id of ['tool:team/../other/team/ok', 'tool:team/./ok', 'tool:team//ok', 'tool:TEAM/ok'])
      expect(await load(id)).toMatchObject({ status: 'error' })
  })

  it('is trusted for nothing when the bounds are damaged, whatever is left of them', async () => {
    await trustAnn('--for', 'tool:team/*', '--until', '2100-01-01')
    const path = join(mine.user, TRUSTED, `${annKey}.toml`)
    const whole = readFileSync(path, 'utf8')
    for (const damaged of [
      whole.replace(/for = .*/, 'for = []'),
      whole.replace(/for = .*/, 'for = "tool:team/*"'),
      whole.replace(/until = .*/, 'until = 2100-01-01'),
      whole.replace(/until = .*/, 'until = "2100-13-01"'),
      whole.replace('[bounds]', '[limits]'),
      whole.replace(/(for|until) = .*\n/g, ''),
      `${whole}more = 1\n`,
    ]) {
      expect(damaged).not.toBe(whole)
      writeFileSync(path, damaged)
      expect(new Set(Object.values(await statuses()))).toEqual(new Set(['untrusted']))
    }
  })
})

describe('a key that is trusted in one project', () => {
  it('counts in no copy of it and not in the user space, and by no link', async () => {
    await trustAnn('--project', mine.project)
    expect(await statuses()).toMatchObject({ 'tool:team/ok': 'verified', 'skill:team/pdf': 'verified' })
    const other = join(mine.root, 'other')
    cpSync(join(mine.project, '.ai'), join(other, '.ai'), { recursive: true })
    mkdirSync(join(mine.root, 'linked'))
    symlinkSync(join(mine.project, '.ai'), join(mine.root, 'linked/.ai'))
    symlinkSync(other, join(mine.project, 'inside'))
    for (const project of [other, join(mine.project, 'inside'), join(mine.root, 'linked')]) {
      const answer = (await mine.rye(['load', 'tool:team/ok', '--project', project, '--json'])).json()
      expect(answer).toMatchObject({ status: 'error' })
      const verified = Object.values(await statuses(mine, project)).filter(status => status === 'verified')
      expect(verified).toEqual([])
    }
    cpSync(join(ann.project, '.ai/tools/team/ok.sh'), write(mine.user, '.ai/tools/team/mine.sh', ''))
    cpSync(join(ann.project, '.ai/skills'), join(mine.user, '.ai/skills'), { recursive: true })
    rmSync(join(mine.project, '.ai/skills'), { recursive: true })
    expect(await load('skill:team/pdf')).toMatchObject({ code: 'ITEM_UNTRUSTED' })
    // The same project by another name is the same project.
    symlinkSync(mine.project, join(mine.root, 'same'))
    const same = (
      await mine.rye(['load', 'tool:team/ok', '--project', join(mine.root, 'same'), '--json'])
    ).json()
    expect(same).toMatchObject({ status: 'success' })
  })
})

describe.each(ERAS)('in a running server, in %s,', (_, era) => {
  async function connect() {
    const world = { root: mine.root, project: mine.project, env: mine.environment, write: () => {} }
    const { client } = await connectStdio(world, era, ['--project', mine.project])
    return {
      load: async (item_id: string) =>
        answerOf(await client.callTool({ name: 'load', arguments: { item_id } })) as {
          status: string
          code?: string
        },
      found: async () => {
        const input = { query: 'team ok', item_type: 'tool', source: 'project', detail: 'full' }
        const { results } = await searchFor(client, input)
        const hits = results as { id: string; trust: { status: string } }[]
        return hits.find(hit => hit.id === 'team/ok')?.trust.status
      },
    }
  }

  it('trust ends with its time', async () => {
    const server = await connect()
    // The machine may be slow: wait longer each time, until the trust was seen.
    for (let seconds = 4; ; seconds *= 2) {
      const end = new Date(Date.now() + seconds * 1000)
      await trustAnn('--until', `${end.toISOString().slice(0, 19)}Z`)
      if ((await server.load('tool:team/ok')).status === 'success' && (await server.found()) === 'verified')
        break
    }
    await until(async () => (await server.load('tool:team/ok')).code === 'ITEM_UNTRUSTED')
    expect(await server.found()).toBe('untrusted')
  })

  it('a revocation holds from the next call on', async () => {
    await trustAnn()
    const server = await connect()
    expect((await server.load('tool:team/ok')).status).toBe('success')
    expect(await server.found()).toBe('verified')
    const file = join(mine.root, 'revocation.toml')
    if (!existsSync(join(ann.root, 'revocation.toml'))) {
      // Ann's own copy of her key is needed by other tests: a second user space says it for her.
      const twin = makePlace()
      onTestFinished(() => twin.remove())
      cpSync(join(ann.user, '.ai'), join(twin.user, '.ai'), { recursive: true })
      await must(twin, [
        'keys',
        'revoke',
        annKey,
        '--reason',
        'stolen',
        '--out',
        join(ann.root, 'revocation.toml'),
      ])
    }
    cpSync(join(ann.root, 'revocation.toml'), file)
    await must(mine, ['keys', 'revoke', '--import', file])
    expect(await server.load('tool:team/ok')).toMatchObject({
      code: 'ITEM_UNTRUSTED',
      error: expect.stringContaining('is revoked: stolen'),
    })
    expect(await server.found()).toBe('untrusted')
  })
})

describe('a revocation', () => {
  it('that another key signed for her ends nothing', async () => {
    await trustAnn()
    const stranger = (await must(mallory, ['keys', 'show'])).fingerprint
    const twin = makePlace()
    onTestFinished(() => twin.remove())
    cpSync(join(mallory.user, '.ai'), join(twin.user, '.ai'), { recursive: true })
    const { document } = await must(twin, ['keys', 'revoke', stranger])
    const { document: identity } = await must(mine, ['keys', 'export', annKey])
    const pem = /pem = """[\s\S]*"""/
    for (const forged of [
      document.replace(stranger, annKey),
      document.replace(stranger, annKey).replace(pem, pem.exec(identity)![0]),
      document.replace(stranger, annKey).replace(/signature = .*\n/, ''),
      document.replace(stranger, annKey).replace(/signature = [\s\S]*/, ''),
    ]) {
      const file = write(mine.root, 'forged.toml', forged)
      expect((await mine.rye(['keys', 'revoke', '--import', file, '--json'])).json()).toMatchObject({
        code: 'KEY_INVALID',
      })
    }
    expect((await statuses())['tool:team/ok']).toBe('verified')
    expect(existsSync(join(mine.user, REVOKED))).toBe(false)
  })

  it('is not undone by a project that offers the key again', async () => {
    await trustAnn()
    await must(mine, ['keys', 'revoke', 'ann'])
    const offered = join(mine.project, TRUSTED, `${annKey}.toml`)
    cpSync(join(ann.root, 'ann.toml'), write(mine.project, `${TRUSTED}/${annKey}.toml`, ''))
    for (const name of [offered, annKey, join(ann.root, 'ann.toml')])
      expect((await mine.rye(['keys', 'trust', name, '--json'])).json()).toMatchObject({
        code: 'KEY_INVALID',
      })
    expect((await mine.rye(['doctor', '--json'])).stdout).not.toContain('offered key')
    expect(await load('tool:team/ok')).toMatchObject({ code: 'ITEM_UNTRUSTED' })
  })
})

describe('a key of a stranger', () => {
  it('is not passed off as the successor of a trusted one', async () => {
    await trustAnn()
    const { document } = await must(mallory, ['keys', 'export'])
    const vouch = (signature: string) =>
      `${document}\n[vouch]\nfingerprint = "${annKey}"\nat = "2026-01-01T00:00:00Z"\nsignature = "${signature}"\n`
    const line = /rye:signed:[^:]+:\d\d:[^:]+:[0-9a-f]{64}:([^:]+):/.exec(
      readFileSync(join(mine.project, ITEMS['tool:team/ok']!.path), 'utf8'),
    )
    for (const signature of ['', 'x', `${'A'.repeat(86)}==`, line![1]!]) {
      const file = write(mine.root, 'next.toml', vouch(signature))
      expect((await mine.rye(['keys', 'trust', file, '--json'])).json()).toMatchObject({
        code: 'KEY_INVALID',
      })
    }
  })

  it('is chosen by no name that it gives itself, and by no file that is called like a key', async () => {
    const { fingerprint, identity } = await must(mallory, ['keys', 'show'])
    cpSync(identity, write(mine.project, `${TRUSTED}/${fingerprint}.toml`, ''))
    cpSync(identity, join(mine.project, 'ann'))
    cpSync(identity, join(mine.project, annKey))
    for (const name of ['ann', annKey, annKey.slice(0, 8), fingerprint.slice(0, 8)])
      expect((await mine.rye(['keys', 'trust', name, '--json'])).json()).toMatchObject({ status: 'error' })
    await trustAnn()
    expect((await must(mine, ['keys', 'trust', 'ann', '--for', 'tool:team/*'])).fingerprint).toBe(annKey)
    await must(mine, ['keys', 'trust', fingerprint])
    for (const command of ['remove', 'revoke', 'export'])
      expect((await mine.rye(['keys', command, 'ann', '--json'])).json()).toMatchObject({
        code: 'INVALID_INPUT',
        error: expect.stringContaining(annKey),
      })
  })
})

describe('the settings of a repository', () => {
  it('do not decide what a key is called', async () => {
    const place = makePlace()
    onTestFinished(() => place.remove())
    write(place.project, '.git/config', '[user]\n\tname = Mallory\n')
    write(place.project, 'bin/git', '#!/bin/sh\ntouch ran\necho Mallory\n')
    const { owner } = (
      await place.start(['keys', 'generate', '--json'], {
        env: { PATH: `${place.project}/bin:${process.env.PATH}` },
      })
    ).json()
    expect(owner).not.toMatch(/Mallory|^local$/)
    expect(existsSync(join(place.project, 'ran'))).toBe(false)
  })
})

describe('a rotation that is killed', () => {
  it('leaves a key that works and items that verify, and is finished by the next one', async () => {
    const place = makePlace()
    onTestFinished(() => place.remove())
    const { fingerprint: old } = await must(place, ['keys', 'generate'])
    for (let i = 0; i < 40; i++) write(place.project, `.ai/tools/t/x${i}.sh`, shell('t'))
    await must(place, ['sign', 'tool:t/*'])
    const signing = join(place.user, '.ai/config/keys/signing')
    const tools = join(place.project, '.ai/tools/t')
    const isBegun = () =>
      readdirSync(tools)
        .filter(name => name.endsWith('.sh')) // a temporary file may be gone before it is read
        .some(name => !readFileSync(join(tools, name), 'utf8').includes(`:${old}`))
    const child = spawn(process.execPath, [PROGRAM, 'keys', 'rotate'], {
      cwd: place.project,
      env: place.environment,
      stdio: 'ignore',
    })
    const ended = new Promise(resolve => child.once('close', resolve))
    onTestFinished(() => void child.kill('SIGKILL'))
    await until(isBegun)
    child.kill('SIGKILL')
    await ended
    expect(existsSync(join(signing, 'private_key.pem'))).toBe(true)
    expect(new Set(Object.values(await statuses(place)))).toEqual(new Set(['verified']))
    write(place.project, '.ai/tools/t/more.sh', shell('t'))
    await must(place, ['sign', 'tool:t/more'])
    const { fingerprint } = await must(place, ['keys', 'rotate'])
    expect(readdirSync(signing).sort()).toEqual(['private_key.pem', 'public_key.pem', 'retired'])
    expect((await must(place, ['keys', 'show'])).fingerprint).toBe(fingerprint)
    await must(place, ['keys', 'revoke', old])
    expect(new Set(Object.values(await statuses(place)))).toEqual(new Set(['verified']))
  })
})
