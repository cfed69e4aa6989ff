// Imports a part of `src/` bundled, as it is shipped. Loaded file by file through a hook, every lazy import
// would pay for the hook again, and the measurement would include the hook.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'tsdown'

/**
 * The exports of `src/PATH`. The bundle is built below the project, so that packages are found, and removed
 * when the process ends.
 */
export async function importBundled(path) {
  const cache = fileURLToPath(new URL('../.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({
    entry: { part: fileURLToPath(new URL(`../src/${path}`, import.meta.url)) },
    outDir: folder,
    config: false,
    dts: false,
    format: 'esm',
    platform: 'node',
    external: ['@lancedb/lancedb', 'apache-arrow'],
    logLevel: 'silent',
  })
  return import(pathToFileURL(join(folder, 'part.mjs')).href)
}
