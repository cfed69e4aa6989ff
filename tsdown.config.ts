import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: { index: 'src/index.ts', rye: 'src/rye.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: true,
  clean: true,
  // Optional: imported when asked for, and it may not be there.
  external: ['@lancedb/lancedb', 'apache-arrow'],
  // Start-up is a promise: as one tree-shaken chunk the SDK and zod load in about half the time of their packages.
  noExternal: [/^@modelcontextprotocol\//, /^zod($|\/)/],
  inlineOnly: false,
  checks: { pluginTimings: false },
  outExtensions: () => ({ js: '.mjs', dts: '.d.mts' }),
})
