// Every check before a change lands, except the slow tests: types, lint and format, unused code, package
// shape, and the unit tests, which include the layer order and the checks of the documents. The quick checks
// run in two lanes. `--without-tests` skips the tests, for when they have just been run.
import { runVisibly, step } from './step.mjs'

const lanes = [
  [
    ['types (tsc)', 'tsc', ['--noEmit']],
    ['types of the page (tsc)', 'tsc', ['--project', 'page']],
    ['package shape (publint)', 'publint', ['--strict']],
    ['unused files, exports and dependencies (knip)', 'knip', []],
  ],
  [
    ['lint and format (biome)', 'biome', ['ci', '--error-on-warnings', '.']],
    ['types of the package (attw)', 'attw', ['--pack', '.', '--profile', 'esm-only', '--quiet']],
  ],
]
await Promise.all(
  lanes.map(async steps => {
    for (const words of steps) await step(...words)
  }),
)
if (!process.argv.includes('--without-tests')) {
  const reporters = ['--reporter', 'dot', '--reporter', './test/reporter.ts']
  process.exit(await runVisibly('vitest', ['run', '--exclude', 'test/system/**', ...reporters]))
}
