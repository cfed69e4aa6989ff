// Makes a folder and those above it. Node's recursive `mkdir` never ends when a parent exists but the system
// reports ENOENT for making a folder in it, as below `/proc`.
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemErrorCode } from '../base/index.ts'

/** Follows links. Throws the system's error. */
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

/** Tolerates another process making it at the same time. */
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
