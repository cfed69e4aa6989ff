// Long texts: an answer has the beginning, and says how `load` reads on.
import { describe, expect, it } from 'vitest'
import { findLongBody } from '../../../src/actions/items/long-text.ts'
import { directive, knowledge, scratch } from '../../workspace/scratch.ts'

const MATTER = '---\nname: kit\ndescription: A long text. Use it in tests.\n---\n\n'
const lines = (amount: number, end = '\n') =>
  Array.from({ length: amount }, (_, index) => `${100_000 + index} größer [one](more.md)`).join(end)

async function long(text: string, more: Readonly<Record<string, string>> = {}) {
  const files = { 'SKILL.md': text, 'more.md': '# More\n', ...more }
  const made = await scratch(
    Object.fromEntries(Object.entries(files).map(([path, one]) => [`.claude/skills/kit/${path}`, one])),
  )
  await made.sign('skill:kit')
  return made
}

describe('the text of a skill', () => {
  it('is whole up to 64 KB', async () => {
    const body = 'x'.repeat(65_536)
    const answer = await (await long(`${MATTER}${body}\n`)).run('execute', { item_id: 'skill:kit' })
    expect(answer.content).toBe(body)
    expect(Object.keys(answer)).toEqual([
      'status',
      'type',
      'item_id',
      'content',
      'tools',
      'references',
      'files',
      'metadata',
    ])
  })

  it.each([
    ['300 KB', lines(10_000), '\n'],
    ['lines that end as on Windows', lines(10_000, '\r\n'), '\r\n'],
  ])('begins, and `load` reads on: %s', async (_, body, end) => {
    const made = await long(`${MATTER.replaceAll('\n', end)}${body}${end}${end}`)
    const answer = await made.run('execute', { item_id: 'skill:kit' }, 'agent')
    const { size, next_offset } = answer
    expect(answer.hint).toBe(
      `the whole text has ${size} bytes: \`load\` with \`{"item_id":"skill:kit/SKILL.md","offset":${next_offset},"limit":65536}\` reads on`,
    )
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(100_000)
    let text = answer.content.replaceAll('(skill:kit/more.md)', '(more.md)').replaceAll('\n', end)
    let pages = 0
    for (let offset = next_offset; offset !== undefined; pages++) {
      const page = await made.run('load', { item_id: 'skill:kit/SKILL.md', offset, limit: 65_536 })
      expect(page.size).toBe(size)
      text += page.content
      offset = page.next_offset
    }
    expect(text).toBe(`${body}${end}${end}`)
    expect(pages).toBe(4)
  })

  it('of almost 2 MB stays small, and a person is told the command', async () => {
    const made = await long(`${MATTER}${lines(60_000)}\n`)
    const answer = await made.run('execute', { item_id: 'skill:kit@project' })
    expect(answer.size).toBe(1_860_062)
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(110_000)
    expect(answer.hint).toBe(
      `the whole text has 1860062 bytes: rye load skill:kit@project/SKILL.md --offset ${answer.next_offset} --limit 65536 reads on`,
    )
  })

  it('says both where its lists are shortened, too', async () => {
    const files = Array.from({ length: 180 }, (_, index) => [`assets/${100 + index}.txt`, 'x\n'] as const)
    const made = await long(`${MATTER}${lines(10_000)}\n`, Object.fromEntries(files))
    const answer = await made.run('execute', { item_id: 'skill:kit' })
    expect(answer.left_out).toEqual({ tools: 0, references: 0, files: 82 })
    expect(answer.hint).toMatch(/^the whole text has .* reads on; 182 files are too many to list here: /)
  })
})

it('a long line is cut where a character ends', () => {
  const body = `short\n${'ü'.repeat(50_000)}`
  const file = Buffer.from(`\ufeff---\r\nname: x\r\n---\r\n${body}\r\n`)
  const { beginning, next_offset } = findLongBody(body, file)!
  expect(beginning).toBe(`short\n${'ü'.repeat(32_765)}`)
  expect(file.subarray(next_offset).toString()).toBe(`${'ü'.repeat(50_000 - 32_765)}\r\n`)
})

