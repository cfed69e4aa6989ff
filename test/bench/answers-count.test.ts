// What `npm run bench answers` counts, with examples small enough to count by hand.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
// @ts-expect-error a plain script without types
import * as count from '../../bench/answers-count.mjs'

const tool = {
  name: 'go',
  title: 'Go',
  description: 'é',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
}

describe('a listing', () => {
  it('is what a client shows a model: instructions, names, descriptions and input schemas, in bytes', () => {
    const shown = '[{"name":"go","description":"é","input_schema":{"type":"object"}}]'
    expect(shown).toHaveLength(66)
    expect(count.countListing([{ instructions: 'ü', tools: [tool] }])).toBe(2 + 67)
    expect(count.countListing([{ tools: [tool] }, { tools: [] }])).toBe(67 + 2)
  })

  it('is longer on the wire, where titles and output schemas are sent too', () => {
    const sent =
      '{"tools":[{"name":"go","title":"Go","description":"é","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}]}'
    expect(count.countWireListing([{ instructions: 'ü', tools: [tool] }])).toBe(2 + sent.length + 1)
  })
})

describe('a call', () => {
  const text = { type: 'text', text: 'né' }
  const image = { type: 'image', data: 'AA==' }

  it('is what the model writes, and the content that it reads', () => {
    expect(count.countCall('go', { a: 1 }, { content: [text] })).toMatchObject({
      out: '{"name":"go","arguments":{"a":1}}'.length,
      in: 3,
    })
    expect(count.countCall('go', {}, { content: [text, image] }).in).toBe(3 + JSON.stringify(image).length)
  })

  it('is not read twice when the answer is structured too, but sent twice', () => {
    const once = count.countCall('go', {}, { content: [text] })
    const twice = count.countCall('go', {}, { content: [text], structuredContent: { n: 1 } })
    expect(twice.in).toBe(once.in)
    expect(twice.wire).toBe(once.wire + ',"structuredContent":{"n":1}'.length)
  })
})

describe('tasks', () => {
  const listing = { rye: { context: 100, wire: 150 }, listed: { context: 1000, wire: 2000 } }
  const call = { out: 10, in: 40, wire: 60 }
  const tasks = [
    { name: 'find', rye: count.addCalls([call, call]), listed: count.addCalls([]) },
    { name: 'run', rye: count.addCalls([call]), listed: count.addCalls([call], 'cannot') },
  ]

  it('have the listing once each, or once together, and failures beside', () => {
    expect(count.addTasks(tasks, listing)).toEqual({
      rye: { calls: 3, failures: 0, content: 150, alone: 350, together: 250, wire: 480 },
      listed: { calls: 1, failures: 1, content: 50, alone: 2050, together: 1050, wire: 4060 },
    })
  })

  it('are printed with their ratio, and a failure is marked where it happened', () => {
    expect(count.tableOf(tasks, listing).split('\n').slice(2)).toEqual([
      '| find | 2 | 20 | 80 | 200 | 0 | 0 | 0 | 1000 | 0.20 |',
      '| run | 1 | 10 | 40 | 150 | 1 | 10 | 40 | 1050 (failed) | 0.14 |',
      '| all | 3 | 30 | 120 | 350 | 1 | 10 | 40 | 2050 | 0.17 |',
    ])
  })

  it('have a middle that one long answer does not move', () => {
    const long = { name: 'long', rye: count.addCalls([{ ...call, in: 1e9 }]), listed: count.addCalls([]) }
    expect(count.medianRatio([...tasks, long], listing)).toBe(0.2)
    expect(count.medianRatio(tasks, listing)).toBeCloseTo((0.2 + 150 / 1050) / 2)
  })

  it('cost as much however the calls are spread over them', () => {
    const calls = fc.array(fc.record({ out: fc.nat(9999), in: fc.nat(9999), wire: fc.nat(9999) }))
    fc.assert(
      fc.property(calls, calls, (first, second) => {
        const none = count.addCalls([])
        const spread = [first, second].map(some => ({ rye: count.addCalls(some), listed: none }))
        const gathered = [[...first, ...second], []].map(some => ({
          rye: count.addCalls(some),
          listed: none,
        }))
        expect(count.addTasks(spread, listing)).toEqual(count.addTasks(gathered, listing))
      }),
    )
  })
})
