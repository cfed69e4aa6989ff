// One lane of `mutate.mjs`: a copy of the repository with a test runner of its own. It is told of one mutant after the other,
// puts it into the copy, runs the tests until one fails, and says which. Whoever started it ends it when a mutant never ends.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'

/** Tests run in the order in which they are given, the nearest first. */
class GivenOrder {
  sort = files => files
  shard = files => files
}

/** What happened in this run; the runner itself remembers all runs. */
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
  // For what hangs, as in vitest.config.ts.
  testTimeout: 60_000,
  maxWorkers: 1,
  bail: 1,
  reporters: [watcher],
  sequence: { sequencer: GivenOrder },
})
process.on('message', async ({ file, mutant, tests }) => process.send(await run(file, mutant, tests)))
process.on('disconnect', () => process.exit())
process.send('ready')

/** The first failure, if there is one. Without a mutant there must be none. */
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
