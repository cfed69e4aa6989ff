// MCP's Skills extension (SEP-2640) on a server: its methods, and the resources that they name. Only the
// names are registered at the start; the library, and all code that reads skills, is loaded by the first call
// of one of them.
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { AppError, printHint } from '../../base/index.ts'
import { type Library, requirePermission, type SharedView } from '../../workspace/index.ts'
import { LIST_PARAMS, URI_PARAMS } from './params-schema.ts'

export interface SkillsSettings {
  readonly library: () => Promise<Library>
  /** The project whose skills are served; without it, those of the user and the system. */
  readonly defaultProject: string | undefined
  readonly onError: (error: unknown) => void
}

type Catalogue = typeof import('./skill-catalogue.ts')

/** Files may change at any time, and may be private. Revisions before 2026-07-28 ignore this. */
const NO_CACHE = { ttlMs: 0, cacheScope: 'private' } as const
const TEMPLATE = {
  name: 'skill-file',
  uriTemplate: 'skill://{+path}',
  description: 'A file of a signed skill: the id of the skill, then the path of the file',
}

/** Declares the extension and answers its methods. Call it before the server connects. */
export function serveSkills(server: Server, settings: SkillsSettings): void {
  const answer = async <T>(
    context: ServerContext,
    work: (catalogue: Catalogue, view: SharedView, library: Library) => Promise<T>,
    refuse: (message: string) => ProtocolError,
  ): Promise<T> => {
    try {
      const [catalogue, library] = await Promise.all([import('./skill-catalogue.ts'), settings.library()])
      requirePermission(library, 'load')
      const { defaultProject } = settings
      const view = await (defaultProject === undefined ? library.openShared() : library.open(defaultProject))
      return await work(catalogue, view, library)
    } catch (thrown) {
      if (thrown instanceof AppError) {
        throw refuse(thrown.hint ? `${thrown.message}; ${printHint(thrown.hint, 'agent')}` : thrown.message)
      }
      // Nobody reads the answer of a cancelled call, so what it throws is not an error.
      if (!context.mcpReq.signal.aborted) settings.onError(thrown)
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'internal error: see the log of the server')
    }
  }
  const list = (cursor: string | undefined, context: ServerContext) =>
    answer(
      context,
      async (catalogue, view, library) => {
        const known = await catalogue.knownSkills(library)
        const { omitted, ...page } = await catalogue.listSkills(view, cursor, context.mcpReq.signal, {
          known,
        })
        return { ...page, _meta: { [catalogue.OMITTED_KEY]: omitted } }
      },
      invalidParams,
    )

  server.registerCapabilities({
    resources: {},
    extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
  })
  server.setRequestHandler('skills/list', { params: LIST_PARAMS }, async ({ cursor }, context) => ({
    ...(await list(cursor, context)),
    ...NO_CACHE,
  }))
  server.setRequestHandler('skills/get', { params: URI_PARAMS }, async ({ uri }, context) => ({
    skill: await answer(context, (catalogue, view) => catalogue.getSkill(view, uri), invalidParams),
    ...NO_CACHE,
  }))
  server.setRequestHandler('resources/directory/read', { params: URI_PARAMS }, async (params, context) => {
    // A directory is never so large that it needs a second page.
    if (params.cursor !== undefined) throw invalidParams('expected no cursor: a directory is one page')
    const resources = await answer(
      context,
      (catalogue, view) => catalogue.readSkillDirectory(view, params.uri),
      invalidParams,
    )
    return { resources, ...NO_CACHE }
  })
  server.setRequestHandler('resources/list', { params: LIST_PARAMS }, async ({ cursor }, context) => {
    const { skills, ...page } = await list(cursor, context)
    return { ...page, resources: skills.map(describeResource) }
  })
  server.setRequestHandler('resources/templates/list', { params: LIST_PARAMS }, () => ({
    resourceTemplates: [TEMPLATE],
  }))
  server.setRequestHandler('resources/read', { params: URI_PARAMS }, async ({ uri }, context) => {
    const { bytes, mimeType, meta } = await answer(
      context,
      async (catalogue, view, library) =>
        catalogue.readSkillFile(view, uri, await catalogue.knownSkills(library)),
      message => new ResourceNotFoundError(uri, message),
    )
    return { contents: [{ uri, ...(mimeType && { mimeType }), ...textOrBlob(bytes), _meta: meta }] }
  })
}

function describeResource(skill: Awaited<ReturnType<Catalogue['getSkill']>>) {
  const { uri, frontmatter, _meta } = skill
  const { name, description } = frontmatter
  return { uri, name, description, mimeType: 'text/markdown', _meta }
}

/** As text only if no byte is lost: clients compare the digest. */
function textOrBlob(bytes: Uint8Array): { text: string } | { blob: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    // Not UTF-8.
    return { blob: Buffer.from(bytes).toString('base64') }
  }
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
