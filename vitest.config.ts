import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { IS_TORTURE } from './test/fixtures/tries.ts'
import { LongestFirst } from './test/sequencer.ts'

// The end of a file's name says when it runs, and only two folders say more: test/system has real processes, the rest has none.
//   .long.test.ts     in seconds instead of milliseconds: the inner loop leaves it out
//   .torture.test.ts  what is killed at every step, damaged, flooded or large: `npm run torture` alone
//   .peers.test.ts    what other programs make of this one (the protocol's own suite, npm and a registry, the TypeScript compiler,
//                     shells, a browser): they do not care which Node we run on, so `npm run torture` has them as well
const TORTURE_ALONE = 'test/**/*.{torture,peers}.test.ts'

// The times are for what hangs, not for what is slow: many times what a test takes on a machine that has nothing else to do.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: IS_TORTURE ? [] : [TORTURE_ALONE],
    reporters: ['default', './test/reporter.ts'],
    testTimeout: 300_000,
    hookTimeout: 180_000,
    expect: { requireAssertions: true },
    sequence: { sequencer: LongestFirst },
    // Before a change lands, one failure among thirty thousand is tried again, and named at the end; at one's desk it fails.
    retry: process.env.CI ? 1 : 0,
    globalSetup: './test/global-setup.ts',
    setupFiles: ['./test/setup.ts'],
    // Files of all kinds share a process and what it has loaded and compiled, which is half of the work: a test leaves both as it found them.
    isolate: false,
    // Room for what a test leaves behind, so that less of it is copied before it is collected: a tenth of the time.
    execArgv: ['--min-semi-space-size=16'],
    // Real processes are waited for more than they work; what runs beside them fills the time.
    maxWorkers: 2 * availableParallelism(),
    // What was transformed once is kept by its content, for the next run and the next Node.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
  },
})
