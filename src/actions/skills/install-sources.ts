// What `skills install` copies. A copy that was installed before may come first by precedence, as one in the project does before its
// source in the user's space: it is passed over, or it would be brought up to date with itself.
import { AppError, matchesStars } from '../../base/index.ts'
import { parseRef } from '../../item/index.ts'
import type { ItemFile } from '../../scan/index.ts'
import type { ResolvedEntry } from '../../space/index.ts'
import { joinRef, type Workspace } from '../../workspace/index.ts'

type Found = ResolvedEntry<ItemFile>

export interface InstallSources {
  readonly sources: readonly Found[]
  /** More than one was asked for, or a pattern. */
  readonly isMany: boolean
}

/** Ids with blanks or commas between them; `*` stands for any letters. */
export function findSources(
  workspace: Workspace,
  asked: string,
  isCopy: (file: ItemFile) => boolean,
): InstallSources {
  const words = splitNames(asked)
  const isMany = words.length > 1 || asked.includes('*')
  const found = new Map<string, Found>()
  for (const word of words) {
    const matching = word.includes('*') ? matchingSkills(workspace, word) : [findOne(workspace, word)]
    for (const one of matching) {
      const source = withoutCopies(one, isCopy)
      if (source) found.set(source.entry.id, source)
      // Without another source, the copy itself is what was named.
      else if (!word.includes('*')) found.set(one.entry.id, one)
    }
  }
  if (found.size > 0) return { sources: [...found.values()], isMany }
  throw new AppError('ITEM_NOT_FOUND', `no skill matches \`${asked}\``, {
    hint: '`rye list --type skill` shows all that there are',
  })
}

/** With blanks or commas between them. */
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

/** Undefined if there is nothing but copies. */
export function withoutCopies(found: Found, isCopy: (file: ItemFile) => boolean): Found | undefined {
  const [entry, ...shadows] = [found.entry, ...found.shadows].filter(file => !isCopy(file))
  return entry && { ...found, entry, shadows }
}
