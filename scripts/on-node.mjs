// Runs the test suite on another major version of Node, taken from the npm registry: `node scripts/on-node.mjs 22`.
// All of it but what other programs make of this one (`peers` in vitest.config.ts).
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runVisibly, step } from './step.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const major = process.argv[2]
if (!/^\d+$/.test(major ?? '')) {
  process.stderr.write(`expected a major version of Node such as \`22\`, got \`${major ?? ''}\`\n`)
  process.exit(2)
}

// The package `node` fetches its binary in an install script; the binary's own package needs none.
const name = `node-${process.platform}-${process.arch}`
const folder = join(root, '.cache', `node-${major}`)
const node = join(folder, 'node_modules', name, 'bin', 'node')
if (!existsSync(node)) {
  mkdirSync(folder, { recursive: true })
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${name}@${major}`,
  ]
  await step(`fetching Node ${major}`, 'npm', args, { cwd: folder })
}
const effort = process.env.TORTURE === '1' ? ', every race at its full count' : ''
process.stderr.write(`· the suite on Node ${major}${effort}\n`)
const words = ['run', '--project', '!peers', ...process.argv.slice(3)]
process.exit(await runVisibly(node, ['node_modules/vitest/vitest.mjs', ...words], { cwd: root }))
