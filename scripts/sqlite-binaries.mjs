// Copies the binaries of SQLite that we publish from the package that built them, for Node before 22.16; newer ones have SQLite of their own.
import { cpSync, existsSync } from 'node:fs'

/** Names of the package's folders and libraries. Windows and Alpine on ARM are left out: together 4.6 MB for an old Node alone. */
const TARGETS = [
  ['linux-x64', 'glibc'],
  ['linux-x64', 'musl'],
  ['linux-arm64', 'glibc'],
  ['darwin-x64', 'glibc'],
  ['darwin-arm64', 'glibc'],
  ['win32-x64', 'glibc'],
]

export function copySqliteBinaries(to) {
  for (const [target, libc] of TARGETS) {
    const from = `node_modules/@photostructure/sqlite/prebuilds/${target}/@photostructure+sqlite.${libc}.node`
    if (!existsSync(from)) throw new Error(`the package of SQLite has no ${from}`)
    cpSync(from, `${to}/${target}${libc === 'musl' ? '-musl' : ''}.node`)
  }
}
