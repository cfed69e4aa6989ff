// Runs a script of package.json on another major version of Node, taken from the npm registry: `node scripts/on-node.mjs 22 test`.
import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runVisibly, step } from './step.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const [major, script, ...rest] = process.argv.slice(2)
if (!/^\d+$/.test(major ?? '') || script === undefined) {
  const words = process.argv.slice(2).join(' ')
  process.stderr.write(
    `expected a major version of Node and a script such as \`22 test\`, got \`${words}\`\n`,
  )
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
process.stderr.write(`· npm run ${script} on Node ${major}\n`)
const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
process.exit(await runVisibly('npm', ['run', script, ...rest], { cwd: root, env }))
