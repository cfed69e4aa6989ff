// One factory for every client and every transport: the tools of a profile, each an action with its schema.
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server'
import { config } from 'zod/v4/core'
import {
  type Action,
  type ActionContext,
  describeFailure,
  findAction,
  inputSchema,
  type Progress,
  readInput,
  runAction,
} from '../../actions/index.ts'
import { AppError, cutText, isDeeperThan, quoteText } from '../../base/index.ts'
import type { Grant } from '../../user/access/index.ts'
import type { Library } from '../../workspace/index.ts'
import { clientName } from './client-name.ts'
import { LIST_PARAMS } from './params-schema.ts'
import { QuestionOpen, reachPerson } from './person.ts'
import { hintOfProfile, PROFILES, type Profile } from './profiles.ts'
import { servePrompts } from './prompts.ts'
import { serveSkills } from './skills.ts'
import type { CallFacts } from './telemetry/call-facts.ts'
import { toolResult } from './tool-result.ts'

export interface ServerSettings {
  /**
   * Called by the first call that needs the library: a client that only lists the tools does not wait for it.
   */
  readonly library: (grant: Grant | undefined) => Promise<Library>
  readonly version: string
  readonly profile: Profile
  /** The project of calls that name none. Undefined over HTTP, where every call must name its project. */
  readonly defaultProject: string | undefined
  /** Called with a bug of ours; the caller only learns that there was one. */
  readonly onError: (error: unknown) => void
  /** Called after each tool call. */
  readonly onCall?: ((call: CallFacts) => void) | undefined
}

/** What is known about the caller that a server is made for. */
export interface Served {
  /** What the caller may do, on a server that several users share. */
  readonly grant?: Grant | undefined
  readonly traceparent?: string | undefined
}

// The SDK checks messages with zod, which would compile a checker for each of its schemas. Messages are few
// and small: the compilation takes longer than it saves.
config({ jitless: true })

/** Deeper input has no honest use, and code that walks it would overflow the stack. */
const DEEPEST_INPUT = 100

/**
 * Loads the definitions of a profile once, and returns the factory that is called for every connection or
 * request.
 */
export async function createServerFactory(settings: ServerSettings): Promise<(served?: Served) => Server> {
  const names: readonly string[] = PROFILES[settings.profile]
  const actions = await Promise.all(names.map(name => findAction(name)!.load()))
  const tools = actions.map(action => describeTool(action, settings.defaultProject !== undefined))
  return (served = {}) => {
    const library = () => settings.library(served.grant)
    const server = new Server(
      { name: 'rye', version: settings.version },
      {
        capabilities: { tools: {} },
        instructions: instructionsFor(names),
        // Never used: even a person's answers are read in `person.ts`. The default would load a whole
        // library.
        jsonSchemaValidator: NO_VALIDATOR,
        cacheHints: { 'tools/list': { ttlMs: 3_600_000, cacheScope: 'public' } },
      },
    )
    server.setRequestHandler('tools/list', { params: LIST_PARAMS }, () => ({ tools }))
    server.setRequestHandler('tools/call', async (request, context) => {
      const action = actions.find(candidate => candidate.name === request.params.name)
      if (!action) throw unknownTool(request.params.name, names)
      const confirm = reachPerson(server, context)
      const raw = request.params.arguments ?? {}
      const finish = watchCall(settings, served, { tool: action.name, raw, context })
      try {
        const client = clientName(server, context)
        const known = { context, confirm, client, library }
        const { failed, answer } = await callAction(action, raw, settings, known)
        finish(failed && 'code' in answer ? String(answer.code) : 'success')
        return toolResult(hintOfProfile(answer, names), failed)
      } catch (thrown) {
        finish(thrown instanceof QuestionOpen ? 'question' : 'internal')
        if (thrown instanceof QuestionOpen) return thrown.request
        throw thrown
      }
    })
    serveSkills(server, { ...settings, library })
    servePrompts(server, { ...settings, library })
    return server
  }
}

const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error('unreachable: answers of a person are read in person.ts')
  },
}

