// Which items can be run, and why others cannot.
import type { ShowAnswer } from 'ryekit'
import { isHelper } from '../review/compare-needs.ts'

/** Types of tools that are parts of others; the server refuses to run these. */
const PARTS: ReadonlySet<unknown> = new Set(['runtime', 'primitive', 'extractor', 'parser'])

type Item = Pick<ShowAnswer, 'item_type' | 'item_id' | 'metadata'>

/** The reason, as a sentence. Undefined when the item can be run. */
export function whyNotRun({ item_type, item_id, metadata }: Item): string | undefined {
  if (item_type === 'directive') return undefined
  if (item_type !== 'tool') return 'It is read, and not run.'
  if (isHelper(item_id)) return 'Tools beside it import it: it is not run by itself.'
  if (metadata.tool_type === 'mcp_server') return 'It describes a server: run its tools instead.'
  if (PARTS.has(metadata.tool_type)) return 'Other tools run with it: it is not run by itself.'
  return metadata.executor_id
    ? undefined
    : 'It names nothing that runs it: it is for tools beside it to import.'
}
