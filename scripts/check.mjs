// Everything that is checked before a change lands, short of the slow tests: types, lint and format, unused code,
// package shape, and the unit tests, among them the order of the layers and the truth of the documents.
// `--without-tests` is for whoever has just run them all.
import { runVisibly, step } from './step.mjs'

await step('types (tsc)', 'tsc', ['--noEmit'])
await step('types of the page (tsc)', 'tsc', ['--project', 'page'])
await step('lint and format (biome)', 'biome', ['ci', '--error-on-warnings', '.'])
await step('unused files, exports and dependencies (knip)', 'knip', [])
await step('package shape (publint)', 'publint', ['--strict'])
await step('types of the package (attw)', 'attw', ['--pack', '.', '--profile', 'esm-only', '--quiet'])
if (!process.argv.includes('--without-tests')) {
  const reporters = ['--reporter', 'dot', '--reporter', './test/reporter.ts']
  process.exit(await runVisibly('vitest', ['run', '--exclude', 'test/system/**', ...reporters]))
}
