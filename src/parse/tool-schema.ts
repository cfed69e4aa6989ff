// Gives the parameters of a data tool one name, `config_schema`, as Python and JavaScript tools call it.
import { isRecord, type JsonValue, TYPE_WORDS } from '../base/index.ts'
import { createMetadata, type OnProblem } from './metadata.ts'
import type { Metadata } from './types.ts'

/** Sets a missing `config_schema` from `parameters` (a list or an object schema) or `input_schema`. */
export function addConfigSchema(metadata: Metadata, onProblem: OnProblem): void {
  const { config_schema, parameters, input_schema } = metadata
  if (config_schema !== undefined && config_schema !== null) return
  if (Array.isArray(parameters)) metadata.config_schema = schemaOf(parameters, onProblem)
  else if (isRecord(parameters) && parameters.type === 'object') metadata.config_schema = parameters
  else if (input_schema !== undefined && input_schema !== null) metadata.config_schema = input_schema
}

function schemaOf(parameters: readonly JsonValue[], onProblem: OnProblem): Metadata {
  const properties = createMetadata()
  const required: string[] = []
  parameters.forEach((parameter, index) => {
    const at = `\`parameters[${index}]\``
    if (!isRecord(parameter) || typeof parameter.name !== 'string') {
      onProblem('error', 'parameter-malformed', `expected ${at} to be a mapping with a \`name\``)
      return
    }
    const property = createMetadata()
    for (const [key, value] of Object.entries(parameter)) {
      // A record inside metadata holds JSON values.
      if (key !== 'name' && key !== 'required') property[key] = value as JsonValue
    }
    const { type } = property
    if (typeof type === 'string') {
      const known = type === 'null' ? type : TYPE_WORDS.get(type)
      if (known !== undefined) property.type = known
      else {
        delete property.type
        onProblem(
          'warning',
          'parameter-type',
          `expected the type of ${at} to be one of JSON Schema, got \`${type}\``,
        )
      }
    }
    properties[parameter.name] = property
    if (parameter.required === true) required.push(parameter.name)
  })
  return Object.assign(
    createMetadata(),
    { type: 'object', properties },
    required.length > 0 ? { required } : {},
  )
}
