// The JSON Schema of an action's input. A model reads it before every task, so it holds only what a call
// needs. Bounds are left out, because a refusal names them; so are obvious defaults: the first of the values,
// false, 0, an empty object.
import type { JsonObject, JsonValue } from '../../base/index.ts'
import type { Action } from './action.ts'
import { type FieldSpec, listedFields } from './field-spec.ts'

export interface SchemaOptions {
  /** The surface fills in the project when a call names none. */
  readonly projectKnown: boolean
}

export function inputSchema(action: Action, options: SchemaOptions): JsonObject {
  const properties: JsonObject = {}
  const required: JsonValue[] = []
  for (const [name, field] of Object.entries(listedFields(action.fields))) {
    properties[name] = propertySchema(field)
    if (field.required && !(field.filled && options.projectKnown)) required.push(name)
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

function propertySchema(field: FieldSpec): JsonObject {
  const said = field.listed ?? field.about
  return {
    ...typeSchema(field),
    ...(said !== '' && { description: said }),
    ...(field.values && { enum: [...field.values] }),
    ...(field.default !== undefined && !isPlain(field) && { default: field.default }),
  }
}

function isPlain({ default: value, values }: FieldSpec): boolean {
  if (values) return value === values[0]
  return value === false || value === 0 || JSON.stringify(value) === '{}'
}

function typeSchema(field: FieldSpec): JsonObject {
  if (field.type === 'any') return {}
  if (field.type === 'strings') return { type: 'array', items: { type: 'string' } }
  return { type: field.type }
}
