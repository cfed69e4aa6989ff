// Parses 10 000 mixed items, checks that memory stays flat, and measures the worst of many hostile texts.
import { importBundled } from './bundle.mjs'
import { makeItems } from './library.mjs'
import { atMost, cpuSeconds, figure } from './table.mjs'

const COUNT = 10_000
/** Takes every seventh entry of the table of repeated texts. */
const STEP = 7
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
  const worst = await findWorst(parseBytes)
  return [
    atMost('parse 10 000 mixed items of 2.5 KB', seconds, 12, 's CPU'),
    figure('heap after a second pass over them', `${grown.toFixed(1)} MB more`, '<= 5 MB', grown <= 5),
    atMost(`the worst of ${worst.count} hostile texts (${worst.title})`, worst.seconds, 1, 's CPU'),
  ]
}

/** A text that looks worst is measured twice, since something else may have used the processor once. */
async function findWorst(parseBytes) {
  const { repeatedInputs } = await importBundled('../test/parse/repeated.ts')
  let worst = { seconds: 0, title: '', count: 0 }
  let count = 0
  for (const { parser, extension, title, text } of repeatedInputs(STEP)) {
    count++
    const bytes = new TextEncoder().encode(text)
    const parse = () => parseBytes(parser, bytes, extension)
    let seconds = await cpuSeconds(parse)
    if (seconds > worst.seconds) seconds = Math.min(seconds, await cpuSeconds(parse))
    if (seconds > worst.seconds) worst = { seconds, title: `${parser}: ${title}` }
  }
  return { ...worst, count }
}
