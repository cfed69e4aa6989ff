import { defineConfig } from 'vitest/config'

// unit: pure code and small files, seconds. system: real processes, crashes, other programs.
// The times are for what hangs, not for what is slow: many times what a test takes on a machine that has nothing else to do.
export default defineConfig({
  test: {
    reporters: ['default', './test/reporter.ts'],
    // Half of the tests wait for other processes.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 180_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/system/**'] } },
      {
        extends: true,
        test: { name: 'system', include: ['test/system/**/*.test.ts'], testTimeout: 300_000 },
      },
    ],
  },
})
