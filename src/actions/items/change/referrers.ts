// Finds the items that mention another one: when it is moved or removed, they break or become wrong. It
// searches their texts, since items name each other in many ways: as an executor, in a permission, in a step
// of a directive, in prose.
import { escapePattern } from '../../../base/index.ts'
import { ITEM_TYPES, nameOf, printRef, type SignedType } from '../../../item/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import type { Workspace } from '../../../workspace/index.ts'

export interface Referrer {
  /** `TYPE:ID@SPACE`. */
  readonly item: string
  readonly path: string
  /** The line of the first mention. */
  readonly line: number
}

/** Items of the project and the user that mention this one. Bundled items never depend on those. */
export function findReferrers(workspace: Workspace, { type, id, path }: ItemFile): Referrer[] {
  const pattern = mentionOf(type, id)
  return workspace.list(ITEM_TYPES).items.flatMap(found => {
    const { entry } = found
    if (entry.space === 'system' || entry.path === path || entry.type === 'config') return []
    // An unreadable file counts as mentioning nothing: nobody could act on it.
    const text = Buffer.from(workspace.tryRead(found)?.bytes ?? '').toString('utf8')
    const at = text.search(pattern)
    if (at === -1) return []
    const line = text.slice(0, at).split('\n').length
    return { item: printRef({ type: entry.type, id: entry.id, space: entry.space }), path: entry.path, line }
  })
}

/** A bare name may be any word, so it counts only with its type, in quotes, or after a key. */
export function mentionOf(type: SignedType, id: string): RegExp {
  const [plain, dotted] = [id, id.replaceAll('/', '.')].map(escapePattern)
  const [before, after] = ['(?<![\\w./@-])', '(?![\\w/-]|\\.\\w)']
  if (id.includes('/')) return new RegExp(`${before}(?:${type}:)?(?:${plain}|${dotted})${after}`)
  const name = escapePattern(nameOf(id))
  return new RegExp(
    `${before}(?:${type}:${plain}|(?<=["'\`])${name}(?=["'\`])|(?<=(?:executor_id|tool|requires)["']?\\s*[:=]\\s*)${name})${after}`,
  )
}
