// Folders that no item lies in, wherever they are: what other programs install, build or keep for themselves.
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git', '__pycache__', '.venv'])
