import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fields } from '../../../src/actions/definition/field-spec.ts'
import { readInput } from '../../../src/actions/definition/read-input.ts'

const fields = {
  query: { type: 'string', about: 'what to find', required: true },
  limit: { type: 'integer', about: '', minimum: 1, maximum: 100, default: 10 },
  kind: { type: 'string', about: '', values: ['tool', 'skill'] },
  deep: { type: 'boolean', about: '' },
  tags: { type: 'strings', about: '' },
  filters: { type: 'object', about: '' },
  consent: { type: 'boolean', about: '', forPeople: true },
  form: { type: 'string', about: '', values: ['new', 'old'], default: 'new', forPeople: true },
} as const satisfies Fields

describe('reading an input', () => {
  it('fills in defaults and leaves out what was not given', () => {
    expect(readInput(fields, { query: 'x' }, 'person')).toEqual({ query: 'x', limit: 10, form: 'new' })
  })

  it.each([
    [{}, '`query` is required: what to find'],
    [{ query: 7 }, '`query`: expected a string, got a number'],
    [{ query: 'x', limit: -1 }, '`limit`: expected a whole number from 1 to 100, got `-1`'],
    [{ query: 'x', limit: 1e9 }, '`limit`: expected a whole number from 1 to 100, got `1000000000`'],
    [{ query: 'x', limit: 'ten' }, '`limit`: expected a whole number, got a string'],
    [{ query: 'x', limit: 1.5 }, '`limit`: expected a whole number, got `1.5`'],
    [{ query: 'x', limit: Number.NaN }, '`limit`: expected a whole number, got `NaN`'],
    [{ query: 'x', kind: 'tol' }, '`kind`: expected one of tool, skill, got `tol`; did you mean `tool`?'],
    [{ query: 'x', deep: 'yes' }, '`deep`: expected true or false, got a string'],
    [{ query: 'x', tags: 'a' }, '`tags`: expected a list of strings, got a string'],
    [{ query: 'x', tags: [1] }, '`tags`: expected a list of strings, got a list'],
    [{ query: 'x', filters: [] }, '`filters`: expected an object, got a list'],
    [{ query: 'x', qurey: 'y' }, 'unknown parameter `qurey`; did you mean `query`?'],
    ['text', 'expected an object of parameters, got a string'],
    [null, 'expected an object of parameters, got null'],
  ])('refuses %j', (raw, message) => {
    expect(() => readInput(fields, raw, 'person')).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message }),
    )
  })

  it('takes what is for people from people alone, and gives an agent its default', () => {
    const raw = { query: 'x', consent: true, form: 'old' }
    expect(readInput(fields, raw, 'person')).toEqual({ ...raw, limit: 10 })
    expect(() => readInput(fields, raw, 'agent')).toThrow(
      expect.objectContaining({
        message: 'unknown parameter `consent`; unknown parameter `form`',
        hint: 'parameters: query, limit, kind, deep, tags, filters',
      }),
    )
    expect(readInput(fields, { query: 'x' }, 'agent')).toEqual({ query: 'x', limit: 10, form: 'new' })
  })

  it('names all problems at once', () => {
    expect(() => readInput(fields, { limit: 0, deep: 1 }, 'person')).toThrow(/query.*limit.*deep/)
  })

  it('throws nothing but INVALID_INPUT, and never reaches a prototype', () => {
    fc.assert(
      fc.property(fc.anything(), raw => {
        try {
          readInput(fields, raw, 'person')
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'INVALID_INPUT' })
        }
      }),
    )
    const hostile = JSON.parse('{"query": "x", "__proto__": {"polluted": "yes"}}')
    expect(() => readInput(fields, hostile, 'person')).toThrow(/unknown parameter `__proto__`/)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
