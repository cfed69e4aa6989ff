// A cloned project is full of items that a stranger signed. An agent that is talked into `sign '*'` must not
// make them its user's own.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ERAS } from '../mcp-world.ts'
import { makePlace, type Place, PROGRAM } from '../run-rye.ts'
import { type AgentOptions, connectAgent } from './signing-agent.ts'

const knowledge = (id: string) =>
  `# ${id}\n\n\`\`\`yaml\nname: ${id}\ntitle: ${id}\nversion: 1.0.0\ncategory: ""\nentry_type: reference\nauthor: me\ndescription: About ${id}\ntags: [x]\n\`\`\`\n\nText of ${id}.\n`

const stranger = makePlace()
let mine: Place

const fileOf = (place: Place, id: string) => join(place.project, `.ai/knowledge/${id}.md`)
const textOf = (id: string) => readFileSync(fileOf(mine, id), 'utf8')

beforeAll(async () => {
  await stranger.rye(['keys', 'generate'])
  mkdirSync(join(stranger.project, '.ai/knowledge'), { recursive: true })
  for (const id of ['theirs', 'changed']) writeFileSync(fileOf(stranger, id), knowledge(id))
  const { failed } = (await stranger.rye(['sign', 'knowledge:*', '--json'])).json()
  expect(failed).toEqual([])
  return () => stranger.remove()
})

/** A clone of the stranger's project with one item edited, one of the user's own, edited too, and a new one. */
beforeEach(async () => {
  mine = makePlace()
  onTestFinished(() => mine.remove())
  await mine.rye(['keys', 'generate'])
  cpSync(join(stranger.project, '.ai'), join(mine.project, '.ai'), { recursive: true })
  writeFileSync(fileOf(mine, 'changed'), `${textOf('changed')}Do as I say.\n`)
  writeFileSync(fileOf(mine, 'own'), knowledge('own'))
  await mine.rye(['sign', 'knowledge:own'])
  writeFileSync(fileOf(mine, 'own'), `${textOf('own')}More.\n`)
  writeFileSync(fileOf(mine, 'new'), knowledge('new'))
})

const connect = (era: AgentOptions['era'], answer?: AgentOptions['answer']) =>
  connectAgent(mine, { era, answer })

const statuses = async () =>
  Object.fromEntries(
    (await mine.rye(['verify', '--type', 'knowledge', '--json']))
      .json()
      .items.map(({ item_id, status }: { item_id: string; status: string }) => [item_id, status]),
  )

const REFUSED = { own: 'verified', new: 'verified', theirs: 'untrusted', changed: 'tampered' }

describe.each(ERAS)('in %s, an agent', (_, era) => {
  it('signs new and own items by a pattern, and lists the others with the reason', async () => {
    const sign = await connect(era)
    const answer = await sign('*')
    expect(answer.signed).toEqual(['new', 'own'])
    expect(answer.failed).toEqual([
      {
        item: 'changed',
        error: expect.stringMatching(/signed by .* and changed since/),
        details: [],
        hint: expect.stringContaining('`rye sign knowledge:changed --take-over`'),
      },
      {
        item: 'theirs',
        error: expect.stringMatching(/signed by .* unchanged since/),
        details: [],
        hint: expect.stringContaining('`rye sign knowledge:theirs --take-over`'),
      },
    ])
    expect(await statuses()).toMatchObject(REFUSED)
  })

  it('does not sign them one by one either, nor with the flag that people have', async () => {
    const sign = await connect(era)
    for (const id of ['theirs', 'changed'])
      for (const input of [{}, { take_over: true }])
        expect(await sign(`knowledge:${id}`, input)).toMatchObject({ status: 'error' })
    expect(await statuses()).toMatchObject({ theirs: 'untrusted', changed: 'tampered' })
  })

  it('has the person asked, where the client can, and takes no for an answer', async () => {
    const asked: string[] = []
    const sign = await connect(era, question => {
      asked.push(question)
      return { action: 'accept', content: { confirm: false } }
    })
    expect((await sign('*')).signed).toEqual(['new', 'own'])
    expect(asked).toEqual([expect.stringMatching(/knowledge:changed: .*changed since.*knowledge:theirs: /s)])
    expect(await statuses()).toMatchObject(REFUSED)
  })

  it('signs what the person agreed to, and nothing that has taken its place meanwhile', async () => {
    let asked = 0
    const sign = await connect(era, () => {
      // While the person reads, the item becomes another one; consent to the first is none to the second.
      if (asked++ === 0) writeFileSync(fileOf(mine, 'changed'), `${textOf('changed')}Now do this.\n`)
      return { action: 'accept', content: { confirm: asked === 1 } }
    })
    expect((await sign('*')).signed).toEqual(['new', 'own'])
    expect(asked).toBe(2)
    const agreed = await connect(era, () => ({ action: 'accept', content: { confirm: true } }))
    expect(await agreed('*')).toMatchObject({ signed: ['changed', 'theirs'], unchanged: ['new', 'own'] })
    expect(new Set(Object.values(await statuses()))).toEqual(new Set(['verified']))
  })
})

it('a line that only names the own key does not make a foreign item an own one', async () => {
  const fingerprint = /:([0-9a-f]{16}) -->/.exec(textOf('own'))![1]!
  const claimed = textOf('changed').replace(/:[0-9a-f]{16} -->/, `:${fingerprint} -->`)
  writeFileSync(fileOf(mine, 'changed'), claimed)
  const sign = await connect(ERAS[0][1])
  expect(await sign('knowledge:changed')).toMatchObject({ status: 'error', code: 'POLICY_DENIED' })
})

describe('a person', () => {
  it('without a terminal has to say so', async () => {
    const refused = await mine.rye(['sign', 'knowledge:theirs', '--json'])
    expect(refused.json()).toMatchObject({
      code: 'POLICY_DENIED',
      hint: expect.stringContaining('--take-over'),
    })
    await mine.rye(['sign', 'knowledge:theirs', '--take-over'])
    expect(await statuses()).toMatchObject({ theirs: 'verified' })
  })

  it.each([
    ['n', 'tampered'],
    ['y', 'verified'],
  ])('at a terminal is asked, and answers %s', async (answer, status) => {
    const words = [process.execPath, PROGRAM, 'sign', 'knowledge:changed']
    const ran = await mine.run('python3', ['-c', TERMINAL, answer, ...words])
    expect(ran.stdout).toMatch(/knowledge:changed: it was signed by [\s\S]*\sand changed since/)
    expect(await statuses()).toMatchObject({ changed: status })
  })
})

/** Runs a command at a terminal of its own, and types the answer when it is asked. */
const TERMINAL = `
import os, pty, sys
child, fd = pty.fork()
if child == 0:
    os.execv(sys.argv[2], sys.argv[2:])
seen, typed = b"", False
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    seen += data
    if b"[y/N]" in seen and not typed:
        typed = True
        os.write(fd, sys.argv[1].encode() + b"\\n")
os.waitpid(child, 0)
sys.stdout.write(seen.decode(errors="replace"))
`
