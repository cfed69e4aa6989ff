// How text is laid out on a screen, and how progress appears in a log.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { columns, count, fold, hangingIndent } from '../../src/surfaces/cli/render/columns.ts'
import { createTerminal } from '../../src/surfaces/cli/terminal.ts'

describe('progress in a log', () => {
  afterEach(() => vi.useRealTimers())

  it('is a line when something is waited for, and one every 15 seconds', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const written: string[] = []
    const log = { write: (text: string) => written.push(text) }
    const terminal = createTerminal(log, log, { color: false, quiet: false })
    terminal.progress({ message: 'verifying', done: 0, total: 2 })
    terminal.progress({ message: 'asking', done: 0, waits: true })
    for (let seconds = 2; seconds <= 40; seconds += 2) {
      vi.advanceTimersByTime(2000)
      terminal.progress({ message: `starting: ${seconds} s`, done: seconds, waits: true })
    }
    terminal.progress({ message: 'asking another', done: 0, waits: true })
    expect(written).toEqual(['asking\n', 'starting: 16 s\n', 'starting: 32 s\n', 'asking another\n'])
    const quiet = createTerminal(log, log, { color: false, quiet: true })
    quiet.progress({ message: 'asking', done: 0, waits: true })
    expect(written).toHaveLength(4)
  })
})

describe('columns', () => {
  it('cut what does not fit, and never the room behind a short row', () => {
    const rows = [
      ['a', 'short', '', ''],
      ['b', 'a much longer cell', 'note', '\u001b[2m\u001b[22m'],
    ]
    expect(columns(rows, 20)).toEqual(['a  short', 'b  a much longer ce…'])
    expect(columns(rows, 80)).toEqual(['a  short', 'b  a much longer cell  note'])
  })

  it('count wide letters as two, and marks on letters as none', () => {
    const rows = [
      ['日本語', 'a'],
      ['cafe\u0301', 'b'],
      ['🍞', 'c'],
    ]
    expect(columns(rows, 80)).toEqual(['日本語  a', 'cafe\u0301    b', '🍞      c'])
    expect(columns([['日本語日本語日本語']], 10)).toEqual(['日本語日…'])
    expect(columns([['a🍞🍞🍞']], 6)).toEqual(['a🍞🍞…'])
    expect(fold('日本語 日本語', 8)).toBe('日本語\n  日本語')
  })

  it('keep the last one in sight where one cell is too long', () => {
    const long = 'x'.repeat(90)
    const rows = [
      ['tool:a', 'project', ''],
      [`tool:${long}`, 'project', ''],
      ['tool:b', 'user', ''],
    ]
    const [first, second, third] = columns(rows, 80)
    expect([first, third]).toEqual([`tool:a${' '.repeat(63)}  project`, `tool:b${' '.repeat(63)}  user`])
    expect(second).toBe(`tool:${long.slice(0, 74)}…`)
    expect(columns(rows, Number.POSITIVE_INFINITY)[0]).toBe(`tool:a${' '.repeat(89)}  project`)
  })

  it('break a text at blanks, below its first word', () => {
    expect(hangingIndent('  name  ', 'a text of several words', 28)).toBe(
      '  name  a text of several\n        words',
    )
    expect(hangingIndent('', 'one two', Number.POSITIVE_INFINITY)).toBe('one two')
    expect(hangingIndent('> ', 'x'.repeat(50), 30)).toBe(`> ${'x'.repeat(50)}`)
  })

  it('break a message, but not what is to be copied', () => {
    expect(fold('  ! one two three four', 12)).toBe('  ! one two\n  three four')
    const command = 'rye sign tool:a/b --take-over'
    expect(fold(`hint: read it, then: ${command}`, 24)).toBe(`hint: read it, then:\n  ${command}`)
    expect(fold(`    ${command}`, 12)).toBe(`    ${command}`)
    expect(fold('expected `one two three`, got x', 14)).toBe('expected\n  `one two three`,\n  got x')
    expect(fold('\u001b[31mred\u001b[39m and blue', 9)).toBe('\u001b[31mred\u001b[39m and\n  blue')
  })

  it('count in words', () => {
    expect([0, 1, 2].map(amount => count(amount, 'skill'))).toEqual(['0 skills', '1 skill', '2 skills'])
  })
})
