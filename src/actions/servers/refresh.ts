// `mcp refresh`: compares the items of a server with what it offers now. It connects only as the signed item
// says: an item that was changed since is refused. Items that are the same keep their signatures.
import { diffLines, shortenText } from '../../base/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { finishUse } from '../definition/finish-use.ts'
import { askForTools, openServer } from './ask.ts'
import { checkServerName, projectPath, seconds, serverName } from './fields.ts'
import { ItemFiles } from './item-files.ts'
import { compareItem, printTools, serverId } from './server-items.ts'

const REFRESH_FIELDS = {
  name: { ...serverName, required: true },
  apply: { type: 'boolean', about: 'false shows what changed and writes nothing', default: true },
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

export type McpRefreshInput = CallInput<typeof REFRESH_FIELDS>

export interface McpRefreshAnswer {
  readonly server: string
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly { readonly id: string; readonly diff: readonly string[] }[]
  readonly unchanged: number
  readonly applied: boolean
  /** Items to read and sign. */
  readonly sign: readonly string[]
  readonly warning?: string
}

export const mcpRefresh = defineAction({
  name: 'mcp refresh',
  description: 'Compare the items of an MCP server with what it offers now, and write what changed.',
  effects: { readOnly: false, destructive: true, openWorld: true },
  fields: REFRESH_FIELDS,
  run: async (context, input): Promise<McpRefreshAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const name = checkServerName(input.name)
    const asked = await openServer(workspace, serverId(name))
    const { transport, tools } = await askForTools(context, workspace, asked, input.timeout)
    const files = new ItemFiles(workspace.projectPath)
    const items = printTools(name, transport, tools)
    const present = new Set(files.ids(`mcp/${name}`))
    const added = [...items.keys()].filter(id => !present.has(id)).sort()
    const removed = [...present].filter(id => !items.has(id)).sort()
    const changed = [...items].sort().flatMap(([id, text]) => {
      const change = present.has(id) ? compareItem(files.read(id), text) : undefined
      return change === undefined ? [] : [{ id, ...change }]
    })
    if (input.apply) {
      for (const id of added) files.write(id, items.get(id)!)
      for (const { id, text } of changed) files.write(id, text)
      for (const id of removed) files.remove(id)
    }
    return {
      server: serverId(name),
      added,
      removed,
      changed: changed.map(({ id, before, text }) => ({ id, diff: shortDiff(before, text) })),
      unchanged: items.size - added.length - changed.length,
      applied: input.apply,
      sign: input.apply ? [...added, ...changed.map(({ id }) => id)].sort() : [],
      ...(await finishUse(workspace)),
    }
  },
})

const MOST_LINES = 60
const MOST_LENGTH = 300

/** Cut to size: texts from a server can have any length. */
function shortDiff(before: string, after: string): string[] {
  const lines = diffLines(before, after).map(line => shortenText(line, MOST_LENGTH))
  if (lines.length <= MOST_LINES) return lines
  return [...lines.slice(0, MOST_LINES), `... ${lines.length - MOST_LINES} more lines`]
}
