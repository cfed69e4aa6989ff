// Writes the bundled TypeScript files without their types to dist/workers/stripped, named by the digest of
// the typed file. Otherwise the program would strip each one at its first call.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { registerTypeScript } from '../bench/typescript-hook.mjs'

registerTypeScript()
const { stripTypes } = await import('../src/execute/workers/strip-types.ts')

const TOOLS = 'system/.ai/tools'
const TARGET = 'dist/workers/stripped'

rmSync(TARGET, { recursive: true, force: true })
mkdirSync(TARGET, { recursive: true })
for (const path of readdirSync(TOOLS, { recursive: true }).filter(path => path.endsWith('.ts'))) {
  const bytes = readFileSync(join(TOOLS, path))
  const digest = createHash('sha256').update(bytes).digest('hex')
  writeFileSync(join(TARGET, `${digest}.js`), await stripTypes(bytes.toString('utf8'), path))
}
