// Which file makes a folder an item. Authors write `skill.md` and `Skill.md` as well; where several differ
// only in case, the name of the extractor counts, then the one in lower case.
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
  // Most names have another length, and there are many of them.
  return extensions.find(
    extension =>
      name.length === itemFile.length + extension.length &&
      name.toLowerCase() === `${itemFile}${extension}`.toLowerCase(),
  )
}

/** Of the names in one folder, the file of each extension that is the item. */
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

/** Comparable with `<`: also two odd spellings have an order that does not depend on the file system. */
function rank(name: string, usual: string): string {
  return `${name === usual ? 0 : name === usual.toLowerCase() ? 1 : 2} ${name}`
}
