// One conversation with a registry: opened by the settings of the user and the project, ended in time, and without a token in what it says.
import { AppError, commandOf, type JsonObject, type JsonValue, printHint } from '../../base/index.ts'
import { createScrubber, mergeLayers, parseDotenv, type Scrubber } from '../../plan/index.ts'
import { type OpenedRegistry, openRegistry, withDeadline } from '../../registry/index.ts'
import { homeOf, readConfig, readDotenv, type Workspace } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'

export interface RegistryCall {
  readonly workspace: Workspace
  readonly registry: OpenedRegistry
}

export interface CallOptions {
  readonly project_path: string
  readonly package?: string
  readonly registry?: string
  /** Seconds. */
  readonly timeout: number
}

const SETTINGS = 'rye/registry.yaml'

/** The answer of `work`, with the address of the registry. */
export async function callRegistry<Answer extends object>(
  context: ActionContext,
  input: CallOptions,
  work: (call: RegistryCall) => Promise<Answer>,
): Promise<{ registry: string } & Answer> {
  const workspace = await context.library.open(input.project_path)
  const layers = await readConfig(workspace, SETTINGS)
  if (layers.some(({ by_agent }) => by_agent)) throw signedByAgent()
  const settings = mergeLayers(layers, 'deep_merge')
  const { environment } = workspace.library
  const deadline = withDeadline(context.signal, input.timeout * 1000)
  try {
    const registry = openRegistry({
      package: input.package,
      registry: input.registry,
      caller: context.caller,
      environment,
      home: homeOf(environment),
      projectPath: workspace.projectPath,
      nodePath: process.execPath,
      signed: readSigned(settings),
      token: environment.NPM_TOKEN || tokenInProject(workspace),
      signal: deadline.signal,
    })
    const scrub = createScrubber(registry.secrets)
    try {
      const answer = await work({ workspace, registry })
      // Answers are JSON on every surface; texts are replaced by texts, so the shape stays.
      return scrub({ registry: registry.registry.url.href, ...answer } as JsonValue) as {
        registry: string
      } & Answer
    } catch (thrown) {
      throw thrown instanceof AppError ? scrubError(thrown, scrub, context) : thrown
    }
  } finally {
    deadline.close()
  }
}

/** They say who gets the token, and whether a private address may be reached: that is for a person to give. */
function signedByAgent(): AppError {
  return new AppError('POLICY_DENIED', 'the settings `config:rye/registry` were signed by an agent', {
    hint: commandOf('read them, and sign them', 'sign config:rye/registry'),
  })
}

function readSigned({ registry, allow_private }: JsonObject): { registry?: string; allowPrivate: boolean } {
  if (registry !== undefined && typeof registry !== 'string')
    throw new AppError('CONFIG_INVALID', '`config:rye/registry`: `registry` must be an address')
  return { ...(registry !== undefined && { registry }), allowPrivate: allow_private === true }
}

/** As for tools, whose secrets may be in the project's `.env`. Most calls need no token: one that cannot be read is none. */
function tokenInProject({ projectPath }: Workspace): string | undefined {
  try {
    return parseDotenv(readDotenv(projectPath) ?? '').get('NPM_TOKEN')
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return undefined
  }
}

function scrubError(error: AppError, scrub: Scrubber, { caller }: ActionContext): AppError {
  const { code, message, hint, details } = error
  return new AppError(code, scrub(message), {
    ...(hint !== undefined && { hint: scrub(printHint(hint, caller)) }),
    // Details of a failure are part of an answer, so JSON.
    details: scrub(details as JsonObject),
  })
}
