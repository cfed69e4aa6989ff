// What an item takes, as a list: the properties of a tool's schema, or the inputs of a directive.
import { isRecord } from '../../../base/index.ts'
import { cell, hangingIndent, records } from './columns.ts'
import type { Renderer } from './renderer.ts'
import { padWidth, textWidth } from './text-width.ts'

interface Parameter {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly about: string
}

export function parameterLines(parameters: unknown, { style, columns }: Parameters<Renderer>[1]): string[] {
  const found = readParameters(parameters)
  const widest = (texts: readonly string[]) => Math.max(...texts.map(textWidth))
  const nameWidth = widest(found.map(({ name }) => name))
  const typeWidth = widest(found.map(({ type }) => type))
  return found.map(({ name, type, isRequired, about }) => {
    const label = `  ${style.bold(padWidth(name, nameWidth))}  ${style.dim(padWidth(type, typeWidth))}  `
    return hangingIndent(
      label,
      `${isRequired ? 'required' : ''}${isRequired && about ? ': ' : ''}${about}`,
      columns,
    ).trimEnd()
  })
}

/** All parameters on one line: `path: string, limit?: integer`. */
export function parameterLine(parameters: unknown): string {
  return readParameters(parameters)
    .map(({ name, type, isRequired }) => `${name}${isRequired ? '' : '?'}${type === '' ? '' : `: ${type}`}`)
    .join(', ')
}

function readParameters(parameters: unknown): Parameter[] {
  if (Array.isArray(parameters)) {
    return records(parameters).map(input => describe(cell(input.name), input, input.required === true))
  }
  const { properties, required } = isRecord(parameters) ? parameters : {}
  const names = Array.isArray(required) ? required : []
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, property]) =>
    describe(cell(name), isRecord(property) ? property : {}, names.includes(name)),
  )
}

function describe(name: string, schema: Readonly<Record<string, unknown>>, isRequired: boolean): Parameter {
  const values = Array.isArray(schema.enum) ? schema.enum.map(cell).join('|') : undefined
  const type = Array.isArray(schema.type) ? schema.type.map(cell).join('|') : cell(schema.type)
  const fallback = schema.default === undefined ? '' : `(default ${cell(JSON.stringify(schema.default))})`
  return {
    name,
    type: values === undefined || values.length > 40 ? type : values,
    isRequired,
    about: [cell(schema.description), fallback].filter(Boolean).join(' '),
  }
}
