// Merges an item that was changed both here and in its source since it was taken. If the changes conflict,
// the files here stay, and the newer ones are set aside for a person to compare. Either way nothing that
// somebody wrote is lost.
import { join } from 'node:path'
import { isText, mergeLines, quoteShellWord } from '../../base/index.ts'
import { atomicWrite } from '../../files/index.ts'
import { folderOf } from '../../item/index.ts'
import type { LockedItem } from '../../sources/index.ts'
import { bareContent, SKILL_SIGNATURE } from '../../trust/index.ts'
import type { AcceptedFiles } from '../../user/index.ts'
import type { Library, Workspace } from '../../workspace/index.ts'
import type { IncomingItem } from './incoming.ts'
import { acceptedContent } from './locked-items.ts'
import { placeOf, presentFiles, type Target } from './target.ts'

type Files = ReadonlyMap<string, Uint8Array>

export interface EditedHere {
  readonly item: IncomingItem
  readonly locked: LockedItem
  /** What was accepted on this machine. */
  readonly kept: AcceptedFiles
}

export type Merged =
  | { readonly item: IncomingItem; readonly files: Files }
  /** The command that compares the files here with those set aside. */
  | { readonly item: IncomingItem; readonly compare: string }

export function mergeEdits(
  { library, extractors }: Workspace,
  target: Target,
  { item, locked, kept }: EditedHere,
): Merged {
  const base = acceptedContent(kept, locked)
  const bare = bareOf(item, extractors)
  const ours = bare(presentFiles(target, item.name))
  const files = base && mergeFiles(bare(base), ours, bare(item.files))
  return files ? { item, files } : { item, compare: setAside(library, target, item) }
}

/** Removes signatures: they belong to one state or the other, not to the merged one. */
function bareOf({ found, name }: IncomingItem, extractors: Workspace['extractors']): (files: Files) => Files {
  const { type, extension } = found
  const below = name.slice(name.indexOf(':') + 1)
  if (type === 'skill')
    return files => new Map([...files].filter(([path]) => path !== `${below}/${SKILL_SIGNATURE}`))
  const id = below.slice(0, -extension.length)
  const format = extractors.get(type)!.signatureFormats.get(extension)!
  return files => new Map([[below, bareContent({ type, id, extension, format, bytes: files.get(below)! })]])
}

/** Undefined if the changes to some file conflict. */
function mergeFiles(base: Files, ours: Files, theirs: Files): Files | undefined {
  const merged = new Map<string, Uint8Array>()
  for (const path of new Set([...ours.keys(), ...theirs.keys()])) {
    const [was, own, other] = [base.get(path), ours.get(path), theirs.get(path)]
    const file = isSame(own, other) || isSame(was, other) ? own : isSame(was, own) ? other : 'both'
    if (file !== 'both') {
      if (file) merged.set(path, file)
      continue
    }
    const [before, mine, newer] = [was, own, other].map(textIn)
    const isText = before !== undefined && mine !== undefined && newer !== undefined
    const text = isText ? mergeLines(before, mine, newer) : undefined
    if (text === undefined) return undefined
    merged.set(path, Buffer.from(text))
  }
  return merged
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0
}

function textIn(bytes: Uint8Array | undefined): string | undefined {
  return bytes !== undefined && isText(bytes) ? Buffer.from(bytes).toString('utf8') : undefined
}

/** Writes to the user's state of the space, from where nothing is used. */
function setAside(library: Library, target: Target, { found, name, files }: IncomingItem): string {
  const root = library.states.make(target.base).path
  const below = name.slice(name.indexOf(':') + 1)
  const folder = join(root, 'set-aside', folderOf(found.type))
  const place = join(folder, ...below.split('/'))
  for (const [path, bytes] of files)
    atomicWrite(join(folder, path), bytes, { root, mode: 0o600, folderMode: 0o700 })
  return `git diff --no-index ${[placeOf(target, name), place].map(quoteShellWord).join(' ')}`
}
