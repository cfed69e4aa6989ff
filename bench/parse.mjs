// Parsing 10 000 mixed items, and whether memory stays flat.
import { importBundled } from './bundle.mjs'
import { makeItems } from './library.mjs'
import { atMost, cpuSeconds, figure } from './table.mjs'

const COUNT = 10_000
const PARSERS = { knowledge: 'markdown/frontmatter', directive: 'markdown/xml', tool: 'python/ast' }

export async function measureParsing() {
  const { parseBytes } = await importBundled('parse/index.ts')
  const encoder = new TextEncoder()
  const items = [...makeItems(COUNT)].map(item => ({ ...item, bytes: encoder.encode(item.text) }))
  const parseAll = async () => {
    for (const { type, bytes, extension } of items) await parseBytes(PARSERS[type], bytes, extension)
  }
  await parseAll()
  global.gc?.()
  const before = process.memoryUsage().heapUsed
  const seconds = await cpuSeconds(parseAll)
  global.gc?.()
  const grown = (process.memoryUsage().heapUsed - before) / 1e6
  return [
    atMost('parse 10 000 mixed items of 2.5 KB', seconds, 12, 's CPU'),
    figure('heap after a second pass over them', `${grown.toFixed(1)} MB more`, '<= 5 MB', grown <= 5),
  ]
}
