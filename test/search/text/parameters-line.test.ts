import { expect, it } from 'vitest'
import { parametersLine } from '../../../src/search/text/parameters-line.ts'

it('prints a schema as a call needs it', () => {
  const config_schema = {
    type: 'object',
    required: ['file_path'],
    properties: {
      file_path: { type: 'string', description: 'which' },
      offset: { type: 'integer', default: 0 },
      mode: { enum: ['text', 'json'] },
      tags: { type: 'array', items: { type: 'string' } },
      size: { type: ['integer', 'null'] },
      any: {},
    },
  }
  expect(parametersLine({ config_schema, parameters: { other: { type: 'string' } } })).toBe(
    'file_path: string, offset?: integer = 0, mode?: "text"|"json", tags?: string[], size?: integer|null, any?: any',
  )
})

it('prints the inputs of a directive', () => {
  const inputs = [
    { name: 'target', type: 'string', required: true },
    { name: 'times', type: 'integer', required: 'false', default: '3' },
    { type: 'string' },
  ]
  expect(parametersLine({ inputs })).toBe('target: string, times?: integer = "3"')
})

it.each([
  {},
  { config_schema: null },
  { inputs: 'x' },
  { config_schema: { type: 'object', properties: {} } },
])('is empty without parameters: %j', metadata => {
  expect(parametersLine(metadata)).toBe('')
})

it('is bounded, and ends after a parameter', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [
      `${'n'.repeat(at)}`,
      { type: 'string', default: 'd'.repeat(at) },
    ]),
  )
  const line = parametersLine({ config_schema: { type: 'object', properties } })
  expect(line.length).toBeLessThanOrEqual(600)
  expect(line).toMatch(/string(?: = "d+")?, …$/)
})
