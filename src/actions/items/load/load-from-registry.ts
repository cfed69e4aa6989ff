// Reads one item from a registry: finds the bundle that lists it, and answers only if a key that the user
// trusts has signed it. Nothing is written without a destination.
import {
  AppError,
  type Caller,
  callOf,
  type ErrorCode,
  hintWith,
  isRecord,
  type JsonObject,
} from '../../../base/index.ts'
import { extractItem } from '../../../extract/index.ts'
import { ITEM_TYPES, type ItemType, isItemType, nameOf, parseRef, readVersion } from '../../../item/index.ts'
import { inputSchema } from '../../../plan/index.ts'
import { type BundleItem, itemsOf } from '../../../registry/index.ts'
import type { Verdict, VerdictStatus } from '../../../trust/index.ts'
import { knownItems } from '../../../user/index.ts'
import { joinRef, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { callRegistry, type RegistryCall } from '../../registry/call-registry.ts'
import { refuseOtherSigners } from '../../registry/known-signers.ts'
import { findListedBundles } from '../../registry/listed-bundles.ts'
import { type OpenedBundle, openBundle } from '../../registry/open-bundle.ts'
import { copyFromRegistry } from './copy-from-registry.ts'
import type { LoadAnswer, LoadSummary } from './fields.ts'
import { type ItemInput, readPage } from './read-page.ts'
import { descriptionIn } from './summarize-item.ts'

const SECONDS = 60

interface Wanted {
  readonly id: string
  readonly type?: ItemType | undefined
}

export async function loadFromRegistry(
  context: ActionContext,
  input: ItemInput,
): Promise<LoadAnswer | LoadSummary> {
  const { id, type } = joinRef(parseRef(input.item_id), input.item_type, undefined)
  const wanted: Wanted = { id, ...(isItemType(type) && { type }) }
  const asked = { project_path: input.project_path, timeout: SECONDS }
  const { name } = await callRegistry(context, asked, async call => ({
    name: await findPackage(call, wanted),
  }))
  // A package in a scope may come from another registry than the one that was searched.
  const { registry: _, ...answer } = await callRegistry(context, { ...asked, package: name }, async call => {
    const version = input.version ?? 'latest'
    const bundle = await openBundle(call.registry, { package: name, version, form: 'exact, range or tag' })
    return answerWith(call, bundle, { input, wanted, caller: context.caller })
  })
  return answer
}

/** The package that the item came from before, or the one that lists it. */
async function findPackage({ registry, workspace }: RegistryCall, { id, type }: Wanted): Promise<string> {
  const { states, userSpace } = workspace.library
  const known = knownItems(states, userSpace).read()
  const before = ITEM_TYPES.flatMap(other =>
    (type ?? other) === other ? (known.get(`${other}:${id}`)?.package ?? []) : [],
  )
  if (before.length === 1) return before[0]!
  const lists = ({ items }: { items: readonly { id: string; type: string }[] }) =>
    items.some(item => item.id === id && (type === undefined || item.type === type))
  // A registry may match words anywhere, so only exact matches count; and two bundles with this id must not
  // look like one.
  const found = await findListedBundles(registry, id.split(/[/_.-]+/))
  const names = found.filter(lists).map(bundle => bundle.package)
  if (names.length === 1) return names[0]!
  const named = `\`${type === undefined ? id : `${type}:${id}`}\``
  if (names.length === 0) {
    throw new AppError('ITEM_NOT_FOUND', `no bundle in ${registry.registry.url.href} lists ${named}`, {
      hint: hintWith(callOf('search', { query: '*', source: 'registry' }), ' shows what is listed'),
    })
  }
  throw new AppError('ITEM_AMBIGUOUS', `several bundles have ${named}: ${names.join(', ')}`, {
    hint: hintWith(
      {
        agent: 'pull the one that is meant: ',
        person: '`rye registry show` shows each; pull the one that you mean: ',
      },
      callOf('execute', { item_id: 'rye/registry', parameters: { action: 'pull', package: names[0]! } }),
    ),
  })
}

async function answerWith(
  { registry, workspace }: RegistryCall,
  bundle: OpenedBundle,
  { input, wanted, caller }: { readonly input: ItemInput; readonly wanted: Wanted; readonly caller: Caller },
): Promise<LoadAnswer | LoadSummary> {
  const item = pick(bundle, wanted, workspace)
  // A key that is trusted only in this project counts only if the item is copied there.
  const root = input.destination === 'project' ? workspace.projectPath : undefined
  const verdict = item.judge(workspace.trust, root)
  requireVerified(item, bundle, verdict)
  refuseOtherSigners(workspace, [{ item, signer: verdict.signer }], undefined)
  const { metadata } = await extractItem(workspace.extractors.get(item.type)!, item)
  const version = readVersion(metadata.version)
  const origin = `${bundle.package}@${bundle.version}`
  const path = `npm:${origin}/.ai/${item.path}`
  const named = { item_type: item.type, item_id: item.id }
  if (input.view === 'summary') {
    return {
      ...{ status: 'success', ...named, view: 'summary' },
      description: descriptionIn(metadata),
      ...(version !== undefined && { version }),
      ...factsOf(item, metadata as JsonObject),
      ...{ signer: verdict.signer, source: 'registry', path, package: origin },
    }
  }
  const { content, ...page } = readPage(item.bytes, input, caller)
  const { destination } = input
  const copied =
    destination &&
    (await copyFromRegistry({ registry, workspace }, bundle, { item, verdict, ...input, destination }))
  return {
    ...{ status: 'success', ...named, content },
    metadata: {
      name: nameOf(item.id),
      path,
      extension: item.extension,
      ...(version !== undefined && { version }),
    },
    ...{ path, source: 'registry', mode: 'id', ...page, trust: verdict, shadows: [] },
    ...{ package: origin, integrity: bundle.integrity, ...copied },
  }
}

function pick(bundle: OpenedBundle, { id, type }: Wanted, { extractors }: Workspace): BundleItem {
  const named = itemsOf(bundle.files, extractors).items.filter(item => item.id === id)
  const found = named.filter(item => type === undefined || item.type === type)
  if (found.length === 1) return found[0]!
  const origin = `\`${bundle.package}@${bundle.version}\``
  if (found.length === 0)
    throw new AppError('ITEM_NOT_FOUND', `${origin} has no \`${type ? `${type}:` : ''}${id}\``)
  const types = found.map(item => item.type)
  throw new AppError('ITEM_AMBIGUOUS', `${origin} has \`${id}\` under several types: ${types.join(', ')}`, {
    hint: `name the type: \`${types[0]}:${id}\``,
    details: { types },
  })
}

const CODES: Readonly<Record<Exclude<VerdictStatus, 'verified'>, ErrorCode>> = {
  unsigned: 'ITEM_UNSIGNED',
  tampered: 'ITEM_TAMPERED',
  untrusted: 'ITEM_UNTRUSTED',
  malformed: 'ITEM_MALFORMED',
}

function requireVerified(item: BundleItem, bundle: OpenedBundle, verdict: Verdict): void {
  if (verdict.status === 'verified') return
  const origin = `${bundle.package}@${bundle.version}`
  throw new AppError(
    CODES[verdict.status],
    `\`${item.ref}\` of \`${origin}\` is ${verdict.status}: ${verdict.reason ?? 'it cannot be used'}`,
    {
      hint: {
        agent: 'only the user decides whom to trust: ask them',
        person: `\`rye registry show ${bundle.package}\` shows the keys; trust one that you know with \`rye keys trust FILE\``,
      },
      details: { trust: verdict, item_type: item.type, item_id: item.id },
    },
  )
}

function factsOf(item: BundleItem, metadata: JsonObject): Partial<LoadSummary> {
  const { config_schema } = metadata
  if (item.type === 'tool') return isRecord(config_schema) ? { parameters: config_schema as JsonObject } : {}
  if (item.type === 'directive') return { parameters: inputSchema(metadata) }
  return item.type === 'skill'
    ? { files: item.paths.map(path => path.slice(item.path.length - 'SKILL.md'.length)) }
    : {}
}
