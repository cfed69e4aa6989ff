// Which directives are offered as prompts, and what each says. Read when a client asks, not at the start.
import { AppError, flattenText, isRecord, type JsonObject } from '../../base/index.ts'
import { parseRef } from '../../item/index.ts'
import { convertParameter, fillDirections, inputSchema } from '../../plan/index.ts'
import type { OpenedItem, Workspace } from '../../workspace/index.ts'

const PAGE = 100

export interface Prompt {
  readonly name: string
  readonly description?: string
  readonly arguments?: PromptArgument[]
}

interface PromptArgument {
  readonly name: string
  readonly description?: string
  readonly required: boolean
}

/**
 * Leaves out directives that are not verified, or shadowed, as `execute` does. The cursor is the last id of
 * the page before.
 */
export async function listPrompts(
  workspace: Workspace,
  cursor: string | undefined,
): Promise<{ prompts: Prompt[]; nextCursor?: string }> {
  const ids = workspace
    .list(['directive'])
    .items.filter(({ shadowedBy }) => !shadowedBy)
    .map(({ entry }) => entry.id)
    .sort()
  const rest = cursor === undefined ? ids : ids.filter(id => id > cursor)
  const page = rest.slice(0, PAGE)
  const prompts: Prompt[] = []
  for (const id of page) {
    const item = await openQuietly(workspace, id)
    if (item) prompts.push(await describePrompt(item))
  }
  return { prompts, ...(rest.length > PAGE && { nextCursor: page.at(-1)! }) }
}

export async function getPrompt(workspace: Workspace, name: string, given: Readonly<Record<string, string>>) {
  const item = await workspace.open({ ...parseRef(name), type: 'directive' })
  const { metadata, body } = await item.parse()
  const warnings = await workspace.memory.finish()
  const schema = inputSchema(metadata)
  // Prompt arguments are text; inputs may be numbers and other types.
  const inputs = Object.entries(given).map(([key, text]) => [key, convertParameter(schema, key, text)])
  const { your_directions } = fillDirections(metadata, body, Object.fromEntries(inputs))
  return {
    // A prompt has no other place for warnings.
    ...describe(
      [...warnings.map(text => `warning: ${text}`), metadata.description].filter(Boolean).join('; '),
    ),
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: your_directions } }],
  }
}

async function openQuietly(workspace: Workspace, id: string): Promise<OpenedItem | undefined> {
  try {
    return await workspace.permit(workspace.read(workspace.find({ id, type: 'directive' })))
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return undefined
  }
}

async function describePrompt(item: OpenedItem): Promise<Prompt> {
  const { metadata } = await item.parse()
  const taken = argumentsOf(metadata)
  return {
    name: item.file.id,
    ...describe(metadata.description),
    ...(taken.length > 0 && { arguments: taken }),
  }
}

/**
 * If the inputs cannot be read, only the arguments are missing from the list; getting the prompt reports what
 * is wrong.
 */
function argumentsOf(metadata: JsonObject): PromptArgument[] {
  let schema: JsonObject
  try {
    schema = inputSchema(metadata)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return []
  }
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(isRecord(schema.properties) ? schema.properties : {}).map(([name, property]) => ({
    name,
    ...describe(isRecord(property) ? property.description : undefined),
    required: required.includes(name),
  }))
}

function describe(text: unknown): { description?: string } {
  return typeof text === 'string' && text !== '' ? { description: flattenText(text) } : {}
}
