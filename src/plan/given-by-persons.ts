// What a tool is given beyond its sandbox was given by a person, for all that the tool runs with. What an agent had signed alone is not
// among that: it could have been signed anywhere, at any time, and been put there later.
import { dirname, posix, relative } from 'node:path'
import { AppError, commandOf, quoteShellWord, quoteText } from '../base/index.ts'
import type { Space } from '../item/index.ts'
import { declaredNeeds } from './declared-needs.ts'
import { secretNames } from './environment/environment.ts'
import type { PlanContext, VerifiedTool } from './types.ts'

/** The context of one plan, and what it has used that no person signed. */
export interface Watched {
  readonly context: PlanContext
  /** As `TYPE:ID`, with its space. */
  readonly byAgent: ReadonlyMap<string, Space>
}

export function watchSigners(tool: VerifiedTool, context: PlanContext): Watched {
  const byAgent = new Map<string, Space>()
  const note = (by_agent: true | undefined, ref: string, space: Space) => {
    if (by_agent) byAgent.set(ref, space)
  }
  note(tool.verdict.by_agent, `tool:${tool.id}`, tool.space)
  return {
    byAgent,
    context: {
      ...context,
      async lookup(id, from) {
        const found = await context.lookup(id, from)
        if (found) note(found.verdict.by_agent, `tool:${id}`, found.space)
        return found
      },
      siblings: {
        ...context.siblings,
        async read(path, space) {
          const file = await context.siblings.read(path, space)
          note(file.verdict.by_agent, refBeside(tool, path), space)
          return file
        },
      },
      async readConfig(path) {
        const layers = await context.readConfig(path)
        for (const { by_agent, space } of layers)
          note(by_agent, `config:${path.replace(/\.(?:ya?ml|toml)$/, '')}`, space)
        return layers
      },
    },
  }
}

interface Given {
  /** Tool first, primitive last. */
  readonly elements: readonly VerifiedTool[]
  /** Items whose secrets the tool gets. */
  readonly items: readonly VerifiedTool[]
}

/** Nobody reads more at once; the others are named when these are signed. */
const MOST_NAMED = 5

/** Throws `POLICY_DENIED` for a run that is given something, and has a part that no person signed. */
export function refuseUnasked({ byAgent }: Watched, { elements, items }: Given): void {
  if (byAgent.size === 0) return
  const giver = findGiver(elements, items)
  if (giver === undefined) return
  const parts = [...byAgent].slice(0, MOST_NAMED)
  const names = parts.map(([part]) => quoteText(part, 200)).join(', ')
  const more = byAgent.size - parts.length
  const [were, run, them] =
    byAgent.size === 1 ? ['was', 'does not run', 'it'] : ['were', 'do not run', 'each']
  throw new AppError(
    'POLICY_DENIED',
    `${names}${more > 0 ? ` and ${more} more` : ''} ${were} signed by an agent, and ${run} with what \`${giver.id}\` was given (secrets, hosts or places)`,
    { hint: commandOf(`read ${them}, and sign ${them}`, parts.map(signingOf).join(' && rye ')) },
  )
}

function signingOf([part, space]: readonly [string, Space]): string {
  return `sign ${quoteShellWord(part)}${space === 'user' ? ' --source user' : ''}`
}

function findGiver([tool, ...runtimes]: readonly VerifiedTool[], items: readonly VerifiedTool[]) {
  const { network, write, secrets, private_addresses } = declaredNeeds(tool!)
  if (network.length > 0 || write.length > 0 || secrets.length > 0 || private_addresses) return tool
  return (
    // A runtime passes its secrets, its credentials and its reach on to whatever it runs; its own permissions count for nothing.
    runtimes.find(runtime => {
      const needs = declaredNeeds(runtime)
      return needs.secrets.length > 0 || needs.private_addresses
    }) ?? items.find(item => secretNames(item).length > 0)
  )
}

/** A file beside a tool is signed as the tool that it would be. */
function refBeside(tool: VerifiedTool, path: string): string {
  const below = relative(dirname(tool.path), path).replaceAll('\\', '/')
  return `tool:${posix.join(posix.dirname(tool.id), below).replace(/\.\w+$/, '')}`
}
