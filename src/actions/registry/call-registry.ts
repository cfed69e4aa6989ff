// One conversation with a registry: opened with the settings of the user and the project, limited in time,
// and with secrets removed from everything it returns.
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

/** Returns the answer of `work`, plus the address of the registry. */
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
      // Answers are JSON on every surface. Scrubbing replaces texts by texts, so the type stays the same.
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

/**
 * The settings decide who gets the token and whether a private address may be reached, so only a person may
 * sign them.
 */
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

/**
 * The token may be in the project's `.env`, like the secrets of tools. Most calls need no token, so one that
 * cannot be read counts as none.
 */
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
    // Details of a failure are part of an answer, so they are JSON.
    details: scrub(details as JsonObject),
  })
}
