// Signing one item, or all that a pattern matches; a batch goes on after a failure and reports each.
import { dirname } from 'node:path'
import {
  AppError,
  callOf,
  commandOf,
  countOf,
  escapeHidden,
  hintWith,
  lazy,
  printHint,
  quoteShellWord,
} from '../../../base/index.ts'
import {
  categoryOf,
  ITEM_TYPES,
  isGlob,
  isItemType,
  isWritable,
  matchesGlob,
  nameOf,
  parseRef,
  printRef,
  type SignedType,
  type Space,
  widerGlob,
} from '../../../item/index.ts'
import { type ItemFile, rootAt, rootPath, type SkippedPath } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import type { SigningKey } from '../../../trust/index.ts'
import { findKeyProblem, getSigningKey } from '../../../user/index.ts'
import { joinRef, usedHelpers, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import { SIGNED_TYPES } from '../../definition/shared-fields.ts'
import type { SIGN_FIELDS, SignAnswer, SignedBatch, SignedItem } from './fields.ts'
import { askForNeeds } from './grant-needs.ts'
import { withoutConflict } from './resolve-conflict.ts'
import { signOne } from './sign-one.ts'
import type { Signer } from './signer.ts'
import { askForForeign, readQuietly } from './take-over.ts'

type Input = InputOf<typeof SIGN_FIELDS>
type Found = ResolvedEntry<ItemFile>

/** Files in tool folders that are not tools: `rye sign '*'` skips them. */
const NOT_ITEMS = new Set(['package', 'package-lock', 'pnpm-lock', 'tsconfig'])
const BUILD_FOLDERS = new Set(['dist', 'build', '.ruff_cache', '.pytest_cache', '.mypy_cache'])

export async function signItems(context: ActionContext, input: Input): Promise<SignAnswer> {
  const { library } = context
  if (!(await maySign(context))) {
    throw new AppError('POLICY_DENIED', 'the user does not allow agents to sign', {
      hint: `a person can run: rye sign ${quoteShellWord(input.item_id)}`,
    })
  }
  const workspace = await library.open(input.project_path)
  const key = getSigningKey(library.userSpace)
  const warning = await warnOfKey(context, key)
  const takeOver = input.take_over === true
  const space = input.location ?? input.source
  const wanted = readWanted(input)
  const isNamed = !isGlob(wanted.id)
  const { format, digest } = input
  const saw: NonNullable<Signer['saw']> = []
  const signer: Signer = {
    ...{ workspace, key, caller: context.caller, isNamed, format, digest, swept: new Set() },
    ...{ reviewed: input.reviewed === true, saw },
    skills: lazy(() => workspace.list(['skill']).items.filter(({ entry }) => entry.space === space)),
  }
  if (!isNamed) {
    if (digest !== undefined) throw new AppError('INVALID_INPUT', '`digest` is of one item, not of a pattern')
    const batch = await signBatch(context, signer, {
      ...wanted,
      space,
      takeOver,
      resolve: input.resolve === true,
    })
    return { ...batch, ...(saw.length > 0 && { saw }), ...(warning !== undefined && { warning }) }
  }
  const found = findOne(workspace, wanted, space)
  const granted = await askForNeeds(context, signer, [found])
  const merged = input.resolve === true ? withoutConflict(workspace, found) : undefined
  if (merged) {
    const signed = await signOne({ ...signer, granted }, found, merged)
    const message = `${signed.message} \`git add\` marks the conflict as resolved.`
    return withWarning({ ...signed, message }, warning)
  }
  const allowed = await askForForeign(context, signer, [found], takeOver)
  return withWarning(await signOne({ ...signer, granted }, found, allowed.get(found)), warning)
}

function withWarning(signed: SignedItem, warning: string | undefined): SignedItem {
  return warning === undefined ? signed : { ...signed, warnings: [warning, ...signed.warnings] }
}

/** A key that is revoked signs nothing; one that is not trusted here may be trusted elsewhere. */
export async function warnOfKey(
  { library, caller }: ActionContext,
  key: SigningKey,
): Promise<string | undefined> {
  const problem = await findKeyProblem(library.userSpace, key, library.now())
  if (problem === undefined) return undefined
  const hint = commandOf(...problem.fix)
  if (problem.kind === 'revoked') throw new AppError('KEY_INVALID', problem.message, { hint })
  return `${problem.message}; ${printHint(hint, caller)}`
}

/** The user's settings may keep agents from signing. */
export async function maySign({ caller, library }: ActionContext): Promise<boolean> {
  return caller === 'person' || (await library.policy()).mcp.sign === 'allow'
}

interface Wanted {
  /** An id, with `@space` perhaps, or a pattern. */
  readonly id: string
  readonly type: SignedType | undefined
}

/** `tool:deploy/*` names its type, as a reference does; a category is put before a bare name. */
function readWanted({ item_id, item_type, category }: Input): Wanted {
  const prefix = SIGNED_TYPES.find(type => item_id.startsWith(`${type}:`))
  if (prefix && item_type && prefix !== item_type) {
    throw new AppError('INVALID_INPUT', `\`${item_id}\` and the type \`${item_type}\` contradict each other`)
  }
  const bare = prefix ? item_id.slice(prefix.length + 1) : item_id
  const id = category && !bare.startsWith(`${category}/`) ? `${category}/${bare}` : bare
  return { id, type: prefix ?? item_type }
}

function findOne(workspace: Workspace, { id, type }: Wanted, space: Space): Found {
  const ref = parseRef(id)
  if (ref.space !== undefined && !isWritable(ref.space)) {
    throw new AppError('SPACE_IMMUTABLE', `${ref.space} items are immutable and cannot be signed`, {
      hint: hintWith(
        'copy it first: ',
        callOf('load', {
          item_id: printRef({ ...ref, ...(isItemType(type) && { type }) }),
          destination: 'project',
        }),
      ),
    })
  }
  return workspace.find(joinRef(ref, type, ref.space ?? space))
}

async function signBatch(
  context: ActionContext,
  signer: Signer,
  wanted: Wanted & { readonly space: Space; readonly takeOver: boolean; readonly resolve: boolean },
): Promise<SignedBatch> {
  const { id: pattern, type } = wanted
  const types: readonly SignedType[] = type ? [type] : ITEM_TYPES
  const { items, skipped } = signer.workspace.list(types)
  // A tool that is signed without the file that it imports does not run.
  const candidates = [...items, ...usedHelpers(signer.workspace, skipped)].filter(
    ({ entry }) => entry.space === wanted.space && isCandidate(entry.id),
  )
  const matches = candidates.filter(({ entry }) => matchesGlob(pattern, entry.id))
  if (matches.length === 0) {
    const shown = escapeHidden(pattern, { oneLine: true })
    const ids = candidates.map(({ entry }) => entry.id)
    const wider = widerGlob(pattern, ids)
    const looked = `looked in the ${wanted.space} space; `
    throw new AppError('ITEM_NOT_FOUND', `No ${type ?? 'item'}s found matching pattern: ${shown}`, {
      hint: {
        agent: looked + (wider ? `\`${wider}\` matches` : 'find items with `search`'),
        person: looked + (wider ? `${quoteShellWord(wider)} matches` : 'list items with `rye list`'),
      },
    })
  }
  const settled = wanted.takeOver || wanted.resolve ? new Set() : await signedByOthers(signer, matches)
  const open = matches.filter(found => !settled.has(found))
  const allowed = wanted.resolve ? new Map() : await askForForeign(context, signer, open, wanted.takeOver)
  const granted = await askForNeeds(context, signer, open)
  const signed: string[] = []
  const unchanged = matches.filter(found => settled.has(found)).map(({ entry }) => entry.id)
  const failed: SignedBatch['failed'][number][] = []
  const warnings: NonNullable<SignedBatch['warnings']>[number][] = []
  for (const [index, found] of open.entries()) {
    context.signal.throwIfAborted()
    context.onProgress({ message: 'signing', done: index, total: open.length })
    try {
      const merged = wanted.resolve ? withoutConflict(signer.workspace, found) : undefined
      if (wanted.resolve && !merged) continue
      const answer = await signOne({ ...signer, granted }, found, merged ?? allowed.get(found))
      ;(answer.unchanged ? unchanged : signed).push(found.entry.id)
      if (answer.warnings.length > 0) warnings.push({ item: found.entry.id, warnings: answer.warnings })
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      const hint = thrown.hint === undefined ? {} : { hint: printHint(thrown.hint, context.caller) }
      failed.push({ item: found.entry.id, error: thrown.message, details: issuesOf(thrown), ...hint })
    }
  }
  const total = signed.length + unchanged.length + failed.length
  const counts = [
    `Signed ${signed.length}/${countOf(total, 'item')}`,
    ...(unchanged.length > 0 ? [`${unchanged.length} unchanged`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
  ]
  const left_out = leftOut(signer.workspace, wanted, { items, skipped })
  return {
    ...{ status: 'completed', signed, failed, unchanged, total, summary: counts.join(', ') },
    ...(warnings.length > 0 && { warnings }),
    ...(left_out.length > 0 && { left_out }),
  }
}

/** Told of skills alone: beside tools lie links and names that nobody takes for items. */
const TOLD = new Set<SkippedPath['reason']>(['invalid-name', 'symbolic-link', 'special-file', 'too-large'])

/** Skills that would match the pattern if they could be items; what is left out of a skill is a warning of that one. */
function leftOut(
  { roots }: Workspace,
  { id: pattern, space }: { readonly id: string; readonly space: Space },
  { items, skipped }: Pick<ReturnType<Workspace['list']>, 'items' | 'skipped'>,
): { path: string; reason: string }[] {
  const folders = items.filter(({ entry }) => entry.type === 'skill').map(({ entry }) => dirname(entry.path))
  const known = new Set(folders)
  return skipped.flatMap(({ path, reason, message }) => {
    const root = TOLD.has(reason) ? rootAt(roots, path) : undefined
    if (root?.type !== 'skill' || root.space !== space || isInside(path, known)) return []
    const below = path.slice(rootPath(root).length + 1)
    const id = reason === 'invalid-name' ? categoryOf(below) : below
    return matchesGlob(pattern, id) ? [{ path, reason: message }] : []
  })
}

function isInside(path: string, folders: ReadonlySet<string>): boolean {
  const parent = dirname(path)
  return folders.has(path) || (parent !== path && isInside(parent, folders))
}

/** What anybody whom the user trusts has signed, and nobody has changed since: a pattern is no wish to take it over. */
async function signedByOthers({ workspace, key }: Signer, matches: readonly Found[]): Promise<Set<Found>> {
  const settled = new Set<Found>()
  for (const found of matches) {
    const item = readQuietly(workspace, found)
    if (item?.verdict.status !== 'verified' || item.verdict.signer === key.fingerprint) continue
    // To go back to an older one is refused by itself.
    if (!(await workspace.judge(item)).rolled_back_from) settled.add(found)
  }
  return settled
}

function isCandidate(id: string): boolean {
  return !NOT_ITEMS.has(nameOf(id)) && !id.split('/').some(segment => BUILD_FOLDERS.has(segment))
}

/** Of a validation that failed. */
function issuesOf({ details }: AppError): string[] {
  return Array.isArray(details.issues) ? details.issues.map(String) : []
}
