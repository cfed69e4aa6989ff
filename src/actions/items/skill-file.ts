// One file of a skill: `skill:NAME/path/in/folder`. The skill is found by its id and verified as a whole. The
// file is then looked up by its exact name in what was read, and nothing is opened again.
import { dirname } from 'node:path'
import { AppError, escapeHidden, type Hint, nearest, quoteText } from '../../base/index.ts'
import {
  idProblem,
  isSpace,
  nameOf,
  OWN_SPACES,
  parseSkillPath,
  parseSpacedSkillPath,
  printSkillFolder,
  printSkillPath,
  type SignedType,
  type SkillName,
  type SkillPath,
  type SpacedSkillPath,
} from '../../item/index.ts'
import { type FindRequest, joinRef, type OpenedItem, type Workspace } from '../../workspace/index.ts'

interface NamedFile {
  readonly skill: FindRequest
  /** Relative to the skill's folder. */
  readonly path: string
}

export interface SkillFile {
  /** The skill, verified. */
  readonly item: OpenedItem
  /** The id of the skill and the path in its folder. */
  readonly id: string
  readonly path: string
  /** The path that it was read from. */
  readonly place: string
  readonly bytes: Uint8Array
}

interface Reference {
  readonly item_id: string
  readonly item_type?: SignedType | undefined
  readonly source?: string | undefined
}

/** Fetches the skills of a catalogue that the path may be in. */
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

/**
 * Undefined if a skill of exactly this id exists, or none that the path could be in. Throws if the space that
 * is named does not have the skill.
 */
export function findSkillFile(workspace: Workspace, reference: Reference): NamedFile | undefined {
  const { item_id, item_type, source } = reference
  const spaced = parseSpacedSkillPath(item_id, item_type)
  if (spaced && idProblem(spaced.id) === undefined) {
    const skill = joinRef({ type: 'skill', id: spaced.id, space: spaced.space }, item_type, source)
    if (workspace.has(skill)) return { skill, path: spaced.path || '/' }
  }
  const named = parseSkillPath(item_id, item_type)
  if (named === undefined) return undefined
  const { segments, isFolder = false, space } = named
  for (let length = segments.length; length > 0; length--) {
    const id = segments.slice(0, length).join('/')
    if (idProblem(id) !== undefined) continue
    const skill = joinRef({ id, type: 'skill', ...(space && { space }) }, item_type, source)
    if (!workspace.has(skill)) continue
    const path = segments.slice(length).join('/')
    if (isFolder) return { skill, path: `${path}/` }
    return length === segments.length ? undefined : { skill, path }
  }
  const elsewhere = spaced ?? inOtherSpace(workspace, named, source)
  if (elsewhere) throw notInSpace(workspace, elsewhere)
  const id = segments.join('/')
  // No id ends with a slash, so only a skill can be meant; `find` throws, and names similar ones.
  if (isFolder && idProblem(id) === undefined)
    workspace.find(joinRef({ id, type: 'skill', ...(space && { space }) }, item_type, source))
  return undefined
}

/** A file of a skill that the named space does not have, but another does. */
function inOtherSpace(
  workspace: Workspace,
  { segments, space: named }: SkillPath,
  source: string | undefined,
): SpacedSkillPath | undefined {
  const space = named ?? (isSpace(source) ? source : undefined)
  if (space === undefined) return undefined
  for (let length = segments.length - 1; length > 0; length--) {
    const id = segments.slice(0, length).join('/')
    if (idProblem(id) === undefined && workspace.has({ type: 'skill', id }))
      return { id, space, path: segments.slice(length).join('/') }
  }
  return undefined
}

function notInSpace(workspace: Workspace, { id, space, path }: SpacedSkillPath): AppError {
  const other = OWN_SPACES.find(one => one !== space && workspace.has({ type: 'skill', id, space: one }))
  const there = other && { id, space: other, isSpaceNamed: true }
  const hint: Hint = there
    ? `there is one in the ${other} space: \`${path === '' ? printSkillFolder(there) : printSkillPath(there, shown(path))}\``
    : {
        agent: 'find skills with `search`',
        person: 'find skills with `rye search`, list them with `rye list`',
      }
  return new AppError('ITEM_NOT_FOUND', `no skill ${quoteText(id)} in the ${space} space`, { hint })
}

/**
 * Throws as `open` does if the skill may not be used, and `ITEM_NOT_FOUND` if the signed list has no such
 * file. For reading, the name may include a heading, as links do: `guide.md#usage`.
 */
export async function openSkillFile(
  workspace: Workspace,
  { skill, path: named }: NamedFile,
  use: 'read' | 'run',
): Promise<SkillFile> {
  const item = await workspace.open(skill)
  const path = use === 'read' && !item.parts.has(named) ? withoutAnchor(named) : named
  const bytes = item.parts.get(path)
  if (bytes === undefined) throw missing(item, named, skill.space)
  return { item, id: `${item.file.id}/${path}`, path, place: `${dirname(item.file.path)}/${path}`, bytes }
}

function withoutAnchor(path: string): string {
  return /^([^#]+)#/.exec(path)?.[1] ?? path
}

/**
 * What is not found may be a file of a skill, given without its type: the same failure, with a hint at that.
 */
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
  const name = { id: file.id, space: file.space, isSpaceNamed: space !== undefined }
  const details = { item_type: 'skill', item_id: file.id }
  const folder = path.replace(/\/?$/, '/')
  const inside = [...parts.keys()].filter(one => folder === '/' || one.startsWith(folder)).sort()
  if (inside.length > 0) {
    const isWhole = folder === '/'
    const got = isWhole ? 'its folder' : `the folder ${quoteText(folder, 120)}`
    const files = listNames(inside.map(one => `\`${printSkillPath(name, shown(one))}\``))
    return new AppError('ITEM_NOT_FOUND', `expected a file of the skill \`${file.id}\`, got ${got}`, {
      hint: isWhole
        ? `name the skill itself, \`${printSkillFolder(name)}\`, or one of its files: ${files}`
        : `files in it: ${files}`,
      details,
    })
  }
  return new AppError('ITEM_NOT_FOUND', `skill \`${file.id}\` has no file ${quoteText(path, 120)}`, {
    hint: hintAtFile(name, [...parts.keys()].sort(), path),
    details,
  })
}

function hintAtFile(skill: SkillName, names: readonly string[], path: string): string {
  // The file's own name may end like `@user`, which was read as a space.
  const own = `${path}@${skill.space}`
  if (skill.isSpaceNamed && names.includes(own))
    return `did you mean \`skill:${skill.id}/${shown(own)}@${skill.space}\`?`
  const [, before, word] = /^(.+)@([\w-]{1,40})$/.exec(path) ?? []
  if (before !== undefined && names.includes(before))
    return `\`${word}\` is no space; spaces are ${OWN_SPACES.join(', ')}: did you mean \`${printSkillPath(skill, shown(before))}\`?`
  const whole = withoutAnchor(path)
  const close = names.includes(whole)
    ? whole
    : (nearest(path, names)[0] ?? names.find(name => nameOf(name) === nameOf(path)))
  if (close) return `did you mean \`${printSkillPath(skill, shown(close))}\`?`
  return `its files: ${listNames(names.map(shown))}`
}

function listNames(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `${names.slice(0, MOST_NAMED).join(', ')}${more}`
}

function shown(name: string): string {
  return escapeHidden(name, { oneLine: true })
}
