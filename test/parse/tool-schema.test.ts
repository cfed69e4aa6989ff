// The parameters of a data tool end up under one name, however its file writes them.
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../src/parse/parse-bytes.ts'

const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
const OTHER = { type: 'object', properties: { m: { type: 'string' } } }

describe('the schema of a tool', () => {
  it.each<[string, object, unknown]>([
    ['the list `parameters`', { parameters: [{ name: 'n', type: 'int', required: true }] }, SCHEMA],
    ['`parameters` that are a schema', { parameters: SCHEMA, input_schema: OTHER }, SCHEMA],
    ['`input_schema`', { input_schema: SCHEMA }, SCHEMA],
    ['`config_schema` before all others', { config_schema: SCHEMA, parameters: OTHER }, SCHEMA],
    ['nothing where `parameters` are neither', { parameters: { n: { type: 'integer' } } }, undefined],
    ['`input_schema` where `parameters` are neither', { parameters: 'n', input_schema: OTHER }, OTHER],
  ])('is %s', async (_, document, expected) => {
    const bytes = new TextEncoder().encode(JSON.stringify(document))
    for (const [parser, extension] of [
      ['json/json', '.json'],
      ['yaml/yaml', '.yaml'],
    ] as const)
      expect((await parseBytes(parser, bytes, extension)).metadata.config_schema).toEqual(expected)
  })
})
