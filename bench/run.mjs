// `npm run bench [NAME ...]`: measures each part and prints every figure beside its goal. A slow part can be
// run alone by its name.

import { parseArgs } from 'node:util'
import { printTable } from './table.mjs'
import { registerTypeScript } from './typescript-hook.mjs'

/**
 * For parts that import the source as it is. The hook stays registered and slows lazy imports, so these parts
 * come late.
 */
async function fromSource(load) {
  registerTypeScript()
  return load()
}

const PARTS = {
  start: async () => (await import('./mcp-start.mjs')).measureStart(),
  parse: async () => (await import('./parse.mjs')).measureParsing(),
  search: async () => (await import('./search.mjs')).measureSearch(10_000),
  execute: async () => (await import('./execute.mjs')).measureExecution(),
  sources: async () => (await import('./sources.mjs')).measureSources(),
  ui: async () => (await import('./ui.mjs')).measureUi(),
  servers: async () => (await import('./servers.mjs')).measureServers(),
  answers: async () => (await import('./answers.mjs')).measureAnswers(),
  large: async () => (await import('./search.mjs')).measureSearch(100_000),
  trust: async () => fromSource(async () => (await import('./trust.mjs')).measureTrust()),
  quality: async () => fromSource(async () => (await import('./quality.mjs')).measureQuality()),
  silence: async () => fromSource(async () => (await import('./silence.mjs')).measureSilence()),
  shared: async () => fromSource(async () => (await import('./shared.mjs')).measureShared(flags)),
  skills: async () => fromSource(async () => (await import('./skills.mjs')).measureSkills()),
}

/** Size options, used by `shared` only. */
const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean' },
    ...Object.fromEntries(['items', 's3-items', 'at'].map(name => [name, { type: 'string' }])),
  },
})
const unknown = wanted.filter(name => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  console.error(`expected one of ${Object.keys(PARTS).join(', ')}, got ${unknown.join(', ')}`)
  process.exit(2)
}
let missed = 0
for (const [name, measure] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const measured = await measure()
  for await (const rows of Symbol.asyncIterator in measured ? measured : [measured]) {
    printTable(name, rows)
    missed += rows.filter(row => row.met === false).length
  }
}
console.log(missed === 0 ? '\nall goals met' : `\n${missed} goals missed`)
