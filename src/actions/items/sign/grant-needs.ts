// What an item asks for beyond its sandbox (hosts, places outside of the project, secrets) it gets from whoever signs it. An agent has
// none of that to give: a person is asked, who is shown what it is about, or the user's settings decide.
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

/** Of the tools of the package, the one that reads settings. */
const REGISTRY_SETTINGS = 'rye/registry'
/** Of the tools that run with an item. */
const MOST_USING = 5
/** Nobody reads more at once. What is not shown is not signed. */
const MOST_SHOWN = 50

/** Those contents that may be signed by this caller though they ask for something; undefined where all may. */
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
  const text = ['Sign with your key, and give these what they ask for?', ...lines].join('\n')
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
    `${ref} is not signed: it asks for what an agent cannot give it: ${needs.join('; ')}`,
    {
      hint: hintWith(
        'a person can read it and ',
        commandOf('sign it', `sign ${quoteShellWord(ref)}${sourceFlag(item.file.space)}`),
        ', or allow it with `grant = "allow"` below `[mcp]` in their rye.toml',
      ),
    },
  )
}

/** What the same key has signed, and nobody has changed since, was granted before. */
function isSignedAsIs({ key }: Signer, { verdict }: OpenedItem): boolean {
  return verdict.status === 'verified' && verdict.signer === key.fingerprint && !verdict.by_agent
}

/** Says in the signature that no person was asked: such an item is not run with what a person gave to another one. */
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
