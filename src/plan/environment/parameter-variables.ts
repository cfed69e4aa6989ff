// Passes parameters as environment variables, for programs that cannot easily read JSON: `file_path` becomes
// `PARAM_FILE_PATH`. A value is passed unchanged and never expanded. One that a variable cannot hold is left
// out, unless the tool names that variable: it would then run without the value, so the call is refused.
import { AppError, type JsonObject } from '../../base/index.ts'
import { printValue } from '../configuration/template.ts'
import type { VerifiedTool } from '../types.ts'
import { isVariableName } from './variable-policy.ts'

/** Linux allows 128 KiB for one variable, and a few megabytes for all of them together with the arguments. */
const MAX_BYTES = 96 * 1024
const MAX_TOTAL_BYTES = 512 * 1024

/** Variable → value. Throws `PARAMETERS_INVALID` if the tool names a variable that cannot be set. */
export function parameterVariables(
  prefix: string,
  parameters: JsonObject,
  tool: Pick<VerifiedTool, 'id' | 'bytes'>,
): ReadonlyMap<string, string> {
  const named = lazyText(tool.bytes)
  const variables = new Map<string, string>()
  const owners = new Map<string, string>()
  let total = 0
  for (const [name, value] of Object.entries(parameters)) {
    const variable = variableOf(prefix, name)
    if (variable === undefined) continue
    const text = printValue(value)
    const bytes = Buffer.byteLength(text)
    const other = owners.get(variable)
    owners.set(variable, name)
    const problem =
      problemWith(text, bytes, total) ?? (other === undefined ? undefined : `so is \`${other}\``)
    if (problem === undefined) {
      variables.set(variable, text)
      total += bytes
      continue
    }
    // When two parameters map to one variable, neither is set: the tool could not tell which one it got.
    total -= Buffer.byteLength(variables.get(variable) ?? '')
    variables.delete(variable)
    if (named().includes(variable)) throw unusable(name, variable, problem)
  }
  return variables
}

/** Upper case, with `_` for every character that a variable cannot have. */
function variableOf(prefix: string, name: string): string | undefined {
  const variable = prefix + name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_')
  return isVariableName(variable) ? variable : undefined
}

function problemWith(text: string, bytes: number, total: number): string | undefined {
  if (text.includes('\0')) return 'it contains a NUL character'
  if (bytes > MAX_BYTES) return `it has ${bytes} bytes, and a variable at most ${MAX_BYTES}`
  return total + bytes > MAX_TOTAL_BYTES
    ? `all variables together have at most ${MAX_TOTAL_BYTES} bytes`
    : undefined
}

function lazyText(bytes: Uint8Array): () => string {
  let text: string | undefined
  return () => {
    text ??= Buffer.from(bytes).toString('latin1')
    return text
  }
}

function unusable(name: string, variable: string, problem: string): AppError {
  return new AppError('PARAMETERS_INVALID', `/${name}: cannot be passed as \`$${variable}\`: ${problem}`, {
    hint: 'all parameters are also on standard input, as JSON: let the tool read it there',
  })
}
