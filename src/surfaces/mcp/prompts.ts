// Directives as prompts, so that clients show them as commands: every signed directive of the project, the
// user and the package, with its inputs as arguments. A prompt is named by the id of its directive, and
// answers with the same directions as `execute`.
import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { AppError, printHint } from '../../base/index.ts'
import type { Library, Workspace } from '../../workspace/index.ts'
import { LIST_PARAMS, PROMPT_PARAMS } from './params-schema.ts'

export interface PromptsSettings {
  readonly library: () => Promise<Library>
  /**
   * The project whose directives are served. Without it there are no prompts, since a prompt cannot name its
   * project.
   */
  readonly defaultProject: string | undefined
  readonly onError: (error: unknown) => void
}

/** Declares the capability and answers its methods. Call it before the server connects. */
export function servePrompts(server: Server, settings: PromptsSettings): void {
  const { defaultProject } = settings
  if (defaultProject === undefined) return
  const answer = async <T>(
    context: ServerContext,
    work: (catalogue: typeof import('./prompt-catalogue.ts'), workspace: Workspace) => Promise<T>,
  ): Promise<T> => {
    try {
      const [catalogue, library] = await Promise.all([import('./prompt-catalogue.ts'), settings.library()])
      return await work(catalogue, await library.open(defaultProject))
    } catch (thrown) {
      if (thrown instanceof AppError) {
        const hint = thrown.hint === undefined ? '' : `; ${printHint(thrown.hint, 'agent')}`
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, thrown.message + hint)
      }
      // Nobody reads the answer of a cancelled call, so what it throws is not an error.
      if (!context.mcpReq.signal.aborted) settings.onError(thrown)
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'internal error: see the log of the server')
    }
  }

  server.registerCapabilities({ prompts: {} })
  server.setRequestHandler('prompts/list', { params: LIST_PARAMS }, ({ cursor }, context) =>
    answer(context, (catalogue, workspace) => catalogue.listPrompts(workspace, cursor)),
  )
  server.setRequestHandler('prompts/get', { params: PROMPT_PARAMS }, (params, context) =>
    answer(context, (catalogue, workspace) =>
      catalogue.getPrompt(workspace, params.name, params.arguments ?? {}),
    ),
  )
}
