// One lane of `mutate.mjs`: a copy of the repository with its own test runner. It receives one mutant at a
// time, writes it into the copy, runs the tests until one fails, and reports which. The parent kills the lane
// when a mutant never ends.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'

/** Runs the test files in the given order, nearest first. */
class GivenOrder {
  sort = files => files
  shard = files => files
}

/** The results of this run only; the runner itself remembers all runs. */
let seen
const watcher = {
  onTestCaseResult(test) {
    if (test.result().state === 'failed') note(`${test.module.relativeModuleId}: ${test.fullName}`)
  },
  onTestModuleEnd(module) {
    if (module.errors().length > 0) note(`${module.relativeModuleId}: ${module.errors()[0].message}`)
    if (module.state() === 'passed') seen.passed += 1
  },
}

function note(failure) {
  seen.failure ??= failure
}

const [copy] = process.argv.slice(2)
const vitest = await createVitest('test', {
  root: copy,
  config: false,
  watch: false,
  include: ['test/**/*.test.ts'],
  isolate: false,
  // Only for tests that hang, as in vitest.config.ts.
  testTimeout: 60_000,
  maxWorkers: 1,
  bail: 1,
  reporters: [watcher],
  sequence: { sequencer: GivenOrder },
})
process.on('message', async ({ file, mutant, tests }) => process.send(await run(file, mutant, tests)))
process.on('disconnect', () => process.exit())
process.send('ready')

/** The first failure, if any. Without a mutant there must be none. */
async function run(file, mutant, tests) {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  const put = text => {
    writeFileSync(path, text)
    vitest.invalidateFile(path)
  }
  if (mutant) put(source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end))
  seen = { passed: 0, failure: undefined }
  try {
    const project = vitest.getRootProject()
    const specifications = tests.map(test => project.createSpecification(join(copy, test)))
    const { unhandledErrors } = await vitest.runTestSpecifications(specifications)
    if (unhandledErrors.length > 0) note(`outside of tests: ${unhandledErrors[0].message}`)
    if (seen.failure === undefined && seen.passed < tests.length) note('some tests did not run')
    return { failure: seen.failure }
  } finally {
    put(source)
    process.exitCode = 0
  }
}
