// Reads the `CONFIG` of a JavaScript tool, with its diagnostics.
import { parseBytes } from '../../../src/parse/parse-bytes.ts'

export async function readConfig(source: string, extension = '.ts') {
  const { metadata, diagnostics } = await parseBytes(
    'javascript/javascript',
    new TextEncoder().encode(source),
    extension,
  )
  const told = diagnostics.map(
    ({ severity, message, line, column }) => `${line}:${column} ${severity}: ${message}`,
  )
  return { config: metadata.config, told }
}
