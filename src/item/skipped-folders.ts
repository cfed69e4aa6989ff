// Names that no item has, wherever they are: folders that other programs install, build or keep for themselves, and what begins with `_`.
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git', '__pycache__', '.venv'])

/** Whether a path or an id has a segment that begins with `_`: no item is called so, but files that tools use beside them are. */
export function isUnderscored(path: string): boolean {
  return path.split('/').some(segment => segment.startsWith('_'))
}
