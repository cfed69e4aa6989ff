// Builds dist/: the digests of the bundled items and the extractors first, because they are compiled in, then the
// code, then the worker programs, the bundled tools as they run and their index. The reference pages are written from the same definitions.
import { cpSync } from 'node:fs'
import { packSqliteBinaries } from './sqlite-binaries.mjs'
import { runVisibly } from './step.mjs'

const node = process.execPath
const binaries = packSqliteBinaries()
const steps = [
  [node, ['scripts/check-model.mjs']],
  [node, ['scripts/system-manifest.mjs']],
  [node, ['scripts/system-extractors.mjs']],
  [node, ['node_modules/tsdown/dist/run.mjs', '--logLevel', 'warn']],
  [node, ['node_modules/vite/bin/vite.js', 'build', 'page']],
  [node, ['scripts/reference.mjs']],
  [node, ['--no-warnings', 'scripts/strip-system.mjs']],
]
await run(steps)

// Programs of other interpreters are files of their own: they are started, not imported.
cpSync('src/execute/workers/programs', 'dist/workers', { recursive: true })
await binaries.write('dist/sqlite')
// The licence of what the script of the page bundles.
cpSync('node_modules/preact/LICENSE', 'dist/page/preact-license.txt')
// The built program indexes its own items.
await run([[node, ['scripts/system-index.mjs']]])

async function run(steps) {
  for (const [command, args] of steps) {
    const status = await runVisibly(command, args)
    if (status !== 0) process.exit(status)
  }
}
