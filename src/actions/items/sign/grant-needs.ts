// Whoever signs an item grants what it asks for beyond its sandbox: hosts, places outside the project,
// secrets. An agent cannot grant any of that: a person is shown what it is about and asked, or the user's
// settings decide.
import { AppError, commandOf, escapeHidden, hintWith, quoteShellWord } from '../../../base/index.ts'
import { nameOf } from '../../../item/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import { hostsOfSkill } from '../../../skills/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import { BY_AGENT } from '../../../trust/index.ts'
import { isExtractor, type OpenedItem, sourceFlag, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { toolsThatUse } from './granted-tools.ts'
import { listNeeds, needsOfTool } from './needs-in-words.ts'
import type { Signer } from './signer.ts'
import { contentOf, refOf } from './take-over.ts'

/** The id of the only bundled tool that reads settings, and of these settings. */
const REGISTRY_SETTINGS = 'rye/registry'
/** How many of the tools that run with an item are named. */
const MOST_USING = 5
/** Nobody reads more than this at once. What is not shown is not signed. */
const MOST_SHOWN = 50

/** The contents that this caller may sign although they ask for something. Undefined if all may be signed. */
export async function askForNeeds(
  { caller, confirm, library }: ActionContext,
  signer: Signer,
  items: readonly ResolvedEntry<ItemFile>[],
): Promise<ReadonlySet<string> | undefined> {
  if (caller === 'person') return undefined
  const policy = (await library.policy()).mcp.grant
  if (policy === 'allow') return undefined
  const asking = new Set<string>()
  if (policy === 'refuse' || !confirm) return asking
  const lines: string[] = []
  for (const found of items) {
    if (asking.size === MOST_SHOWN) break
    const item = signer.workspace.tryRead(found)
    const needs = item && !isSignedAsIs(signer, item) ? await needsOf(signer.workspace, item) : []
    if (!item || needs.length === 0) continue
    asking.add(contentOf(item))
    lines.push(escapeHidden(`- ${refOf(item)}: ${needs.join('; ')}`, { oneLine: true }))
  }
  if (asking.size === 0) return asking
  const text = ['Sign these with your key, and grant what they ask for?', ...lines].join('\n')
  return (await confirm({ text, subject: [...asking].join('\n') })) ? asking : new Set()
}

/** Throws `POLICY_DENIED` for an item that asks for what nobody has granted. */
export async function refuseNeeds(signer: Signer, item: OpenedItem): Promise<void> {
  if (signer.granted === undefined || isSignedAsIs(signer, item)) return
  if (signer.granted.has(contentOf(item))) return
  const needs = await needsOf(signer.workspace, item)
  if (needs.length === 0) return
  const ref = refOf(item)
  throw new AppError(
    'POLICY_DENIED',
    `${ref} is not signed: it asks for what an agent cannot grant: ${needs.join('; ')}`,
    {
      hint: hintWith(
        'a person can read it and ',
        commandOf('sign it', `sign ${quoteShellWord(ref)}${sourceFlag(item.file.space)}`),
        ', or allow it with `grant = "allow"` below `[mcp]` in their rye.toml',
      ),
    },
  )
}

/** What the same key signed was granted before, unless it was changed since or signed for an agent. */
function isSignedAsIs({ key }: Signer, { verdict }: OpenedItem): boolean {
  return verdict.status === 'verified' && verdict.signer === key.fingerprint && !verdict.by_agent
}

/** Says in the signature that no person was asked: the item is not run with what a person granted another. */
export function provenanceOf(signer: Signer, item: OpenedItem): { readonly provenance?: string } {
  if (signer.isAgain) return item.verdict.by_agent ? { provenance: BY_AGENT } : {}
  const isPart = item.file.type === 'tool' || item.file.type === 'config'
  if (!isPart || signer.granted === undefined || isSignedAsIs(signer, item)) return {}
  return signer.granted.has(contentOf(item)) ? {} : { provenance: BY_AGENT }
}

async function needsOf(workspace: Workspace, item: OpenedItem): Promise<string[]> {
  const { file, parts } = item
  if (file.type === 'skill') {
    const hosts = await hostsOfSkill({ name: nameOf(file.id), path: '.', files: parts })
    return listNeeds('hosts', hosts)
  }
  if (isExtractor(file)) return ['to decide how items are read, and so what each of them asks for']
  if (file.type === 'config' && file.id === REGISTRY_SETTINGS)
    return ['to decide which registry gets your token']
  const own = file.type === 'tool' ? needsOfTool({ ...file, metadata: (await item.parse()).metadata }) : []
  const using = await toolsThatUse(workspace, item)
  return [
    ...own,
    ...using
      .slice(0, MOST_USING)
      .map(({ ref, needs }) => `what ${ref}, which uses it, was given: ${needs.join('; ')}`),
    ...(using.length > MOST_USING ? [`and what ${using.length - MOST_USING} more tools were given`] : []),
  ]
}
