// Signs one item, or all that a pattern matches.
import { AppError, callOf, commandOf, hintWith, lazy, printHint } from '../../../base/index.ts'
import {
  bareCategory,
  checkId,
  type ItemPattern,
  isGlob,
  isWritable,
  parsePattern,
  printRef,
} from '../../../item/index.ts'
import type { SigningKey } from '../../../trust/index.ts'
import { findKeyProblem, getSigningKey } from '../../../user/index.ts'
import { type FindRequest, joinRef } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import { SIGNED_TYPES } from '../../definition/shared-fields.ts'
import type { SIGN_FIELDS, SignAnswer, SignedItem } from './fields.ts'
import { askForNeeds } from './grant-needs.ts'
import { withoutConflict } from './resolve-conflict.ts'
import { signBatch } from './sign-batch.ts'
import { signOne } from './sign-one.ts'
import type { Signer } from './signer.ts'
import { askForForeign } from './take-over.ts'

type Input = InputOf<typeof SIGN_FIELDS>

export async function signItems(context: ActionContext, input: Input): Promise<SignAnswer> {
  const { library } = context
  if (!(await maySign(context))) {
    throw new AppError('POLICY_DENIED', 'the user does not allow agents to sign', {
      hint: `a person can run: ${commandFor(input)}`,
    })
  }
  const workspace = await library.open(input.project_path)
  const key = getSigningKey(library.userSpace)
  const warning = await warnOfKey(context, key)
  const takeOver = input.take_over === true
  const wanted = readWanted(input)
  const { space } = wanted
  const isNamed = !isGlob(wanted.id)
  const { format, digest } = input
  const saw: NonNullable<Signer['saw']> = []
  const signer: Signer = {
    ...{ workspace, key, caller: context.caller, isNamed, format, digest, swept: new Set() },
    ...{ reviewed: input.reviewed === true, saw },
    skills: lazy(() => workspace.list(['skill']).items.filter(({ entry }) => entry.space === space)),
  }
  if (!isNamed) {
    if (digest !== undefined)
      throw new AppError('INVALID_INPUT', '`digest` goes with one item, not with a pattern')
    const { id: pattern, type } = wanted
    const resolve = input.resolve === true
    const batch = await signBatch(context, signer, { pattern, type, space, takeOver, resolve })
    return { ...batch, ...(saw.length > 0 && { saw }), ...(warning !== undefined && { warning }) }
  }
  const found = workspace.find({ ...wanted, id: checkId(wanted.id) })
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

/** The same call, as a command. */
function commandFor(input: Input): string {
  const { item_id, item_type, category } = input
  const source = readSpace(input)
  const named = { item_id, ...(item_type && { item_type }), ...(category && { category }) }
  return printHint(callOf('sign', { ...named, ...(source && { source }) }), 'person')
}

function withWarning(signed: SignedItem, warning: string | undefined): SignedItem {
  return warning === undefined ? signed : { ...signed, warnings: [warning, ...signed.warnings] }
}

/**
 * Throws for a revoked key, which signs nothing; warns of one that is not trusted here: it may be elsewhere.
 */
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

interface Wanted extends FindRequest {
  readonly space: 'project' | 'user'
}

/** `tool:deploy/*` names its type, as a reference does; a category is put before a bare name. */
function readWanted(input: Input): Wanted {
  const { item_id, item_type, category } = input
  const ref = parsePattern(item_id, SIGNED_TYPES)
  const { space = 'project', ...named } = joinRef(ref, item_type, readSpace(input))
  if (!isWritable(space)) throw immutable({ ...named, id: ref.id, space })
  const folder = category && bareCategory(category)
  const id = folder && !ref.id.startsWith(`${folder}/`) ? `${folder}/${ref.id}` : ref.id
  return { ...named, id, space }
}

/** Reads the two names of one field. Undefined if neither is given. */
function readSpace({ location, source }: Input): 'project' | 'user' | undefined {
  if (location !== undefined && source !== undefined && location !== source)
    throw new AppError(
      'INVALID_INPUT',
      `location \`${location}\` and source \`${source}\` contradict each other: both say which space holds the item`,
      { hint: 'give one of them' },
    )
  return location ?? source
}

function immutable(ref: ItemPattern): AppError {
  const copy = callOf('load', { item_id: printRef(ref), destination: 'project' })
  const canCopy = ref.type !== 'config' && !isGlob(ref.id)
  return new AppError('SPACE_IMMUTABLE', `${ref.space} items are immutable and cannot be signed`, {
    ...(canCopy && { hint: hintWith('copy it first: ', copy) }),
  })
}
