// Makes a folder and those above it. Node's own way of doing so never ends where a folder cannot be made in one that exists and the
// system says that something is missing, as below `/proc`.
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemErrorCode } from '../base/index.ts'

/** Links on the way are followed. Throws what the system says. */
export function makeFolders(path: string, mode?: number): void {
  const above = dirname(path)
  try {
    makeOne(path, mode)
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'ENOENT' || above === path) throw thrown
    makeFolders(above, mode)
    makeOne(path, mode)
  }
}

/** Another process may be making it as well. */
function makeOne(path: string, mode: number | undefined): void {
  try {
    mkdirSync(path, { mode })
  } catch (thrown) {
    if (!isFolder(path)) throw thrown
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
