// Converts the bounds that a person gives as flags to the form of the trust store.
import { AppError } from '../../../base/index.ts'
import { isExpired, readBounds, type TrustBounds } from '../../../trust/index.ts'
import { checkProject } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { resolvePath } from '../../definition/resolve-path.ts'

interface Given {
  readonly for: readonly string[]
  readonly project: readonly string[]
  readonly until?: string
}

/** Undefined when no bounds were given. Throws `INVALID_INPUT` or `PROJECT_NOT_FOUND`. */
export function readGivenBounds(context: ActionContext, given: Given): TrustBounds | undefined {
  const { for: patterns, project, until } = given
  if (patterns.length === 0 && project.length === 0 && until === undefined) return undefined
  const paths = project.map(path => checkProject(resolvePath(context, path)))
  const bounds = readBounds({
    ...(patterns.length > 0 && { for: [...new Set(patterns)] }),
    ...(paths.length > 0 && { project: [...new Set(paths)] }),
    ...(until !== undefined && { until }),
  })
  if (typeof bounds === 'string') throw new AppError('INVALID_INPUT', bounds)
  if (isExpired(bounds, context.library.now()))
    throw new AppError('INVALID_INPUT', `expected \`until\` to be a time to come, got \`${until}\``)
  return bounds
}
