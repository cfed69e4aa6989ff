// The name of a file of a skill: `skill:ID/path`, `skill:ID/path@SPACE` or `skill:ID@SPACE/path`. The path is none on disk: its parts are
// compared with ids, and with the names of a signed list.
import { isSpace, type Space } from './space.ts'

export interface SkillPath {
  readonly segments: readonly string[]
  /** A slash ends it: no file is called so. */
  readonly isFolder?: boolean
  readonly space?: Space
}

export interface SpacedSkillPath {
  readonly id: string
  readonly space: Space
  readonly path: string
}

/** A skill as its files are named after it. */
export interface SkillName {
  readonly id: string
  readonly space: Space
  /** Whether it was asked for in this space: then another skill may have the name without it. */
  readonly isSpaceNamed: boolean
}

/**
 * Reads `skill:ID/path` and `skill:ID/path@SPACE`, the prefix left out if the type is known. Names of files may hold what ids may not, `@`
 * too: only the name of a space behind it is one. Undefined for what cannot be such a path, for `parseRef` to judge.
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

/** Reads `skill:ID@SPACE/path`, where nothing of the path can be taken for a space. It is empty for the folder itself, `skill:ID@SPACE/`. */
export function parseSpacedSkillPath(text: string, type?: string): SpacedSkillPath | undefined {
  const [, id, space, path] = /^([^@]+)@([a-z]+)\/(.*)$/s.exec(withoutPrefix(text, type) ?? '') ?? []
  return id !== undefined && isSpace(space) && path !== undefined ? { id, space, path } : undefined
}

function withoutPrefix(text: string, type: string | undefined): string | undefined {
  const prefix = 'skill:'
  if (text.startsWith(prefix)) return text.slice(prefix.length)
  return type === 'skill' ? text : undefined
}

/** The folder of a skill, to be followed by a path. */
export function printSkillFolder({ id, space, isSpaceNamed }: SkillName): string {
  return `skill:${id}${isSpaceNamed ? `@${space}` : ''}`
}

/** With the space also where something in the path could be taken for one. */
export function printSkillPath(skill: SkillName, path: string): string {
  const isAmbiguous = Array.from(path.matchAll(/@([a-z]+)(?=\/|$)/g)).some(([, word]) => isSpace(word))
  return `${printSkillFolder(isAmbiguous ? { ...skill, isSpaceNamed: true } : skill)}/${path}`
}
