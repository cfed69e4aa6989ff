// The parameters of an item on one line, for the agent that is about to call it: `path: string, limit?: integer = 10`.
import { cutText, isRecord, type JsonObject, type JsonValue } from '../../base/index.ts'

/** The first that is there counts: `config_schema` is what a call is checked against. */
const SCHEMA_KEYS = ['config_schema', 'input_schema', 'parameters', 'inputs']
const MAX_LINE = 600
const MAX_CHOICES = 6
const MAX_VALUE = 24
const MAX_NAME = 64

/** Empty for an item without parameters. */
export function parametersLine(metadata: JsonObject): string {
  for (const key of SCHEMA_KEYS) {
    const parameters = readParameters(metadata[key])
    if (parameters.length > 0) return joinWithin(parameters, MAX_LINE)
  }
  return ''
}

/** The first parameters that fit, and dots for the others. */
function joinWithin(parameters: readonly string[], most: number): string {
  let line = parameters.join(', ')
  for (let count = parameters.length - 1; line.length > most && count > 0; count--) {
    line = `${parameters.slice(0, count).join(', ')}, …`
  }
  return line.length > most ? '' : line
}

/** A JSON schema, a record of parameters, or the list of a directive's inputs. */
function readParameters(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) {
    return value.flatMap(input => {
      if (!isRecord(input) || typeof input.name !== 'string') return []
      return printParameter(input.name, input, isTrue(input.required))
    })
  }
  if (!isRecord(value)) return []
  const isSchema = isRecord(value.properties)
  const properties = isRecord(value.properties) ? value.properties : value.type === undefined ? value : {}
  const required = Array.isArray(value.required) ? value.required : []
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isRecord(property)) return []
    return printParameter(name, property, isSchema ? required.includes(name) : isTrue(property.required))
  })
}

/** XML has texts only. */
function isTrue(value: JsonValue | undefined): boolean {
  return value === true || value === 'true'
}

function printParameter(name: string, parameter: JsonObject, isRequired: boolean): string {
  const fallback = JSON.stringify(parameter.default)
  const ending = fallback === undefined || fallback.length > MAX_VALUE ? '' : ` = ${fallback}`
  return `${cutText(name, MAX_NAME)}${isRequired ? '' : '?'}: ${printType(parameter)}${ending}`
}

function printType({ type, enum: choices, const: only, items }: JsonObject): string {
  if (Array.isArray(choices) && choices.length > 0) {
    const more = choices.length > MAX_CHOICES ? ['…'] : []
    return [...choices.slice(0, MAX_CHOICES).map(printValue), ...more].join('|')
  }
  if (only !== undefined) return printValue(only)
  if (type === 'array') {
    const inner = isRecord(items) && typeof items.type === 'string' ? items.type : 'any'
    return `${cutText(inner, MAX_VALUE)}[]`
  }
  const types = (Array.isArray(type) ? type : [type]).filter(entry => typeof entry === 'string')
  return cutText(types.join('|'), MAX_NAME) || 'any'
}

function printValue(value: JsonValue): string {
  return cutText(JSON.stringify(value), MAX_VALUE)
}
