// If a tool is given something beyond its sandbox (secrets, hosts, places), a person must have signed every
// part that it runs with. A part that only an agent had signed does not count: it could have been signed
// anywhere, at any time, and put there later.
import { dirname, posix, relative } from 'node:path'
import { AppError, commandOf, quoteShellWord, quoteText } from '../base/index.ts'
import type { Space } from '../item/index.ts'
import { declaredNeeds } from './declared-needs.ts'
import { secretNames } from './environment/environment.ts'
import type { PlanContext, VerifiedTool } from './types.ts'

/** The context of one plan, and a record of what the plan uses that no person signed. */
export interface Watched {
  readonly context: PlanContext
  /** `TYPE:ID` → space. */
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

/** Nobody reads more at once. The rest are named once these are signed. */
const MOST_NAMED = 5

/** Throws `POLICY_DENIED` if the run is given something and has a part that no person signed. */
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
    `${names}${more > 0 ? ` and ${more} more` : ''} ${were} signed by an agent alone, and ${run} with the secrets, hosts or places that \`${giver.id}\` was given`,
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
    // A runtime passes its secrets, its credentials and its reach on to whatever it runs. Its own permissions
    // have no effect.
    runtimes.find(runtime => {
      const needs = declaredNeeds(runtime)
      return needs.secrets.length > 0 || needs.private_addresses
    }) ?? items.find(item => secretNames(item).length > 0)
  )
}

/** The ref to sign a sibling file by: that of the tool it would be. */
function refBeside(tool: VerifiedTool, path: string): string {
  const below = relative(dirname(tool.path), path).replaceAll('\\', '/')
  return `tool:${posix.join(posix.dirname(tool.id), below).replace(/\.\w+$/, '')}`
}
