// A skill with a long SKILL.md: `execute` answers with its beginning, and says how `load` reads on.
import { describe, expect, it } from 'vitest'
import { findLongText } from '../../../../src/actions/items/execute/long-text.ts'
import { scratch } from '../../../workspace/scratch.ts'

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
      `this is the beginning of a text of ${size} bytes: \`load\` with \`{"item_id":"skill:kit/SKILL.md","offset":${next_offset},"limit":65536}\` reads on`,
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
      `this is the beginning of a text of 1860062 bytes: rye load skill:kit@project/SKILL.md --offset ${answer.next_offset} --limit 65536 reads on`,
    )
  })

  it('says both where its lists are shortened, too', async () => {
    const files = Array.from({ length: 180 }, (_, index) => [`assets/${100 + index}.txt`, 'x\n'] as const)
    const made = await long(`${MATTER}${lines(10_000)}\n`, Object.fromEntries(files))
    const answer = await made.run('execute', { item_id: 'skill:kit' })
    expect(answer.left_out).toEqual({ tools: 0, references: 0, files: 82 })
    expect(answer.hint).toMatch(
      /^this is the beginning of .* reads on; 182 files are too many to list here: /,
    )
  })
})

it('a long line is cut where a character ends', () => {
  const body = `short\n${'ü'.repeat(50_000)}`
  const file = Buffer.from(`\ufeff---\r\nname: x\r\n---\r\n${body}\r\n`)
  const { beginning, next_offset } = findLongText(body, file)!
  expect(beginning).toBe(`short\n${'ü'.repeat(32_765)}`)
  expect(file.subarray(next_offset).toString()).toBe(`${'ü'.repeat(50_000 - 32_765)}\r\n`)
})
