// Decides which file makes a folder an item. Authors also write `skill.md` and `Skill.md`. When several names
// differ only in case, the extractor's spelling wins, then the one in lower case.
import type { Extractor } from './types.ts'

type Named = Pick<Extractor, 'itemFile' | 'extensions'>

export interface ItemFileName {
  readonly name: string
  /** With its dot. */
  readonly extension: string
}

/** The extension of a file that makes its folder an item; undefined for any other name. */
export function itemFileExtension({ itemFile, extensions }: Named, name: string): string | undefined {
  if (itemFile === null) return undefined
  // There are many names, and the length alone rules out most of them.
  return extensions.find(
    extension =>
      name.length === itemFile.length + extension.length &&
      name.toLowerCase() === `${itemFile}${extension}`.toLowerCase(),
  )
}

/** Chooses the item's file among the names in one folder: one for each extension. */
export function chooseItemFiles(extractor: Named, names: Iterable<string>): ItemFileName[] {
  const chosen = new Map<string, string>()
  for (const name of names) {
    const extension = itemFileExtension(extractor, name)
    if (extension === undefined) continue
    const other = chosen.get(extension)
    const usual = `${extractor.itemFile}${extension}`
    if (other === undefined || rank(name, usual) < rank(other, usual)) chosen.set(extension, name)
  }
  return Array.from(chosen, ([extension, name]) => ({ name, extension }))
}

/** Compared with `<`. Even two odd spellings have an order that does not depend on the file system. */
function rank(name: string, usual: string): string {
  return `${name === usual ? 0 : name === usual.toLowerCase() ? 1 : 2} ${name}`
}
