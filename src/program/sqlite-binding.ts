// Replaces `node-gyp-build` in the bundled program: loads the binary of SQLite from where its package keeps it. `node-gyp-build`
// searches folders and manifests, which costs half as much as a search of the library; it is used where the binary is elsewhere.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const PACKAGE = '@photostructure/sqlite'

// biome-ignore lint/style/noDefaultExport: the name under which it is asked for
export default function loadBinding(): unknown {
  const load = createRequire(import.meta.url)
  const folder = (load.resolve.paths(PACKAGE) ?? [])
    .map(modules => join(modules, PACKAGE))
    .find(candidate => existsSync(candidate))
  if (folder === undefined) throw new Error(`the package ${PACKAGE} is not installed`)
  const libc = existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
  const target = `${process.platform}-${process.arch}`
  const binary = join(folder, 'prebuilds', target, `${PACKAGE.replace('/', '+')}.${libc}.node`)
  const usual = !existsSync(join(folder, 'build')) && existsSync(binary)
  return usual ? load(binary) : createRequire(join(folder, 'package.json'))('node-gyp-build')(folder)
}
