// What an item asks for beyond its sandbox (hosts, places outside of the project, secrets) it gets from whoever signs it. An agent has
// none of that to give: a person is asked, who is shown what it is about, or the user's settings decide.
import { AppError, commandOf, escapeHidden, hintWith, quoteShellWord } from '../../../base/index.ts'
import { nameOf } from '../../../item/index.ts'
import { declaredNeeds } from '../../../plan/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import { hostsOfSkill } from '../../../skills/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import { type OpenedItem, sourceFlag } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { Signer } from './signer.ts'
import { contentOf, refOf } from './take-over.ts'

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
    const needs = item && !isSignedAsIs(signer, item) ? await needsOf(item) : []
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
  const needs = await needsOf(item)
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
  return verdict.status === 'verified' && verdict.signer === key.fingerprint
}

async function needsOf(item: OpenedItem): Promise<string[]> {
  const { file, parts } = item
  if (file.type === 'skill') {
    const hosts = await hostsOfSkill({ name: nameOf(file.id), path: '.', files: parts })
    return describe('hosts', hosts)
  }
  if (file.type !== 'tool') return []
  const { metadata } = await item.parse()
  const { network, write, secrets } = declaredNeeds({ ...file, metadata })
  return [
    ...describe('hosts', network),
    ...describe('places to write', write),
    ...describe('secrets', secrets),
  ]
}

function describe(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what} ${names.map(name => `\`${name}\``).join(', ')}`]
}
