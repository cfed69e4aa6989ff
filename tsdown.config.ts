import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: { index: 'src/index.ts', rye: 'src/rye.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: true,
  clean: true,
  checks: { pluginTimings: false },
  outExtensions: () => ({ js: '.mjs', dts: '.d.mts' }),
})
