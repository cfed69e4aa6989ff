// The bundled runtimes and primitives are data, checked as data.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { extractItem } from '../../src/extract/extract-item.ts'
import { readExtractor } from '../../src/extract/read-extractor.ts'
import { validateItem } from '../../src/extract/validate-item.ts'
import { parseBytes } from '../../src/parse/parse-bytes.ts'
import { resolveChain } from '../../src/plan/resolve/resolve-chain.ts'
import { validateChain } from '../../src/plan/resolve/validate-chain.ts'
import { readSystemItems, readSystemText, SYSTEM_IDS } from './system-items.ts'
import { lookupIn, makeTool } from './world.ts'

const EXTRACTOR = fileURLToPath(
  new URL('../../system/.ai/tools/rye/core/extractors/tool/tool_extractor.yaml', import.meta.url),
)

async function toolExtractor() {
  const { metadata } = await parseBytes('yaml/yaml', readFileSync(EXTRACTOR), '.yaml')
  const { extractor } = readExtractor('tool', metadata)
  if (extractor === null) throw new Error('the tool extractor is unreadable')
  return extractor
}

describe.each(SYSTEM_IDS)('%s', id => {
  test('parses without a remark and keeps the rules of tools', async () => {
    const extractor = await toolExtractor()
    const item = await extractItem(extractor, {
      id,
      extension: '.yaml',
      bytes: Buffer.from(readSystemText(id)),
    })
    expect(item.diagnostics).toEqual([])
    expect(validateItem(extractor, item)).toEqual([])
  })
})

test.each(SYSTEM_IDS.filter(id => id.includes('/runtimes/')))('a tool on %s has a valid chain', async id => {
  const items = await readSystemItems()
  const tool = makeTool('my/tool', { executor_id: id })
  const { elements } = await resolveChain(tool, { lookup: lookupIn(items), coreShadowing: 'refuse' })
  expect(validateChain(elements)).toBe(2)
})
