// Signs all that a pattern matches. A batch goes on after a failure and reports each.
import { dirname } from 'node:path'
import { AppError, countOf, escapeHidden, printHint, quoteShellWord } from '../../../base/index.ts'
import {
  categoryOf,
  ITEM_TYPES,
  matchesGlob,
  nameOf,
  printRef,
  type SignedType,
  type Space,
  widerGlob,
} from '../../../item/index.ts'
import { type ItemFile, rootAt, rootPath, type SkippedPath } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import { usedHelpers, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { briefBatch } from './brief-batch.ts'
import type { SignedBatch, SignedItem } from './fields.ts'
import { askForNeeds } from './grant-needs.ts'
import { withoutConflict } from './resolve-conflict.ts'
import { signOne } from './sign-one.ts'
import type { Signer } from './signer.ts'
import { askForForeign } from './take-over.ts'

type Found = ResolvedEntry<ItemFile>
type Listed = Pick<ReturnType<Workspace['list']>, 'items' | 'skipped' | 'duplicates'>

/** Files in tool folders that are not tools: `rye sign '*'` skips them. */
const NOT_ITEMS = new Set(['package', 'package-lock', 'pnpm-lock', 'tsconfig'])
const BUILD_FOLDERS = new Set(['dist', 'build', '.ruff_cache', '.pytest_cache', '.mypy_cache'])

/** How many unchanged items are named: an agent's context is small. */
const MOST_UNCHANGED = 100

export interface BatchRequest {
  readonly pattern: string
  readonly type: SignedType | undefined
  readonly space: Space
  /** Whether to sign what others signed, too. */
  readonly takeOver: boolean
  /** Whether to sign only items with a git conflict in their signature, resolved. */
  readonly resolve: boolean
}

export async function signBatch(
  context: ActionContext,
  signer: Signer,
  request: BatchRequest,
): Promise<SignedBatch> {
  const { workspace } = signer
  const { takeOver, resolve } = request
  const listed = workspace.list(request.type ? [request.type] : ITEM_TYPES)
  const matches = findMatches(workspace, listed, request)
  const settled = takeOver || resolve ? new Set<Found>() : await signedByOthers(signer, matches)
  const open = matches.filter(found => !settled.has(found))
  const allowed = resolve ? new Map() : await askForForeign(context, signer, open, takeOver)
  const granted = await askForNeeds(context, signer, open)
  const outcomes = await signEach(context, open, async found => {
    const item = resolve ? withoutConflict(workspace, found) : allowed.get(found)
    return resolve && !item ? undefined : signOne({ ...signer, granted }, found, item)
  })
  const unchanged = [...[...settled].map(({ entry }) => entry.id), ...outcomes.unchanged]
  const leftOut = findLeftOut(workspace, listed, request)
  const batch = {
    ...describeOutcomes({ ...outcomes, unchanged }),
    ...(leftOut.length > 0 && { left_out: leftOut }),
  }
  return context.caller === 'agent' ? briefBatch(batch) : batch
}

/** Throws `ITEM_NOT_FOUND`, with a hint at a pattern that would match. */
function findMatches(workspace: Workspace, { items, skipped }: Listed, request: BatchRequest): Found[] {
  const { pattern, type, space } = request
  // Helper files too: a tool does not run if the file that it imports is not signed.
  const candidates = [...items, ...usedHelpers(workspace, skipped)].filter(
    ({ entry }) => entry.space === space && isCandidate(entry.id),
  )
  const matches = candidates.filter(({ entry }) => matchesGlob(pattern, entry.id))
  if (matches.length > 0) return matches
  const shown = escapeHidden(pattern, { oneLine: true })
  const ids = candidates.map(({ entry }) => entry.id)
  const wider = widerGlob(pattern, ids)
  const wanted = wider && printRef({ id: wider, ...(type && { type }), ...(space === 'user' && { space }) })
  const looked = `looked in the ${space} space; `
  throw new AppError(
    'ITEM_NOT_FOUND',
    `No ${type === 'knowledge' ? type : `${type ?? 'item'}s`} found matching pattern: ${shown}`,
    {
      hint: {
        agent: looked + (wanted ? `\`${wanted}\` matches` : 'find items with `search`'),
        person: looked + (wanted ? `${quoteShellWord(wanted)} matches` : 'list items with `rye list`'),
      },
    },
  )
}

interface Outcomes extends Pick<SignedBatch, 'signed' | 'unchanged' | 'failed'> {
  readonly warnings: NonNullable<SignedBatch['warnings']>
}

/** An item for which `sign` returns nothing is in none of the lists. */
async function signEach(
  context: ActionContext,
  open: readonly Found[],
  sign: (found: Found) => Promise<SignedItem | undefined>,
): Promise<Outcomes> {
  const signed: string[] = []
  const unchanged: string[] = []
  const failed: SignedBatch['failed'][number][] = []
  const warnings: Outcomes['warnings'][number][] = []
  for (const [index, found] of open.entries()) {
    context.signal.throwIfAborted()
    context.onProgress({ message: 'signing', done: index, total: open.length })
    const { id } = found.entry
    try {
      const answer = await sign(found)
      if (!answer) continue
      ;(answer.unchanged ? unchanged : signed).push(id)
      // The warnings of an unchanged item were given when it was signed.
      if (answer.warnings.length > 0 && !answer.unchanged)
        warnings.push({ item: id, warnings: answer.warnings })
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      const hint = thrown.hint === undefined ? {} : { hint: printHint(thrown.hint, context.caller) }
      failed.push({ item: id, error: thrown.message, details: issuesOf(thrown), ...hint })
    }
  }
  return { signed, unchanged, failed, warnings }
}

function describeOutcomes({ signed, unchanged, failed, warnings }: Outcomes): SignedBatch {
  const total = signed.length + unchanged.length + failed.length
  const counts = [
    `Signed ${signed.length}/${countOf(total, 'item')}`,
    ...(unchanged.length > 0 ? [`${unchanged.length} unchanged`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
  ]
  const more = unchanged.length - MOST_UNCHANGED
  return {
    ...{ status: 'completed', signed, failed, unchanged: unchanged.slice(0, MOST_UNCHANGED) },
    ...(more > 0 && { more_unchanged: more }),
    ...{ total, summary: counts.join(', ') },
    ...(warnings.length > 0 && { warnings }),
  }
}

/** Reported only for skills: beside tools there are links and names that nobody takes for items. */
const REPORTED = new Set<SkippedPath['reason']>([
  'invalid-name',
  'symbolic-link',
  'special-file',
  'too-large',
])

/**
 * Files whose id another file has, and skills that would match the pattern if they could be items. What is
 * left out of a skill is a warning of that skill.
 */
function findLeftOut(
  { roots }: Workspace,
  { items, skipped, duplicates }: Listed,
  { pattern, space }: BatchRequest,
): { path: string; reason: string }[] {
  const second = duplicates.flatMap(({ entry, message }) =>
    entry.space === space && matchesGlob(pattern, entry.id) ? [{ path: entry.path, reason: message }] : [],
  )
  const folders = items.filter(({ entry }) => entry.type === 'skill').map(({ entry }) => dirname(entry.path))
  const known = new Set(folders)
  const noItems = skipped.flatMap(({ path, reason, message }) => {
    const root = REPORTED.has(reason) ? rootAt(roots, path) : undefined
    if (root?.type !== 'skill' || root.space !== space || isInside(path, known)) return []
    const below = path.slice(rootPath(root).length + 1)
    const id = reason === 'invalid-name' ? categoryOf(below) : below
    return matchesGlob(pattern, id) ? [{ path, reason: message }] : []
  })
  return [...second, ...noItems]
}

function isInside(path: string, folders: ReadonlySet<string>): boolean {
  const parent = dirname(path)
  return folders.has(path) || (parent !== path && isInside(parent, folders))
}

/**
 * Items that others whom the user trusts signed, unchanged since: a pattern is no request to take them over.
 */
async function signedByOthers({ workspace, key }: Signer, matches: readonly Found[]): Promise<Set<Found>> {
  const settled = new Set<Found>()
  for (const found of matches) {
    const item = workspace.tryRead(found)
    if (item?.verdict.status !== 'verified' || item.verdict.signer === key.fingerprint) continue
    // An older item is not settled: going back to it is refused separately.
    if (!(await workspace.judge(item)).rolled_back_from) settled.add(found)
  }
  return settled
}

function isCandidate(id: string): boolean {
  return !NOT_ITEMS.has(nameOf(id)) && !id.split('/').some(segment => BUILD_FOLDERS.has(segment))
}

/** The issues of a failed validation. */
function issuesOf({ details }: AppError): string[] {
  return Array.isArray(details.issues) ? details.issues.map(String) : []
}
