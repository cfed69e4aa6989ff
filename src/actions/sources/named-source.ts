// Reads the address of a source that a person or a lock names.
import { statSync } from 'node:fs'
import { posix } from 'node:path'
import { type LockedSource, readAddress, type SourceAddress, withRef } from '../../sources/index.ts'
import { homeOf, type Library } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { resolvePath } from '../definition/resolve-path.ts'

/** Throws `INVALID_INPUT`. */
export function nameSource(context: ActionContext, text: string, ref?: string): SourceAddress {
  const find = (path: string) => lookUp(resolvePath(context, expandHome(context.library, path)))
  return withRef(readAddress(text, find), ref)
}

/** `base` is the folder that holds the lock; paths in the lock are relative to it. */
export function lockedAddress(
  { source, ref }: Pick<LockedSource, 'source' | 'ref'>,
  base: string,
): SourceAddress {
  const isPath = /^\.{1,2}(?:\/|$)/.test(source)
  if (!isPath)
    return withRef(
      readAddress(source, path => ({ path, kind: 'nothing' })),
      ref,
    )
  const path = posix.join(base, source)
  const { kind } = lookUp(path)
  if (kind === 'nothing')
    return { kind: /\.(?:tgz|tar\.gz|tar|zip)$/i.test(path) ? 'archive' : 'folder', path }
  return readAddress(source, () => ({ path, kind }))
}

function lookUp(path: string) {
  const stat = statSync(path, { throwIfNoEntry: false })
  const kind = stat?.isDirectory() ? 'folder' : stat?.isFile() ? 'file' : 'nothing'
  return { path, kind } as const
}

function expandHome({ environment }: Library, path: string): string {
  return /^~(?:\/|$)/.test(path) ? `${homeOf(environment)}${path.slice(1)}` : path
}
