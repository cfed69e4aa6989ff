// Bundles one program of this folder, with the source it uses, so that plain Node can start it many times.
import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'

/** Path of the bundle, in a new folder that the caller removes. */
export async function buildProgram(name: string): Promise<{ folder: string; program: string }> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'rye-program-'))
  await build({
    entry: { [name]: fileURLToPath(new URL(`${name}.ts`, import.meta.url)) },
    outDir: folder,
    config: false,
    dts: false,
    format: 'esm',
    platform: 'node',
    external: ['smol-toml', '@lancedb/lancedb', 'apache-arrow', '@photostructure/sqlite'],
    logLevel: 'silent',
  })
  return { folder, program: join(folder, `${name}.mjs`) }
}
