// The name of a file in a skill: `skill:ID/path`, `skill:ID/path@SPACE` or `skill:ID@SPACE/path`. The path is
// never used as a path on disk: its segments are only compared with ids and with the names in a signed list.
import { isSpace, type Space } from './space.ts'

export interface SkillPath {
  readonly segments: readonly string[]
  /** It ends with a slash, so it cannot name a file. */
  readonly isFolder?: boolean
  readonly space?: Space
}

export interface SpacedSkillPath {
  readonly id: string
  readonly space: Space
  readonly path: string
}

/** The part of a file's name that stands for its skill. */
export interface SkillName {
  readonly id: string
  readonly space: Space
  /** Whether the caller named this space. If so, another skill may have the same name without the space. */
  readonly isSpaceNamed: boolean
}

/**
 * Reads `skill:ID/path` and `skill:ID/path@SPACE`; the prefix may be left out when the type is known. File
 * names may contain characters that ids may not, including `@`, so only `@` followed by the name of a space
 * counts as a space. Undefined for text that cannot be such a path; `parseRef` judges that.
 */
export function parseSkillPath(text: string, type?: string): SkillPath | undefined {
  const rest = withoutPrefix(text, type)
  if (rest === undefined) return undefined
  const at = rest.lastIndexOf('@')
  const word = rest.slice(at + 1)
  const space = at !== -1 && isSpace(word) ? word : undefined
  const segments = rest.slice(0, space === undefined ? undefined : at).split('/')
  const isFolder = segments.length > 1 && segments.at(-1) === ''
  if (segments.length < 2 || segments.some(segment => segment === '.' || segment === '..')) return undefined
  if (isFolder) segments.pop()
  if (segments.includes('')) return undefined
  return { segments, ...(isFolder && { isFolder }), ...(space && { space }) }
}

/**
 * Reads `skill:ID@SPACE/path`, where nothing in the path can be mistaken for a space. The path is empty for
 * the folder itself, `skill:ID@SPACE/`.
 */
export function parseSpacedSkillPath(text: string, type?: string): SpacedSkillPath | undefined {
  const [, id, space, path] = /^([^@]+)@([a-z]+)\/(.*)$/s.exec(withoutPrefix(text, type) ?? '') ?? []
  return id !== undefined && isSpace(space) && path !== undefined ? { id, space, path } : undefined
}

function withoutPrefix(text: string, type: string | undefined): string | undefined {
  const prefix = 'skill:'
  if (text.startsWith(prefix)) return text.slice(prefix.length)
  return type === 'skill' ? text : undefined
}

/** The prefix of a skill's file names; a path follows it. */
export function printSkillFolder({ id, space, isSpaceNamed }: SkillName): string {
  return `skill:${id}${isSpaceNamed ? `@${space}` : ''}`
}

/** Adds the space also when something in the path could be mistaken for one. */
export function printSkillPath(skill: SkillName, path: string): string {
  const isAmbiguous = Array.from(path.matchAll(/@([a-z]+)(?=\/|$)/g)).some(([, word]) => isSpace(word))
  return `${printSkillFolder(isAmbiguous ? { ...skill, isSpaceNamed: true } : skill)}/${path}`
}
