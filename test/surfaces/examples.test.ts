import { expect, it } from 'vitest'
import { readInput } from '../../src/actions/definition/read-input.ts'
import { ACTIONS } from '../../src/actions/table.ts'
import { otherCommands } from '../../src/program/other-commands.ts'
import { gatherInput } from '../../src/surfaces/cli/arguments.ts'
import { commandHelp, overview } from '../../src/surfaces/cli/help.ts'

const others = otherCommands({ environment: {}, program: '', onStarted: () => {} })

it.each([...ACTIONS, ...others].map(entry => [entry.name, entry] as const))(
  'the help of %s has an example, which the command takes',
  async (name, entry) => {
    const { fields } = await entry.load()
    const [, example] = /^example: rye (.*)$/m.exec(commandHelp(entry, fields))!
    const words = example!.match(/'[^']*'|\S+/g)!.map(word => word.replaceAll("'", ''))
    expect(words.slice(0, name.split(' ').length).join(' ')).toBe(name)
    const rest = words.slice(name.split(' ').length)
    expect(() =>
      readInput(
        fields,
        gatherInput(fields, rest, { directory: '/project', findProject: () => '/project' }),
        'person',
      ),
    ).not.toThrow()
  },
)

it.each([...ACTIONS, ...others].map(entry => [entry.name, entry] as const))(
  'the help of %s fits a terminal of 80 columns',
  async (_name, entry) => {
    const { fields } = await entry.load()
    const lines = commandHelp(entry, fields, { columns: 80 }).split('\n')
    expect(lines.filter(line => line.length > 80)).toEqual([])
  },
)

it('the overview fits a terminal of 80 columns', () => {
  const lines = overview([...ACTIONS, ...others], '10.20.30', 80).split('\n')
  expect(lines.filter(line => line.length > 80)).toEqual([])
})

it('the commands of a group have an example of one of them', () => {
  const group = ACTIONS.filter(({ name }) => name.startsWith('keys '))
  expect(overview(group, '1.0.0', 80)).toMatch(/^example: rye keys \w+/m)
})
