// The files of a skill by folder. Pure.

export interface Folder<File> {
  /** Name of the folder; empty for the root. */
  readonly name: string
  readonly files: readonly { readonly name: string; readonly file: File }[]
  readonly folders: readonly Folder<File>[]
}

/** In the order of the list; folders come after the files beside them. */
export function growTree<File extends { readonly path: string }>(files: readonly File[]): Folder<File> {
  return folderOf('', files, file => file.path.split('/'))
}

function folderOf<File>(
  name: string,
  files: readonly File[],
  partsOf: (file: File) => readonly string[],
): Folder<File> {
  const own = files.filter(file => partsOf(file).length === 1)
  const inner = new Map<string, File[]>()
  for (const file of files) {
    const [first, ...rest] = partsOf(file)
    if (rest.length === 0) continue
    const group = inner.get(first!)
    if (group) group.push(file)
    else inner.set(first!, [file])
  }
  return {
    name,
    files: own.map(file => ({ name: partsOf(file)[0]!, file })),
    folders: [...inner].map(([folder, group]) => folderOf(folder, group, file => partsOf(file).slice(1))),
  }
}
