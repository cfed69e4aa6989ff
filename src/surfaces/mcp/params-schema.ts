// Parameters that a request may carry, checked by hand in the form the SDK takes (Standard Schema): a schema
// library would be loaded at every start. The SDK's own schemas report a wrong parameter as a fault of the
// server.
import type { StandardSchemaV1 } from '@modelcontextprotocol/server'
import { isRecord } from '../../base/index.ts'

interface ListParams {
  readonly cursor?: string
}

interface UriParams extends ListParams {
  readonly uri: string
}

interface PromptParams {
  readonly name: string
  readonly arguments?: Readonly<Record<string, string>>
}

export const LIST_PARAMS = paramsSchema<ListParams>(['cursor?'])
export const URI_PARAMS = paramsSchema<UriParams>(['uri', 'cursor?'])
export const PROMPT_PARAMS = paramsSchema<PromptParams>(['name'], ['arguments'])

/**
 * Names in `texts` are strings, optional when they end with `?`; names in `tables` are optional objects of
 * strings.
 */
function paramsSchema<Params>(
  texts: readonly string[],
  tables: readonly string[] = [],
): StandardSchemaV1<unknown, Params> {
  const validate = (value: unknown) => {
    // The SDK passes a fresh object, whatever the client sent.
    const params = value as Record<string, unknown>
    const text = texts.find(name => {
      const given = params[name.replace('?', '')]
      return given === undefined ? !name.endsWith('?') : typeof given !== 'string'
    })
    if (text !== undefined)
      return { issues: [{ message: `expected \`${text.replace('?', '')}\` to be a string` }] }
    const table = tables.find(name => params[name] !== undefined && !holdsTexts(params[name]))
    if (table !== undefined)
      return { issues: [{ message: `expected \`${table}\` to be an object of strings` }] }
    // Every member of the type was checked.
    return { value: params as Params }
  }
  return { '~standard': { version: 1, vendor: 'rye', validate } }
}

function holdsTexts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(entry => typeof entry === 'string')
}
