// The closing line of a run, in words that people and machines read alike: `N passed, N failed`.
// A skipped test is counted as well, so that none goes unseen; in CI it fails the run.
import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let passed = 0
    let failed = 0
    let skipped = 0
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed += 1
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
