// Links to a skill from the folder of a client, instead of copying it: the link follows every later edit,
// verified or not. It is relative and stays in one tree, so that it also works in a colleague's clone.
import { dirname, isAbsolute, join, relative } from 'node:path'
import { AppError } from '../../base/index.ts'
import { placeLink, readLink } from '../../files/index.ts'

/** The client folders that the library itself reads, and between which other installers make links. */
const CLIENT_FOLDERS = ['.claude/skills', '.agents/skills']

/** The folder that the link at `target` leads to; undefined if there is no link. */
export function linkedFolder(target: string): string | undefined {
  const text = readLink(target)
  return text === undefined ? undefined : join(isAbsolute(text) ? '' : dirname(target), text)
}

/** `base` is the project or the home; the user's space may be below it. */
export interface LinkPlace {
  readonly base: string
  readonly userSpace: string
}

/**
 * Whether a link has the form that `linkSkill` makes: relative, to a skill below `base`, and into
 * `.ai/skills`.
 */
export function isLibraryLink(target: string, { base, userSpace }: LinkPlace): boolean {
  return leadsInto(target, base, ['.ai/skills', join(relative(base, userSpace), '.ai/skills')])
}

/** Like `isLibraryLink`, but also accepts links into the folder of a client. */
export function isSkillLink(target: string, place: LinkPlace): boolean {
  return isLibraryLink(target, place) || leadsInto(target, place.base, CLIENT_FOLDERS)
}

function leadsInto(target: string, base: string, folders: readonly string[]): boolean {
  const text = readLink(target)
  if (text === undefined || isAbsolute(text)) return false
  const below = relative(base, join(dirname(target), text))
  return !below.startsWith('..') && folders.some(folder => below.startsWith(join(folder, '/')))
}

/** Throws if a link to the folder would lead out of `base`. */
export function checkLinkable(source: string, base: string): void {
  if (relative(base, source).startsWith('..'))
    throw new AppError('INVALID_INPUT', `\`${source}\` lies outside of \`${base}\``, {
      hint: 'a link to it would not hold elsewhere: install a copy, without --link',
    })
}

export function linkSkill(target: string, source: string, base: string): void {
  placeLink(target, relative(dirname(target), source), { root: base })
}
