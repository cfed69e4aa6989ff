import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReceiptFacts } from '../../src/user/receipt.ts'
import {
  appendReceipt,
  filterReceipts,
  findReceipt,
  readReceipts,
  receiptsPath,
} from '../../src/user/receipts.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'

function makeFacts(parts: Partial<ReceiptFacts> = {}): ReceiptFacts {
  return {
    time: '2026-01-02T03:04:05.000Z',
    item_id: 'demo/tool',
    item_type: 'tool',
    space: 'project',
    chain: [{ item_id: 'demo/tool', digest: 'a'.repeat(64) }],
    parameters: 'b'.repeat(64),
    signer: '0123456789abcdef',
    isolation: 'bubblewrap',
    duration_ms: 1.25,
    outcome: 'success',
    ...parts,
  }
}

async function makeLog(count: number): Promise<string> {
  const project = temporaryFolder()
  for (let i = 0; i < count; i++) await appendReceipt(project, makeFacts({ item_id: `demo/tool-${i}` }))
  return project
}

describe('receipts', () => {
  it('a place that cannot be looked into is named', () => {
    const path = receiptsPath(temporaryFolder())
    writeFileSync(path, '')
    expect(() => readReceipts(path)).toThrow(`cannot look into \`${path}\`: ENOTDIR`)
  })

  it('no log is an empty log', () => {
    expect(readReceipts(temporaryFolder())).toEqual({ receipts: [], faults: [] })
  })

  it('each line holds the hash of the line before it', async () => {
    const project = await makeLog(3)
    const { receipts, faults } = readReceipts(project)
    expect(faults).toEqual([])
    expect(receipts.map(receipt => receipt.item_id)).toEqual(['demo/tool-0', 'demo/tool-1', 'demo/tool-2'])
    expect(receipts[0]!.previous).toBe('0'.repeat(64))
    expect(receipts[2]!.previous).toBe(receipts[1]!.hash)
  })

  it('a changed byte anywhere in the log is noticed', async () => {
    const project = await makeLog(3)
    const original = readFileSync(receiptsPath(project), 'utf8')
    fc.assert(
      fc.property(fc.nat(original.length - 2), fc.constantFrom('0', 'x', '"', '\n', ' '), (at, character) => {
        fc.pre(original[at] !== character)
        writeFileSync(receiptsPath(project), original.slice(0, at) + character + original.slice(at + 1))
        const { receipts, faults } = readReceipts(project)
        const isSame = JSON.stringify(receipts) === JSON.stringify(parseAll(original))
        expect(faults.length > 0 || isSame).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('a removed, repeated or reordered line is noticed', async () => {
    const project = await makeLog(3)
    const [a, b, c] = readFileSync(receiptsPath(project), 'utf8').trimEnd().split('\n')
    for (const lines of [
      [b, c],
      [a, c],
      [a, a, b, c],
      [b, a, c],
    ]) {
      writeFileSync(receiptsPath(project), `${lines.join('\n')}\n`)
      expect(readReceipts(project).faults).not.toEqual([])
    }
  })

  it('a line cut short is reported and the chain goes on after it', async () => {
    const project = await makeLog(2)
    const path = receiptsPath(project)
    truncateSync(path, readFileSync(path).length - 40)
    await appendReceipt(project, makeFacts({ item_id: 'after' }))
    const { receipts, faults } = readReceipts(project)
    expect(faults).toEqual([{ line: 2, fault: 'unreadable' }])
    expect(receipts.map(receipt => receipt.item_id)).toEqual(['demo/tool-0', 'after'])
  })

  it('a megabyte of junk at the end does not stop the log', async () => {
    const project = await makeLog(1)
    appendFileSync(receiptsPath(project), `${'junk\n'.repeat(50_000)}${'x'.repeat(800_000)}`)
    const receipt = await appendReceipt(project, makeFacts())
    expect(receipt.previous).toBe(readReceipts(project).receipts[0]!.hash)
  })

  it('appends in parallel keep one chain', async () => {
    const project = temporaryFolder()
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => appendReceipt(project, makeFacts({ item_id: `t${i}` }))),
    )
    const { receipts, faults } = readReceipts(project)
    expect(faults).toEqual([])
    expect(new Set(receipts.map(receipt => receipt.item_id)).size).toBe(40)
  })

  it('filters, newest first', async () => {
    const project = temporaryFolder()
    await appendReceipt(project, makeFacts({ time: '2026-01-01T00:00:00.000Z' }))
    await appendReceipt(
      project,
      makeFacts({ time: '2026-01-02T00:00:00.000Z', outcome: 'EXECUTION_TIMEOUT' }),
    )
    await appendReceipt(project, makeFacts({ time: '2026-01-03T00:00:00.000Z', item_id: 'other' }))
    const { receipts } = readReceipts(project)
    expect(filterReceipts(receipts, { itemId: 'demo/tool' }).map(entry => entry.time.slice(8, 10))).toEqual([
      '02',
      '01',
    ])
    expect(filterReceipts(receipts, { outcome: 'EXECUTION_TIMEOUT' })).toHaveLength(1)
    expect(filterReceipts(receipts, { since: '2026-01-02' })).toHaveLength(2)
  })

  it('one is found by the beginning of its hash', async () => {
    const project = await makeLog(2)
    const { receipts } = readReceipts(project)
    expect(findReceipt(receipts, receipts[1]!.hash.slice(0, 16))).toBe(receipts[1])
    expect(findReceipt(receipts, 'ffff')).toBeUndefined()
    expect(findReceipt(receipts, '')).toBeUndefined()
  })
})

function parseAll(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}
