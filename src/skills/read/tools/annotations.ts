// MCP safety annotations of a tool: what the decorator declares, else what the function's name suggests. A declaration
// overrides the name across fields too: a tool declared destructive is not read-only because it is called `get_...`.
import { nameWords } from '../name-words.ts'
import type { ToolAnnotations } from '../records.ts'

export type DeclaredAnnotations = { readonly [K in keyof ToolAnnotations]: boolean | null }

const READING = new Set(
  'get fetch read query list show display view check validate exists find search lookup describe'.split(' '),
)
const CHANGING = new Set(
  'delete remove destroy drop truncate clear reset overwrite write create add insert update modify edit save commit push deploy'.split(
    ' ',
  ),
)
const OPEN = new Set('fetch http https request requests api apis url urls web network'.split(' '))

export function inferAnnotations(functionName: string, declared: DeclaredAnnotations): ToolAnnotations {
  const words = nameWords(functionName)
  const first = words[0] ?? ''
  const readOnly = declared.read_only ?? (declared.destructive !== true && READING.has(first))
  const destructive = declared.destructive ?? (declared.read_only !== true && CHANGING.has(first))
  return {
    read_only: readOnly,
    destructive,
    idempotent: declared.idempotent ?? (readOnly && !destructive),
    open_world: declared.open_world ?? words.some(word => OPEN.has(word)),
  }
}
