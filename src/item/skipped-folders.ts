// Names that no item has, at any depth: folders that other programs install, build or keep for themselves.
// Names that begin with `_` are no items either.
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git', '__pycache__', '.venv'])

/** Whether a segment begins with `_`. No item has such a name, but files that tools use beside them do. */
export function isUnderscored(path: string): boolean {
  return path.split('/').some(segment => segment.startsWith('_'))
}
