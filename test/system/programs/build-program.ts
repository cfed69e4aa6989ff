// Bundles one program of this folder, with the source it uses, so that plain Node can start it many times. A
// process of its own does it: the bundler keeps a hundred megabytes, and ours would copy their tables at every
// later start of a process.
import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const BUNDLER = "import { build } from 'tsdown'; await build(JSON.parse(process.argv[1]))"

/** Path of the bundle, in a new folder that the caller removes. */
export async function buildProgram(name: string): Promise<{ folder: string; program: string }> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'rye-program-'))
  const options = {
    entry: { [name]: fileURLToPath(new URL(`${name}.ts`, import.meta.url)) },
    outDir: folder,
    config: false,
    dts: false,
    format: 'esm',
    platform: 'node',
    external: ['smol-toml', '@lancedb/lancedb', 'apache-arrow', '@photostructure/sqlite'],
    logLevel: 'silent',
    failOnWarn: false,
  }
  const words = ['--input-type=module', '-e', BUNDLER, JSON.stringify(options)]
  // Relative to this folder it finds our packages.
  await promisify(execFile)(process.execPath, words, { cwd: import.meta.dirname })
  return { folder, program: join(folder, `${name}.mjs`) }
}
