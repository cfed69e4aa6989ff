// Builds dist/. The digests of the bundled items and their extractors come first, because they are compiled
// in; then the code, the worker programs, the bundled tools as they run, and the index of those items. The
// reference pages are written from the same definitions.
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

// Programs for other interpreters stay separate files: they are started, not imported.
cpSync('src/execute/workers/programs', 'dist/workers', { recursive: true })
await binaries.write('dist/sqlite')
// The licence of the code bundled into the page's script.
cpSync('node_modules/preact/LICENSE', 'dist/page/preact-license.txt')
// The built program indexes its own items.
await run([[node, ['scripts/system-index.mjs']]])

async function run(steps) {
  for (const [command, args] of steps) {
    const status = await runVisibly(command, args)
    if (status !== 0) process.exit(status)
  }
}
