// Runs a script of package.json on another major version of Node, taken from the npm registry: `node scripts/on-node.mjs 22 test`.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
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
const folder = join(root, '.cache', `node-${Number(major)}`)
const node = join(folder, 'node_modules', name, 'bin', 'node')
if (!existsSync(node)) {
  // Unpacked beside its final place, so that an interrupted download never looks complete.
  const fetched = `${folder}.part`
  rmSync(fetched, { recursive: true, force: true })
  mkdirSync(fetched, { recursive: true })
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  const args = ['install', '--prefix', fetched, ...flags, `${name}@${Number(major)}`]
  await step(`fetching Node ${major}`, 'npm', args, { cwd: fetched })
  rmSync(folder, { recursive: true, force: true })
  renameSync(fetched, folder)
}
process.stderr.write(`· npm run ${script} on Node ${major}\n`)
const env = { ...process.env, PATH: [dirname(node), process.env.PATH].filter(Boolean).join(delimiter) }
process.exit(await runVisibly('npm', ['run', script, ...rest], { cwd: root, env }))
