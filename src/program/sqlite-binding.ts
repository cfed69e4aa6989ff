// Replaces `node-gyp-build` in our bundles: loads the SQLite binary beside our code, where Node has no SQLite
// of its own. `node-gyp-build` searches folders and manifests, which takes half as long as a search of the
// library. The build puts the binaries there (`scripts/build.mjs`).
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../base/index.ts'
import { binaryPlaces, loadPacked, type PackedBinary } from './packed-binary.ts'

// biome-ignore lint/style/noDefaultExport: the name under which it is asked for
export default function loadBinding(): unknown {
  const libc = existsSync('/etc/alpine-release') ? '-musl' : ''
  const target = `${process.platform}-${process.arch}${libc}`
  const code = dirname(import.meta.filename)
  const path = join(code, 'sqlite', `${target}.node.br`)
  if (!existsSync(path)) {
    throw new AppError('INTERPRETER_MISSING', `Node ${process.versions.node} has no SQLite for ${target}`, {
      hint: 'use Node 22.16 or newer, which has its own',
    })
  }
  // Written by the build, keyed by target.
  const contents: Record<string, Pick<PackedBinary, 'digest' | 'size'>> = JSON.parse(
    readFileSync(join(code, 'sqlite', 'contents.json'), 'utf8'),
  )
  return loadPacked(
    { path, name: `sqlite-${target}.node`, ...contents[target]! },
    binaryPlaces(dirname(code), process.env),
    loadNative,
  )
}

/** What `require` does, without looking for the package's manifest first. */
function loadNative(path: string): unknown {
  const module = { exports: {} }
  process.dlopen(module, path)
  return module.exports
}
