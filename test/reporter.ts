// The last line of a run, for people and machines: `N passed, N failed`. Skipped tests are counted too, so
// that none goes unnoticed; in CI they fail the run. A test that passed only on its second try is named, with
// its first failure. Among the attacks that counts as a failure: an attack that worked once has worked.
import type { Reporter, TestCase, TestModule } from 'vitest/node'

const ATTACKS = /[\\/]attacks[\\/]/

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let passed = 0
    let failed = 0
    let skipped = 0
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        const isFlaky = test.diagnostic()?.flaky === true
        if (isFlaky) nameFlaky(test)
        if (isFlaky && ATTACKS.test(module.moduleId)) {
          failed += 1
          process.exitCode = 1
        } else if (state === 'passed') passed += 1
        else if (state === 'failed') failed += 1
        else skipped += 1
      }
      if (module.errors().length > 0) failed += 1
    }
    if (skipped > 0 && process.env.CI) {
      failed += skipped
      process.exitCode = 1
      console.error(`${skipped} tests were skipped; in CI nothing may be skipped`)
    }
    console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  }
}

function nameFlaky(test: TestCase): void {
  const [first] = test.result().errors ?? []
  console.error(
    `passed at the second try only: ${test.module.moduleId} > ${test.fullName}\n${first?.stack ?? ''}`,
  )
}
