// Chooses what `skills install` copies. An installed copy may come first by precedence, as a copy in the
// project does before its source in the user's space. It is skipped; otherwise it would be updated from
// itself.
import { AppError, matchesStars, quoteText } from '../../base/index.ts'
import { parseRef } from '../../item/index.ts'
import type { ItemFile } from '../../scan/index.ts'
import type { ResolvedEntry } from '../../space/index.ts'
import { joinRef, type Workspace } from '../../workspace/index.ts'

type Found = ResolvedEntry<ItemFile>

export interface InstallSources {
  readonly sources: readonly Found[]
  /** Several names or a pattern were given. */
  readonly isMany: boolean
  /** Those of several names that match no skill, and why. */
  readonly unknown: readonly Failure[]
}

export interface Failure {
  readonly id: string
  readonly problem: AppError
}

/**
 * Finds skills by ids, separated by blanks or commas; `*` matches any text. With a single name, throws if it
 * matches no skill.
 */
export function findSources(
  workspace: Workspace,
  asked: string,
  isCopy: (file: ItemFile) => boolean,
): InstallSources {
  const words = splitNames(asked)
  const isMany = words.length > 1 || asked.includes('*')
  const found = new Map<string, Found>()
  const unknown: Failure[] = []
  for (const word of words) {
    try {
      for (const one of findNamed(workspace, word, isCopy)) found.set(one.entry.id, one)
    } catch (thrown) {
      if (!(thrown instanceof AppError) || words.length === 1) throw thrown
      unknown.push({ id: word.replace(/^skill:/, ''), problem: thrown })
    }
  }
  if (words.length === 0) throw nothingMatches(asked)
  return { sources: [...found.values()], isMany, unknown }
}

/** Throws `ITEM_NOT_FOUND` when nothing matches. */
function findNamed(workspace: Workspace, word: string, isCopy: (file: ItemFile) => boolean): Found[] {
  if (!word.includes('*')) {
    const one = findOne(workspace, word)
    // With no other source, the name means the copy itself.
    return [withoutCopies(one, isCopy) ?? one]
  }
  const matching = matchingSkills(workspace, word).flatMap(one => withoutCopies(one, isCopy) ?? [])
  if (matching.length === 0) throw nothingMatches(word)
  return matching
}

function nothingMatches(asked: string): AppError {
  return new AppError('ITEM_NOT_FOUND', `no skill matches ${quoteText(asked)}`, {
    hint: '`rye list --type skill` shows all that there are',
  })
}

/** Splits names at blanks and commas. */
export function splitNames(asked: string): string[] {
  return asked.split(/[\s,]+/).filter(word => word !== '')
}

function findOne(workspace: Workspace, word: string): Found {
  return workspace.find(joinRef(parseRef(word), 'skill', undefined))
}

function matchingSkills(workspace: Workspace, pattern: string): Found[] {
  const text = pattern.replace(/^skill:/, '')
  const { items } = workspace.list(['skill'])
  return items.filter(({ entry, shadowedBy }) => shadowedBy === null && matchesStars(text, entry.id))
}

/** Undefined if all of them are copies. */
export function withoutCopies(found: Found, isCopy: (file: ItemFile) => boolean): Found | undefined {
  const [entry, ...shadows] = [found.entry, ...found.shadows].filter(file => !isCopy(file))
  return entry && { ...found, entry, shadows }
}
