import { delimiter, isAbsolute } from 'node:path'

/** Of a `PATH`. Entries such as `.`, `node_modules/.bin` and nothing at all mean another folder wherever somebody stands. */
export function absoluteFolders(path: string): string[] {
  return path.split(delimiter).filter(folder => isAbsolute(folder))
}
