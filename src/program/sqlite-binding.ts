// Replaces `node-gyp-build` in our bundles: loads the binary of SQLite that lies beside our code, where Node has none of its own. `node-gyp-build`
// searches folders and manifests, which costs half as much as a search of the library. The build puts the binaries there (`scripts/build.mjs`).
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { AppError } from '../base/index.ts'

// biome-ignore lint/style/noDefaultExport: the name under which it is asked for
export default function loadBinding(): unknown {
  const libc = existsSync('/etc/alpine-release') ? '-musl' : ''
  const target = `${process.platform}-${process.arch}${libc}`
  const binary = join(import.meta.filename, '..', 'sqlite', `${target}.node`)
  if (existsSync(binary)) return createRequire(import.meta.url)(binary)
  throw new AppError('INTERPRETER_MISSING', `Node ${process.versions.node} has no SQLite for ${target}`, {
    hint: 'use Node 22.16 or newer, which has its own',
  })
}