describe('to an agent', () => {
  const asked = (item_id: string, offset: number) =>
    `\`load\` with \`{"item_id":"${item_id}","offset":${offset},"limit":65536}\` reads on`

  async function readOn(made: Awaited<ReturnType<typeof scratch>>, item_id: string, from: number) {
    let text = ''
    for (let offset: number | undefined = from; offset !== undefined; ) {
      const page = await made.run('load', { item_id, offset, limit: 65_536 }, 'agent')
      text += page.content
      offset = page.next_offset
    }
    return text
  }

  it.each(['\n', '\r\n'])('long knowledge begins, and `load` reads on: lines end with %j', async end => {
    const body = lines(10_000)
    const text = knowledge('long', { body: `${body}\n\n` }).replaceAll('\n', end)
    const made = await scratch({ '.ai/knowledge/long.md': text })
    await made.sign('knowledge:long')
    const answer = await made.run('execute', { item_id: 'long' }, 'agent')
    const { content, size, next_offset, hint } = answer
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(65_536)
    expect(content.endsWith('\n')).toBe(true)
    expect(size).toBe(Buffer.byteLength(made.read('.ai/knowledge/long.md')))
    expect(hint).toBe(`the whole text has ${size} bytes: ${asked('long', next_offset)}`)
    const rest = (await readOn(made, 'long', next_offset)).replaceAll('\r\n', '\n')
    expect(`${content}${rest}`.trimEnd()).toBe(body)
    expect((await made.run('execute', { item_id: 'long' })).content).toBe(body)
  })

  it('knowledge whose text is not the end of its file is read on from its start', () => {
    const body = 'one line\n'.repeat(10_000)
    const long = findLongBody(body, Buffer.from(`body: |\n${body.replaceAll(/^(?=o)/gm, '  ')}after: 1\n`))
    expect(long).toMatchObject({ size: 110_017, next_offset: 0 })
  })

  it('the source of a long item begins, wherever it starts', async () => {
    const made = await scratch({ '.ai/knowledge/long.md': knowledge('long', { body: lines(10_000) }) })
    await made.sign('knowledge:long')
    const whole = made.read('.ai/knowledge/long.md')
    const size = Buffer.byteLength(whole)
    const first = await made.run('load', { item_id: 'knowledge:long', source: 'project' }, 'agent')
    expect(first).toMatchObject({ size, next_offset: Buffer.byteLength(first.content) })
    expect(first.hint).toContain(
      `{"item_id":"knowledge:long","source":"project","offset":${first.next_offset},"limit":65536}`,
    )
    const second = await made.run('load', { item_id: 'long', offset: first.next_offset }, 'agent')
    expect(second.hint).toBe(`the whole text has ${size} bytes: ${asked('long', second.next_offset)}`)
    const rest = await readOn(made, 'long', second.next_offset)
    expect(first.content + second.content + rest).toBe(whole)
    const chosen = await made.run('load', { item_id: 'long', limit: 200_000 }, 'agent')
    expect(chosen).toMatchObject({ size, next_offset: expect.any(Number) })
    expect(chosen.content.length).toBeGreaterThan(150_000)
    expect(chosen).not.toHaveProperty('hint')
    const byPerson = await made.run('load', { item_id: 'long' })
    expect(byPerson.content).toBe(whole)
    expect(byPerson).not.toHaveProperty('size')
  })

  it('a long file of a skill begins', async () => {
    const made = await long(`${MATTER}Text.\n`, { 'more.md': lines(10_000) })
    const item_id = 'skill:kit/more.md'
    const { content, next_offset, hint } = await made.run('load', { item_id }, 'agent')
    expect(Buffer.byteLength(content)).toBe(next_offset)
    expect(hint).toContain(asked(item_id, next_offset))
    expect(content + (await readOn(made, item_id, next_offset))).toBe(lines(10_000))
  })

  it('long directions begin, filled in, and are kept to be read on', async () => {
    const steps = Array.from({ length: 5_000 }, (_, index) => `${index}. Ask {input:who} again.`).join('\n')
    const inputs = '<input name="who" type="string" required="true">Who</input>'
    const made = await scratch({ '.ai/directives/long.md': directive('long', { inputs, body: steps }) })
    await made.sign('directive:long')
    const call = { item_id: 'long', parameters: { who: 'Ada' } }
    const whole = (await made.run('execute', call)).your_directions
    expect(whole).toContain('4999. Ask Ada again.')
    const { your_directions, size, next_offset, hint } = await made.run('execute', call, 'agent')
    expect(Buffer.byteLength(your_directions)).toBeLessThanOrEqual(65_536)
    expect(size).toBe(Buffer.byteLength(whole))
    const [, kept = ''] = /"item_id":"(output:\w+)"/.exec(hint) ?? []
    expect(hint).toContain(asked(kept, next_offset))
    expect(your_directions + (await readOn(made, kept, next_offset))).toBe(whole)
  })

  it('what is short is as it was', async () => {
    const made = await scratch({ '.ai/knowledge/short.md': knowledge('short') })
    await made.sign('knowledge:short')
    for (const name of ['load', 'execute']) {
      const answer = await made.run(name, { item_id: 'short' }, 'agent')
      expect(answer).toEqual(await made.run(name, { item_id: 'short' }))
      expect(answer).not.toHaveProperty('next_offset')
    }
  })
})
