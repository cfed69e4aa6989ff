import { describe, expect, it } from 'vitest'
import type { Action } from '../../src/actions/definition/action.ts'
import { readInput } from '../../src/actions/definition/read-input.ts'
import { ACTIONS } from '../../src/actions/table.ts'
import { AppError } from '../../src/base/app-error.ts'
import { sayWithFlags } from '../../src/surfaces/cli/flag-words.ts'

const commands = await Promise.all(
  ACTIONS.map(async ({ name, load }) => ({ name, fields: (await load()).fields })),
)
const find = (name: string) => commands.find(command => command.name === name)!

function failureOf(fields: Action['fields'], raw: Record<string, unknown>) {
  try {
    readInput(fields, raw, 'person')
  } catch (thrown) {
    if (thrown instanceof AppError) return { error: thrown.message, hint: thrown.hint, code: thrown.code }
  }
  throw new Error('expected a failure')
}

describe('a failure on the command line', () => {
  it.each([
    ['load', {}, '`ITEM` is required: '],
    ['load', { item_id: 'x', destination: 'moon' }, '`--to`: expected one of project, user, got `moon`'],
    ['search', { query: 'x', item_type: 'source' }, '`--type`: expected one of all, '],
    ['search', { query: 'x', sort_by: 'query' }, '`--sort`: expected one of score, date, name, got `query`'],
    ['search', { query: 'x', tags: 7 }, '`--tag`: expected a list of strings'],
    ['execute', { item_id: 'x', parameters: [] }, '`--params`: expected an object, got a list'],
    ['keys trust', {}, '`KEY.toml` is required'],
  ])('%s names what was typed', (name, raw, start) => {
    const command = find(name)
    const said = sayWithFlags(failureOf(command.fields, raw), command)
    expect(said.error).toContain(start)
    expect(said.hint).toBe(`\`rye ${name} --help\` shows what it takes`)
  })

  it('never names a field that is typed otherwise, whatever is wrong', () => {
    for (const command of commands) {
      const odd = Object.fromEntries(Object.keys(command.fields).map(field => [field, () => {}]))
      if (Object.keys(odd).length === 0) continue
      const { error, hint } = sayWithFlags(failureOf(command.fields, { ...odd, nonsense: 1 }), command)
      for (const [name, field] of Object.entries(command.fields)) {
        if (field.flag?.hidden) continue
        expect(error, command.name).not.toContain(`\`${name}\`: `)
      }
      expect(hint).not.toContain('item_id')
    }
  })

  it('turns a field that is to be set into its flag', () => {
    const hint = '`overwrite: true` replaces it'
    expect(sayWithFlags({ code: 'ITEM_EXISTS', error: 'x', hint }, find('load')).hint).toBe(
      '`--overwrite` replaces it',
    )
  })

  it('leaves words of the caller, words of items, and other failures as they are', () => {
    const said = (code: string, error: string) => sayWithFlags({ code, error }, find('search')).error
    expect(said('INVALID_INPUT', 'expected x, got `limit`')).toBe('expected x, got `limit`')
    expect(said('INVALID_INPUT', 'unknown field; did you mean `category`?')).toContain('`category`')
    expect(said('ITEM_NOT_FOUND', 'there is `source`')).toBe('there is `source`')
    expect(said('INVALID_INPUT', '`constructor` and `__proto__`')).toBe('`constructor` and `__proto__`')
  })
})
