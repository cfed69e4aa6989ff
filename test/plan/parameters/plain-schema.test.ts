// A schema that is judged plain is one that the meta-schema accepts, in both drafts.
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPlainSchema } from '../../../src/plan/parameters/plain-schema.ts'

const options = { strict: false, validateFormats: false, logger: false } as const
const DRAFTS = [new Ajv(options), new Ajv2020(options)]

const KEYWORDS = [
  ...[
    'type',
    'enum',
    'const',
    'default',
    'examples',
    'title',
    'description',
    'format',
    'pattern',
    'minLength',
  ],
  ...['maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems', 'required', 'properties'],
  ...['additionalProperties', 'items', 'not', 'anyOf', 'oneOf', 'allOf', '$ref', 'if', 'prefixItems', 'x'],
]

const { schema } = fc.letrec<{ schema: unknown; value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('string', 'integer', 'nonsense', '', 0, 1, -1, 1.5, true, false, null),
    fc.array(fc.constantFrom<unknown>('a', 'b', 'string', 'null', 1, null), { maxLength: 3 }),
    tie('schema'),
    fc.array(tie('schema'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
  ),
  schema: fc.dictionary(fc.constantFrom(...KEYWORDS), tie('value'), { maxKeys: 3 }),
}))

describe('a plain schema', () => {
  it('is accepted by the schema of schemas', () => {
    let plain = 0
    fc.assert(
      fc.property(schema, candidate => {
        if (!isPlainSchema(candidate)) return
        plain += 1
        // Without prototypes of its own making, as it comes from JSON.
        const read = JSON.parse(JSON.stringify(candidate))
        for (const ajv of DRAFTS) expect([candidate, ajv.validateSchema(read)]).toEqual([candidate, true])
      }),
      { numRuns: 3000 },
    )
    expect(plain).toBeGreaterThan(100)
  })

  it.each([
    [
      { type: 'object', properties: { a: { type: ['string', 'null'], minLength: 1 } }, required: ['a'] },
      true,
    ],
    [{ type: 'object', additionalProperties: { anyOf: [{ const: 1 }, true] } }, true],
    [{}, true],
    [{ type: 'strng' }, false],
    [{ required: 'a' }, false],
    [{ required: ['a', 'a'] }, false],
    [{ properties: { a: 1 } }, false],
    [{ properties: { a: { minLength: -1 } } }, false],
    [{ items: [{}] }, false],
    [{ anyOf: [] }, false],
    [{ $ref: '#/x' }, false],
    [{ patternProperties: {} }, false],
    [{ toString: 1 }, false],
    [[], false],
    [null, false],
  ])('%j: %s', (candidate, expected) => {
    expect(isPlainSchema(candidate)).toBe(expected)
  })
})