function instructionsFor(names: readonly string[]): string {
  const [find, read] = names.includes('search')
    ? ['`search`', '`load`']
    : ['`fetch` with query and scope', '`fetch`']
  return [
    'A library of signed directives (workflows), tools, knowledge and skills.',
    `Before you write something new, ${find}; then \`execute\` what fits, or ${read} it.`,
    '`sign` what you create or edit.',
  ].join(' ')
}

function describeTool(action: Action, projectKnown: boolean) {
  return {
    name: action.name,
    description: action.description,
    // Our schemas are objects by construction; the SDK's type wants the literal.
    inputSchema: inputSchema(action, { projectKnown }) as { type: 'object' },
    annotations: {
      readOnlyHint: action.effects.readOnly,
      destructiveHint: action.effects.destructive,
      openWorldHint: action.effects.openWorld,
    },
  }
}

/** The returned function reports the call; it is called when the call has ended. */
function watchCall(
  { onCall }: ServerSettings,
  { grant, traceparent }: Served,
  { tool, raw, context }: { tool: string; raw: Record<string, unknown>; context: ServerContext },
): (outcome: string) => void {
  if (!onCall) return () => {}
  const startedAt = Date.now()
  const started = performance.now()
  const { _meta: meta, signal } = context.mcpReq
  const project = typeof raw.project_path === 'string' ? cutText(raw.project_path, 200) : undefined
  // Requests carry it themselves since 2026-07-28; the header exists in older revisions too.
  const inside = typeof meta?.traceparent === 'string' ? meta.traceparent : undefined
  return outcome =>
    onCall({
      tool,
      project,
      user: grant?.user,
      outcome: signal.aborted ? 'cancelled' : outcome,
      startedAt,
      durationMs: performance.now() - started,
      traceparent: inside ?? traceparent,
    })
}

interface KnownOfCall extends Pick<ActionContext, 'confirm' | 'client'> {
  readonly context: ServerContext
  readonly library: () => Promise<Library>
}

async function callAction(
  action: Action,
  raw: Record<string, unknown>,
  settings: ServerSettings,
  { context, library, ...known }: KnownOfCall,
): Promise<{ failed: boolean; answer: object }> {
  const { signal } = context.mcpReq
  try {
    return await runAction({
      action,
      read: () => readInput(action.fields, withProject(raw, settings.defaultProject), 'agent'),
      context: {
        library: await library(),
        caller: 'agent',
        signal,
        onNote: () => {},
        onProgress: progressReporter(context),
        ...known,
      },
    })
  } catch (thrown) {
    if (thrown instanceof QuestionOpen) throw thrown
    // The library cannot be opened: the user space is not where it should be.
    if (thrown instanceof AppError) return { failed: true, answer: describeFailure(thrown, 'agent') }
    // Nobody reads the answer of a cancelled call, so what it throws is not an error.
    if (!signal.aborted) settings.onError(thrown)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'internal error: see the log of the server')
  }
}

/**
 * Notifies a client that asked for progress. Each number is larger than the one before, as the protocol
 * requires.
 */
function progressReporter(context: ServerContext): (progress: Progress) => void {
  const progressToken = context.mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => {}
  let last = 0
  return ({ message, done, total }) => {
    if (done <= last && total !== undefined) return
    last = done > last ? done : last + 1
    const params = { progressToken, progress: last, message, ...(total !== undefined && { total }) }
    // A client that has gone away is no reason to stop the work; cancellation comes through the signal.
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}

function withProject(raw: Record<string, unknown>, project: string | undefined): Record<string, unknown> {
  if (isDeeperThan(raw, DEEPEST_INPUT)) {
    throw new AppError(
      'INVALID_INPUT',
      `expected at most ${DEEPEST_INPUT} levels of nesting in the arguments`,
    )
  }
  return raw.project_path === undefined && project !== undefined ? { ...raw, project_path: project } : raw
}

function unknownTool(name: string, names: readonly string[]): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `unknown tool ${quoteText(name)}: expected one of ${names.join(', ')}; items of the library are not tools of their own, run them with \`execute\``,
  )
}
