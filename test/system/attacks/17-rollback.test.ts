// A file that was once validly signed stays valid, and whoever can write to the project can put an old one
// back: a `git checkout` of the version before a fix is enough. It must not go unnoticed.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { tries } from '../../fixtures/tries.ts'
import { PROGRAM } from '../run-rye.ts'
import { makeSignedProject, pythonHead, type SignedProject } from './signed-project.ts'

const FILE = '.ai/tools/pay.py'
const text = (version: string, answer: string) =>
  `${pythonHead().replace('1.0.0', version)}\ndef execute(params, project_path):\n    return {"says": "${answer}"}\n`

let mine: SignedProject
const git = (...words: string[]) => {
  const set = ['-c', 'user.name=x', '-c', 'user.email=x@x', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...set, ...words], {
    cwd: mine.project,
    env: { ...mine.environment },
    encoding: 'utf8',
  })
}

/** The vulnerable tool, signed and committed; then fixed, signed and committed. */
beforeEach(async () => {
  mine = await makeSignedProject()
  onTestFinished(() => mine.remove())
  git('init', '--quiet')
  for (const [version, answer] of [
    ['1.0.0', 'hole'],
    ['1.1.0', 'fixed'],
  ] as const) {
    mine.write(FILE, text(version, answer))
    await mine.sign('pay')
    git('add', '--force', FILE)
    git('commit', '--quiet', '-m', version)
  }
})

const putBack = () => git('checkout', '--quiet', 'HEAD^', '--', FILE)
const restore = () => git('checkout', '--quiet', 'HEAD', '--', FILE)
const refuse = () => {
  writeFileSync(join(mine.user, '.ai/config/rye.toml'), 'rollback = "refuse"\n')
}

function memory(): string {
  const root = join(mine.user, '.ai/state/projects')
  const [path] = readdirSync(root)
    .map(name => join(root, name, 'used-items.json'))
    .filter(existsSync)
  return path!
}

/** A server of an agent. */
async function connect() {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', '--project', mine.project],
    cwd: mine.project,
    env: mine.environment,
    stderr: 'ignore',
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the members that it reads
  return async (name: string, input: object): Promise<any> => {
    const { content } = await client.callTool({ name, arguments: { ...input } })
    return JSON.parse((content as { text: string }[])[0]!.text)
  }
}

const WARNING = expect.stringMatching(
  /`tool:pay` is older than what was used before: version 1\.1\.0, signed \d{4}-/,
)
const FROM = { version: '1.1.0', timestamp: expect.any(String) }

