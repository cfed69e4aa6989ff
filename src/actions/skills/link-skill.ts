// A link to a skill in the folder of a client, in place of a copy: it follows every later edit, verified or not. It is relative and stays
// in one tree, so that it means the same in a colleague's clone.
import { dirname, isAbsolute, join, relative } from 'node:path'
import { AppError } from '../../base/index.ts'
import { placeLink, readLink } from '../../files/index.ts'

const SKILL_FOLDERS = ['.ai/skills', '.claude/skills', '.agents/skills']

/** The folder that the link at `target` leads to; undefined if there is no link. */
export function linkedFolder(target: string): string | undefined {
  const text = readLink(target)
  return text === undefined ? undefined : join(isAbsolute(text) ? '' : dirname(target), text)
}

/** Whether a link is one as `linkSkill` makes them: relative, and to a skill in one of these folders below `base`. */
export function isSkillLink(
  target: string,
  base: string,
  folders: readonly string[] = SKILL_FOLDERS,
): boolean {
  const text = readLink(target)
  if (text === undefined || isAbsolute(text)) return false
  const below = relative(base, join(dirname(target), text)).replaceAll('\\', '/')
  return folders.some(folder => below.startsWith(`${folder}/`))
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
