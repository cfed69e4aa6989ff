// Builds dist/: the digests of the bundled items first, because they are compiled in, then the code,
// then the worker programs. The reference pages are written from the same definitions.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { runVisibly } from './step.mjs'

const node = process.execPath
const steps = [
  [node, ['scripts/system-manifest.mjs']],
  [node, ['node_modules/tsdown/dist/run.mjs', '--logLevel', 'warn']],
  [node, ['scripts/reference.mjs']],
]
for (const [command, args] of steps) {
  const status = await runVisibly(command, args)
  if (status !== 0) process.exit(status)
}

// Programs of other interpreters are files of their own: they are started, not imported.
cpSync('src/execute/workers', 'dist/workers', { recursive: true })
writeFileSync('dist/third-party-licenses.txt', licensesOfBundled())

/** Packages that were bundled keep their licences beside their code. */
function licensesOfBundled() {
  const code = readdirSync('dist').filter(name => name.endsWith('.mjs'))
  const names = code.flatMap(name =>
    [
      ...readFileSync(`dist/${name}`, 'utf8').matchAll(/^\/\/#region .*node_modules\/((?:@[^/]+\/)?[^/]+)/gm),
    ].map(match => match[1]),
  )
  return [...new Set(names)].sort().map(licenseOf).join('\n')
}

function licenseOf(name) {
  const folder = `node_modules/${name}`
  const { license, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : ''
  return `${name} ${version} (${license})\n\n${text}\n`
}
