import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../src/base/app-error.ts'
import type { JsonObject } from '../../../src/base/json.ts'
import { parameterVariables } from '../../../src/plan/environment/parameter-variables.ts'

const variables = (parameters: JsonObject, text = '') =>
  Object.fromEntries(parameterVariables('PARAM_', parameters, { id: 'my/tool', bytes: Buffer.from(text) }))

describe('parameters as variables', () => {
  it('are named in upper case; text is passed as it is, anything else as JSON', () => {
    expect(
      variables({ file_path: 'a b', 'dry-run': true, limit: 5, tags: ['a'], none: null, été: 'x' }),
    ).toEqual({
      PARAM_FILE_PATH: 'a b',
      PARAM_DRY_RUN: 'true',
      PARAM_LIMIT: '5',
      PARAM_TAGS: '["a"]',
      PARAM_NONE: 'null',
      PARAM__T_: 'x',
    })
  })

  it('are never expanded', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter(text => !text.includes('\0')),
        text => {
          expect(variables({ text })).toEqual({ PARAM_TEXT: text })
        },
      ),
    )
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what is tested
    expect(variables({ a: '${HOME} $(id) {b}', b: 'x' })).toMatchObject({ PARAM_A: '${HOME} $(id) {b}' })
  })

  it.each([
    ['a NUL character', { a: 'x\0y' }],
    ['more than a variable holds', { a: 'x'.repeat(100_000) }],
    ['another of the same variable', { A: '1', a: '2' }],
  ])('with %s are left out, and refused if the tool reads them', (_, parameters) => {
    expect(variables(parameters)).toEqual({})
    expect(() => variables(parameters, 'echo "$PARAM_A"')).toThrow(AppError)
  })

  it('together stay within what a process may have', () => {
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`p${index}`, 'x'.repeat(90_000)]),
    )
    const bytes = Object.values(variables(many)).reduce((sum, text) => sum + text.length, 0)
    expect(bytes).toBe(5 * 90_000)
  })
  it('of the same variable, which are left out, take no room from others', () => {
    const long = 'x'.repeat(90_000)
    const others = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`p${index}`, long]))
    expect(Object.keys(variables({ A: long, a: long, ...others }))).toHaveLength(5)
  })
})
