import { defineConfig } from 'vitest/config'

// unit: pure code and small files, seconds. system: real processes, crashes, other programs.
export default defineConfig({
  test: {
    reporters: ['default', './test/reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/system/**'] } },
      {
        extends: true,
        test: { name: 'system', include: ['test/system/**/*.test.ts'], testTimeout: 180_000 },
      },
    ],
  },
})
