// One file of a skill: `skill:NAME/path/in/folder`. The skill is found by its id and verified as a whole; the file is looked up in
// what was read of it then, by its exact name, and nothing is opened again.
import { dirname } from 'node:path'
import { AppError, escapeHidden, nearest, quoteText } from '../../base/index.ts'
import {
  idProblem,
  nameOf,
  OWN_SPACES,
  parseSkillPath,
  parseSpacedSkillPath,
  type SignedType,
} from '../../item/index.ts'
import { type FindRequest, joinRef, type OpenedItem, type Workspace } from '../../workspace/index.ts'

interface NamedFile {
  readonly skill: FindRequest
  /** Below its folder. */
  readonly path: string
}

export interface SkillFile {
  /** The skill, verified. */
  readonly item: OpenedItem
  /** The id of the skill and the path below its folder. */
  readonly id: string
  readonly path: string
  /** Where it was read. */
  readonly place: string
  readonly bytes: Uint8Array
}

interface Reference {
  readonly item_id: string
  readonly item_type?: SignedType | undefined
  readonly source?: string | undefined
}

/** Has the skills of a catalogue at hand that a path may be in. */
export async function bringSkillOf(workspace: Workspace, reference: Reference): Promise<void> {
  if (!workspace.shared) return
  const { item_id, item_type, source } = reference
  const spaced = parseSpacedSkillPath(item_id, item_type)
  if (spaced && idProblem(spaced.id) === undefined)
    await workspace.bring({ type: 'skill', id: spaced.id, space: spaced.space })
  const { segments = [], space } = parseSkillPath(item_id, item_type) ?? {}
  for (let length = segments.length - 1; length > 0; length--) {
    const id = segments.slice(0, length).join('/')
    if (idProblem(id) !== undefined) continue
    await workspace.bring(joinRef({ id, type: 'skill', ...(space && { space }) }, item_type, source))
  }
}

/** Undefined if an item of exactly this id is there, or no skill of which it could be a part. Throws where a space is named that has none. */
export function findSkillFile(workspace: Workspace, reference: Reference): NamedFile | undefined {
  const { item_id, item_type, source } = reference
  const spaced = parseSpacedSkillPath(item_id, item_type)
  if (spaced && idProblem(spaced.id) === undefined) {
    const skill = joinRef({ type: 'skill', id: spaced.id, space: spaced.space }, item_type, source)
    if (workspace.has(skill)) return { skill, path: spaced.path }
  }
  const named = parseSkillPath(item_id, item_type)
  if (named === undefined) return undefined
  const { segments, space } = named
  for (let length = segments.length; length > 0; length--) {
    const id = segments.slice(0, length).join('/')
    if (idProblem(id) !== undefined) continue
    const skill = joinRef({ id, type: 'skill', ...(space && { space }) }, item_type, source)
    if (!workspace.has(skill)) continue
    return length === segments.length ? undefined : { skill, path: segments.slice(length).join('/') }
  }
  if (!spaced) return undefined
  throw new AppError('ITEM_NOT_FOUND', `no skill ${quoteText(spaced.id)} in the ${spaced.space} space`)
}

/** Throws as `open` does if the skill may not be used, and `ITEM_NOT_FOUND` if the signed list has no such file. */
export async function openSkillFile(workspace: Workspace, { skill, path }: NamedFile): Promise<SkillFile> {
  const item = await workspace.open(skill)
  const id = `${item.file.id}/${path}`
  const bytes = item.parts.get(path)
  if (bytes === undefined) throw missing(item, path, skill.space)
  return { item, id, path, place: `${dirname(item.file.path)}/${path}`, bytes }
}

/** What is not found may be a file of a skill whose type was left out: the same failure, with a hint that says so. */
export function hintAtSkillFile(workspace: Workspace, reference: Reference, thrown: unknown): unknown {
  const { item_id, item_type } = reference
  if (!(thrown instanceof AppError) || thrown.code !== 'ITEM_NOT_FOUND' || item_type !== undefined)
    return thrown
  if (item_id.includes(':') || !findSkillFile(workspace, { ...reference, item_type: 'skill' })) return thrown
  const { code, message, details } = thrown
  return new AppError(code, message, { hint: `did you mean \`skill:${item_id}\`?`, details })
}

const MOST_NAMED = 20

function missing({ file, parts }: OpenedItem, path: string, space: string | undefined): AppError {
  return new AppError('ITEM_NOT_FOUND', `skill \`${file.id}\` has no file ${quoteText(path, 120)}`, {
    hint: hintAtFile(file.id, parts, { path, space }),
    details: { item_type: 'skill', item_id: file.id },
  })
}

function hintAtFile(
  id: string,
  parts: ReadonlyMap<string, unknown>,
  { path, space }: { readonly path: string; readonly space: string | undefined },
): string {
  const names = [...parts.keys()].sort()
  const show = (name: string) => escapeHidden(name, { oneLine: true })
  // The name of a space at the end of a file's own name was read as one.
  const own = `${path}@${space}`
  const close = parts.has(own)
    ? `${own}@${space}`
    : (nearest(path, names)[0] ?? names.find(name => nameOf(name) === nameOf(path)))
  const [, before, word] = /^(.+)@([\w-]{1,40})$/.exec(path) ?? []
  if (before !== undefined && parts.has(before))
    return `\`${word}\` is no space; spaces are ${OWN_SPACES.join(', ')}: did you mean \`skill:${id}/${show(before)}\`?`
  if (close) return `did you mean \`skill:${id}/${show(close)}\`?`
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `its files: ${names.slice(0, MOST_NAMED).map(show).join(', ')}${more}`
}
