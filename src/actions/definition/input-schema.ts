// The JSON Schema of an action's input, as an MCP client sees it.
import type { JsonObject, JsonValue } from '../../base/index.ts'
import type { Action } from './action.ts'
import type { FieldSpec } from './field-spec.ts'

export interface SchemaOptions {
  /** The surface fills in the project of a call that names none. */
  readonly projectKnown: boolean
}

export function inputSchema(action: Action, options: SchemaOptions): JsonObject {
  const properties: JsonObject = {}
  const required: JsonValue[] = []
  for (const [name, field] of Object.entries(action.fields)) {
    if (field.surface === 'cli') continue
    properties[name] = propertySchema(field)
    if (field.required && !(field.filled && options.projectKnown)) required.push(name)
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

function propertySchema(field: FieldSpec): JsonObject {
  return {
    ...typeSchema(field),
    ...(field.about !== '' && { description: field.about }),
    ...(field.values && { enum: [...field.values] }),
    ...(field.minimum !== undefined && { minimum: field.minimum }),
    ...(field.maximum !== undefined && { maximum: field.maximum }),
    ...(field.default !== undefined && { default: field.default }),
  }
}

function typeSchema(field: FieldSpec): JsonObject {
  if (field.type === 'any') return {}
  if (field.type === 'strings') return { type: 'array', items: { type: 'string' } }
  return { type: field.type }
}
