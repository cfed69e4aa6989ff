// One factory for every client and every transport: the tools of a profile, each an action with its schema.
// What it lists depends on the profile alone, never on the library, so the agent's context does not grow.
import { Server, type ServerContext } from '@modelcontextprotocol/server'
import { type Action, findAction, inputSchema, readInput, runAction } from '../../actions/index.ts'
import type { Library } from '../../workspace/index.ts'

export const PROFILES = {
  four: ['search', 'load', 'execute', 'sign'],
  three: ['fetch', 'execute', 'sign'],
  all: ['fetch', 'search', 'load', 'execute', 'sign'],
} as const

export type Profile = keyof typeof PROFILES

export interface ServerSettings {
  readonly library: Library
  readonly version: string
  readonly profile: Profile
  /** The project of a call that names none; over HTTP there is none, and a call must name it. */
  readonly defaultProject: string | undefined
}

const INSTRUCTIONS = [
  'rye is a library of directives (workflows to follow), tools (programs to run), knowledge (documents to read) and skills.',
  'Search it before you write something new, and whenever a task might already be solved: a plain question works.',
  'Then `execute` what you found (a directive answers with steps for you to follow), or `load` it to read its source.',
  'Every item is checked against its signature first; after you create or edit one, `sign` it.',
].join(' ')

/** Loads the actions of a profile once, and returns the factory that every connection or request calls. */
export async function createServerFactory(settings: ServerSettings): Promise<() => Server> {
  const actions = await Promise.all(PROFILES[settings.profile].map(name => findAction(name)!.load()))
  const tools = actions.map(action => describeTool(action))
  return () => {
    const server = new Server(
      { name: 'rye', version: settings.version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    )
    server.setRequestHandler('tools/list', () => ({ tools }))
    server.setRequestHandler('tools/call', async (request, context) => {
      const action = actions.find(candidate => candidate.name === request.params.name)
      const answer = action
        ? await callAction(action, request.params.arguments ?? {}, settings, context)
        : { failed: true, answer: unknownTool(request.params.name, settings.profile) }
      return {
        content: [{ type: 'text', text: JSON.stringify(answer.answer) }],
        structuredContent: answer.answer as Record<string, unknown>,
        ...(answer.failed && { isError: true }),
      }
    })
    return server
  }
}

function describeTool(action: Action) {
  return {
    name: action.name,
    description: action.description,
    // Our schemas are objects by construction; the SDK's type wants the literal.
    inputSchema: inputSchema(action) as { type: 'object' },
    annotations: {
      readOnlyHint: action.effects.readOnly,
      destructiveHint: action.effects.destructive,
      openWorldHint: action.effects.openWorld,
    },
  }
}

async function callAction(
  action: Action,
  raw: Record<string, unknown>,
  settings: ServerSettings,
  context: ServerContext,
): Promise<{ failed: boolean; answer: object }> {
  const token = context.mcpReq._meta?.progressToken
  let step = 0
  return runAction({
    action,
    read: () => readInput(action.fields, withProject(raw, settings.defaultProject)),
    context: {
      library: settings.library,
      caller: 'agent',
      signal: context.mcpReq.signal,
      onNote: () => {},
      onProgress(progress) {
        if (token === undefined) return
        step += 1
        const params = {
          progressToken: token,
          progress: step,
          message: progress.message,
          ...(progress.total !== undefined && { progress: progress.done, total: progress.total }),
        }
        // A client that has gone away is no reason to stop the work; cancellation comes by the signal.
        context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
      },
    },
  })
}

function withProject(raw: Record<string, unknown>, project: string | undefined): Record<string, unknown> {
  return raw.project_path === undefined && project !== undefined ? { ...raw, project_path: project } : raw
}

function unknownTool(name: string, profile: Profile): object {
  return {
    status: 'error',
    code: 'INVALID_INPUT',
    error: `unknown tool \`${name}\`: expected one of ${PROFILES[profile].join(', ')}`,
    hint: 'items of the library are not tools of their own: find them with `search`, run them with `execute`',
  }
}
