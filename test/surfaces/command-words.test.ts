import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandWords } from '../../src/surfaces/cli/command-words.ts'

describe('the words of a call', () => {
  it.each([
    ['list', 'list'],
    ['--project dir list', 'list --project dir'],
    ['--project=dir list --type tool', 'list --project=dir --type tool'],
    ['--json --quiet keys list', 'keys list --json --quiet'],
    ['--project dir mcp add x -- npx -y y', 'mcp add x --project dir -- npx -y y'],
    ['--project list list', 'list --project list'],
    ['-h search', 'search -h'],
    ['run tool:x', 'execute tool:x'],
    ['--json exec tool:x --param run=exec', 'execute tool:x --json --param run=exec'],
    ['search run', 'search run'],
    ['help run', 'execute --help'],
    ['help keys trust', 'keys trust --help'],
    ['help', 'help'],
    ['help help', '--help --help'],
    ['', ''],
    ['--json', '--json'],
    ['--project', '--project'],
    ['--project dir', '--project dir'],
    ['--limit 3 search x', '--limit 3 search x'],
    ['constructor x', 'constructor x'],
  ])('%j are %j', (typed, expected) => {
    const split = (text: string) => text.split(' ').filter(word => word !== '')
    expect(commandWords(split(typed))).toEqual(split(expected))
  })

  it('are none lost, none added, and the same when read again', () => {
    const word = fc.constantFrom(
      '--json',
      '--project',
      '--project=a',
      'list',
      'mcp',
      'add',
      '--',
      '-',
      '--x',
      'a',
    )
    fc.assert(
      fc.property(fc.array(word), words => {
        const once = commandWords(words)
        expect([...once].sort()).toEqual([...words].sort())
        expect(commandWords(once)).toEqual(once)
      }),
    )
  })
})
