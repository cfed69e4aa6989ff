// Checks parameters against a schema, for the tests of this folder.
import { expect } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/base/json.ts'
import { ParameterSchemas, type PatternMatcher } from '../../../src/plan/parameters/parameters.ts'
import { failureOf } from '../world.ts'

const schemas = new ParameterSchemas()
const never: PatternMatcher = async () => {
  throw new Error('no pattern was expected')
}

export function validate(
  schema: JsonValue | undefined,
  parameters: JsonObject,
  matcher = never,
): Promise<JsonObject> {
  return schemas.validate('my/tool', schema, parameters, matcher)
}

export async function faultsOf(
  schema: JsonValue,
  parameters: JsonObject,
  matcher = never,
): Promise<string[]> {
  const failure = await failureOf(validate(schema, parameters, matcher))
  expect(failure.code).toBe('PARAMETERS_INVALID')
  const { errors } = (failure as unknown as { details: { errors: { path: string; message: string }[] } })
    .details
  return errors.map(error => `${error.path}: ${error.message}`)
}
