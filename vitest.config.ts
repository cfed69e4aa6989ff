import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { IS_TORTURE } from './test/fixtures/tries.ts'
import { SmallThenLarge } from './test/sequencer.ts'

// The end of a file's name says when it runs. Of the folders, only test/system matters: it starts real
// processes, the others start none.
//   .long.test.ts     takes seconds instead of milliseconds; left out of the inner loop
//   .torture.test.ts  kills at every step, damages, floods or uses large inputs; only in `npm run torture`
//   .peers.test.ts    other programs judge this one (the protocol's own suite, npm and a registry, the
//                     TypeScript compiler, shells, a browser); they do not depend on our Node version, so
//                     they too run only in `npm run torture`
const TORTURE_ALONE = 'test/**/*.{torture,peers}.test.ts'

// These timeouts are for tests that hang, not for slow ones: many times what a test takes on an idle machine.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: IS_TORTURE ? [] : [TORTURE_ALONE],
    reporters: ['default', './test/reporter.ts'],
    testTimeout: 300_000,
    hookTimeout: 180_000,
    expect: { requireAssertions: true },
    sequence: { sequencer: SmallThenLarge },
    // In CI one failure among thirty thousand tests is retried, and named at the end; locally it fails.
    retry: process.env.CI ? 1 : 0,
    globalSetup: './test/global-setup.ts',
    setupFiles: ['./test/setup.ts'],
    // Test files share processes and the modules loaded there, which halves the work. A test must leave no
    // state behind.
    isolate: false,
    // A larger young generation, so that less of a test's garbage is copied before it is collected: saves a
    // tenth of the time.
    execArgv: ['--min-semi-space-size=16'],
    // Tests mostly wait for real processes; more workers fill the time.
    maxWorkers: 2 * availableParallelism(),
    // Transformed files are kept by content, for the next run and for other Node versions, except those that
    // list other built-in modules: 24 begins anew.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
  },
})
