import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// What other programs make of this one: the protocol's own suite, npm and a registry, the TypeScript compiler, shells, a browser.
const PEERS = [
  'test/system/cli-completion.test.ts',
  'test/system/documents.test.ts',
  'test/system/first-minutes.test.ts',
  'test/system/library-page.test.ts',
  'test/system/library-registry.test.ts',
  'test/system/mcp-conformance.test.ts',
  'test/system/mcp-real-servers.test.ts',
  'test/system/registry-sources.test.ts',
  'test/system/ui-*.test.ts',
]

const LONG = 'test/**/*.long.test.ts'
const TORTURE = 'test/**/*.torture.test.ts'

// Node reads further authorities at every start, some 70 ms for a system's whole list; only the peers speak with other machines.
const env = { NODE_EXTRA_CA_CERTS: '' }

// unit: pure code and small files, for the inner loop. long: the same, in seconds instead of milliseconds. system: real processes.
// `npm test` is these three. `npm run torture` is all: torture has what is killed at every step, damaged, flooded, or large;
// peers are programs that do not care which Node we run on, so that one is enough.
// The times are for what hangs, not for what is slow: many times what a test takes on a machine that has nothing else to do.
export default defineConfig({
  test: {
    reporters: ['default', './test/reporter.ts'],
    testTimeout: 300_000,
    hookTimeout: 180_000,
    expect: { requireAssertions: true },
    // Before a change lands, one failure among thirty thousand is tried again, and named at the end; at one's desk it fails.
    retry: process.env.CI ? 1 : 0,
    globalSetup: './test/global-setup.ts',
    // Files share a process and what it has loaded, which is half of the work: a test leaves both as it found them.
    isolate: false,
    // Real processes are waited for more than they work; what runs beside them, in one group with them, fills the time.
    maxWorkers: 2 * availableParallelism(),
    // What was transformed once is kept by its content, for the other projects, the next run and the next Node.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    projects: [
      ...[
        { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/system/**', LONG, TORTURE] },
        { name: 'long', include: [LONG] },
      ].map(project => ({
        extends: true as const,
        test: {
          ...project,
          env,
          setupFiles: ['./test/setup.ts'],
          testTimeout: 60_000,
        },
      })),
      ...[
        { name: 'system', include: ['test/system/**/*.test.ts'], exclude: [LONG, TORTURE, ...PEERS], env },
        { name: 'torture', include: [TORTURE], env },
        { name: 'peers', include: PEERS, exclude: [LONG, TORTURE] },
      ].map(project => ({
        extends: true as const,
        test: project,
      })),
    ],
  },
})
