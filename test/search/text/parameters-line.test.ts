import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/index.ts'
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
    { name: 'loud', type: 'bool', default: 'false' },
    { name: 'mode', type: 'string', default: '7' },
    { name: 'note', default: '7' },
    { name: 'list', type: 'array', default: 'a,b' },
  ]
  expect(parametersLine({ inputs })).toBe(
    'target: string, times?: integer = 3, loud?: bool = false, mode?: string = "7", note?: any = "7", list?: any[] = "a,b"',
  )
})

it('prints what a call must have first, each in the order of the schema', () => {
  const properties = { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' }, d: {} }
  const config_schema = { type: 'object', properties, required: ['d', 'b'] }
  expect(parametersLine({ config_schema })).toBe('b: string, d: any, a?: string, c?: string')
})

it.each([
  [{ anyOf: [{ type: 'string' }, { type: 'null' }], default: null }, 'x?: string|null = null'],
  [{ oneOf: [{ type: 'integer' }, { enum: ['auto'] }] }, 'x?: integer|"auto"'],
  [{ type: 'string', nullable: true }, 'x?: string|null'],
  [{ type: ['array', 'null'], items: { type: 'integer' } }, 'x?: integer[]|null'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, 'x?: ("a"|"b")[]'],
  [{ type: 'array', items: { type: 'array', items: { type: 'number' } } }, 'x?: number[][]'],
  [{ anyOf: [{ type: 'array', items: {} }, { $ref: '#/$defs/a' }] }, 'x?: any[]|any'],
  [{ type: 'object', properties: { y: { type: 'string' } } }, 'x?: object'],
])('%j is %s', (x, line) => {
  expect(parametersLine({ config_schema: { type: 'object', properties: { x } } })).toBe(line)
})

it('does not follow a schema without end', () => {
  let x: JsonObject = { type: 'string' }
  for (let depth = 0; depth < 50; depth++) x = { anyOf: [{ type: 'array', items: x }, { type: 'null' }] }
  expect(parametersLine({ config_schema: { type: 'object', properties: { x } } })).toBe(
    'x?: (any[]|null)[]|null',
  )
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