describe('an old signed tool that is put back', () => {
  it('is shown to a person by all that shows a verdict', async () => {
    expect(await mine.execute('pay')).toMatchObject({ data: { says: 'fixed' } })
    putBack()
    const ran = await mine.execute('pay')
    expect(ran).toMatchObject({ status: 'success', data: { says: 'hole' }, warning: WARNING })
    expect(ran.trace.elements[0]).toMatchObject({ trust: 'verified', rolled_back_from: FROM })
    const trust = { status: 'verified', rolled_back_from: FROM }
    expect((await mine.rye(['load', 'tool:pay', '--json'])).json()).toMatchObject({ trust, warning: WARNING })
    expect((await mine.rye(['show', 'tool:pay', '--json'])).json()).toMatchObject({ trust })
    expect((await mine.rye(['verify', 'tool:pay', '--json'])).json()).toMatchObject({ items: [trust] })
    expect((await mine.rye(['search', 'pay', '--json'])).json().results[0]).toMatchObject({
      id: 'pay',
      trust,
    })
    const { checks } = (await mine.rye(['doctor', '--json'])).json()
    expect(checks).toContainEqual(expect.objectContaining({ name: 'older', fix: 'rye sign tool:pay' }))
    // And without `--json`.
    expect((await mine.rye(['execute', 'tool:pay'])).stderr).toMatch(/warning: `tool:pay` is older/)
    for (const words of [
      ['load', 'tool:pay'],
      ['show', 'tool:pay'],
      ['verify', 'tool:pay'],
      ['search', 'pay'],
    ])
      expect((await mine.rye(words)).stdout).toMatch(/verified ! older than 1\.1\.0 of \d{4}-/)
    restore()
    expect(await mine.execute('pay')).not.toHaveProperty('warning')
  })

  it('is shown to an agent, in the shortest answers too', async () => {
    const call = await connect()
    expect(await call('execute', { item_id: 'pay' })).toMatchObject({ data: { says: 'fixed' } })
    putBack()
    expect(await call('execute', { item_id: 'pay' })).toMatchObject({
      data: { says: 'hole' },
      warning: WARNING,
    })
    expect(await call('load', { item_id: 'pay', view: 'summary' })).toMatchObject({ warning: WARNING })
    const { results } = await call('search', { query: 'pay' })
    expect(results[0]).toMatchObject({ id: 'pay', trust: { rolled_back_from: FROM } })
  })

  it('is refused under that policy, until a person signs it by its id', async () => {
    await mine.execute('pay')
    refuse()
    putBack()
    const refused = { status: 'error', code: 'ITEM_ROLLED_BACK' }
    expect(await mine.execute('pay')).toMatchObject(refused)
    expect((await mine.rye(['load', 'tool:pay', '--json'])).json()).toMatchObject(refused)
    expect((await mine.rye(['sign', '*', '--json'])).json()).toMatchObject({
      signed: [],
      failed: [{ item: 'pay' }],
    })
    expect(await mine.execute('pay')).toMatchObject(refused)
    await mine.sign('pay')
    const ran = await mine.execute('pay')
    expect(ran).toMatchObject({ status: 'success', data: { says: 'hole' } })
    expect(ran).not.toHaveProperty('warning')
  })

  it('cannot be made the newest by an agent under that policy', async () => {
    const call = await connect()
    expect(await call('execute', { item_id: 'pay' })).toMatchObject({ data: { says: 'fixed' } })
    refuse()
    putBack()
    const old = readFileSync(join(mine.project, FILE), 'utf8')
    const refused = { status: 'error', code: 'ITEM_ROLLED_BACK' }
    expect(await call('execute', { item_id: 'pay' })).toMatchObject(refused)
    expect(await call('sign', { item_id: 'tool:pay' })).toMatchObject(refused)
    expect(await call('sign', { item_id: '*' })).toMatchObject({ signed: [] })
    // Not even as a new item, without the old signature.
    mine.write(FILE, old.replace(/^# rye:.*\n/m, ''))
    expect(await call('sign', { item_id: 'tool:pay' })).toMatchObject(refused)
    // Nor by a tool that writes: the memory is not there for it.
    const command = `find ${mine.root} -name used-items.json 2>/dev/null; rm -rf ${join(mine.user, '.ai/state')}; echo done`
    const bash = await call('execute', { item_id: 'rye/bash', parameters: { command } })
    const sandboxed = (await mine.rye(['doctor', '--json']))
      .json()
      .checks.some((check: { name: string; message: string }) => check.message.startsWith('bubblewrap'))
    if (sandboxed) {
      expect(JSON.stringify(bash)).not.toContain('used-items.json')
      expect(existsSync(memory())).toBe(true)
    }
    putBack()
    if (sandboxed) expect(await call('execute', { item_id: 'pay' })).toMatchObject(refused)
  })

  it('is not forgotten for others that an agent makes and uses', async () => {
    const call = await connect()
    expect(await call('execute', { item_id: 'pay' })).toMatchObject({ data: { says: 'fixed' } })
    refuse()
    putBack()
    // All but a few of those that are remembered.
    const { items } = JSON.parse(readFileSync(memory(), 'utf8'))
    const others = Array.from({ length: 9_990 }, (_, at) => ({ ...items[0], item: `tool:other/${at}` }))
    writeFileSync(memory(), JSON.stringify({ version: 1, items: [...items, ...others] }))
    for (let number = 0; number < 20; number++)
      mine.write(`.ai/knowledge/flood-${number}.md`, `# Flood ${number}\n\nA text.\n`)
    expect(await call('sign', { item_id: 'flood-*' })).toMatchObject({ total: 20, failed: [] })
    const answers: string[] = []
    for (let number = 0; number < 20; number++) {
      const { status, code } = await call('load', { item_id: `knowledge:flood-${number}` })
      answers.push(code ?? status)
    }
    expect(answers.at(-1)).toBe('POLICY_DENIED')
    expect(await call('execute', { item_id: 'pay' })).toMatchObject({ code: 'ITEM_ROLLED_BACK' })
  })

  it('is not hidden by a memory that was damaged', async () => {
    await mine.execute('pay')
    const path = memory()
    const good = readFileSync(path, 'utf8')
    putBack()
    for (const planted of ['', '{"version":1,"items":[{"item":"tool:pay"}]}', '\0'.repeat(100)]) {
      writeFileSync(path, planted)
      const unknown = expect.stringContaining('cannot tell what was used before')
      expect(await mine.execute('pay')).toMatchObject({ status: 'success', warning: unknown })
      expect(readFileSync(path, 'utf8')).toBe(planted)
      refuse()
      expect(await mine.execute('pay')).toMatchObject({ code: 'FILE_UNREADABLE', error: unknown })
      rmSync(join(mine.user, '.ai/config/rye.toml'))
    }
    const { checks } = (await mine.rye(['doctor', '--json'])).json()
    expect(checks).toContainEqual(expect.objectContaining({ name: 'used items', status: 'problem' }))
    writeFileSync(path, good)
    expect(await mine.execute('pay')).toMatchObject({ warning: WARNING })
  })

  it('is known to every server, though all of them write the memory at once', async () => {
    const names = Array.from({ length: tries({ usual: 6, torture: 40 }) }, (_, at) => `note-${at}`)
    const note = (name: string) =>
      `# ${name}\n\n\`\`\`yaml\nname: ${name}\ntitle: ${name}\nversion: 1.0.0\ncategory: ""\nentry_type: reference\n\`\`\`\n\nText.\n`
    for (const name of names) mine.write(`.ai/knowledge/${name}.md`, note(name))
    await mine.rye(['sign', 'knowledge:*'])
    const [one, other] = [await connect(), await connect()]
    await Promise.all([
      ...names.map((name, at) => (at % 2 === 0 ? one : other)('load', { item_id: name })),
      other('load', { item_id: 'pay' }),
    ])
    const { items } = JSON.parse(readFileSync(memory(), 'utf8'))
    const remembered = items.map(({ item }: { item: string }) => item)
    expect(remembered.sort()).toEqual([...names.map(name => `knowledge:${name}`), 'tool:pay'].sort())
    putBack()
    for (const call of [one, other])
      expect(await call('load', { item_id: 'pay' })).toMatchObject({ trust: { rolled_back_from: FROM } })
  })
})
