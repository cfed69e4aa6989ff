import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Box, chooseLabels } from '../../page/map/labels.ts'
import { layoutMap, nameClusters, nearestDot, orderByReferences } from '../../page/map/layout.ts'
import { callerOf, countByDay, measureBy } from '../../page/run/figures.ts'
import { whyNotRun } from '../../page/run/runnable.ts'
import { listFields, readForm, readSchema, schemaOf } from '../../page/run/schema.ts'
import { splitData } from '../../page/run/split-data.ts'
import type { Run } from '../../src/index.ts'

const SCHEMA = {
  type: 'object',
  required: ['target', 'count'],
  properties: {
    target: { type: 'string', enum: ['staging', 'production'] },
    count: { type: 'integer', default: 3 },
    ratio: { type: 'number' },
    force: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    rest: { type: ['string', 'null'] },
    notify: {
      type: 'object',
      required: ['channel'],
      properties: {
        channel: { type: 'string' },
        deep: { type: 'object', properties: { x: { type: 'integer' } } },
      },
    },
  },
}

it('fields of groups are listed under their whole names, after the group', () => {
  expect(listFields(readSchema(SCHEMA)).map(({ name }) => name)).toEqual([
    ...['target', 'count', 'ratio', 'force', 'tags', 'rest'],
    ...['notify', 'notify.channel', 'notify.deep', 'notify.deep.x'],
  ])
})

it.each([
  ['tool', 'ops/deploy', 'python', true],
  ['tool', 'ops/lib', undefined, false],
  ['tool', 'ops/_lib', undefined, false],
  ['tool', 'ops/_parts/lib', 'python', false],
  ['tool', 'rye/core/runtimes/bash/bash', 'runtime', false],
  ['tool', 'mcp/shop/server', 'mcp_server', false],
  ['directive', 'ops/release', undefined, true],
  ['skill', 'invoices', undefined, false],
  ['knowledge', 'ops/rollback', undefined, false],
])('%s:%s of tool type %s can be run: %s', (item_type, item_id, tool_type, canRun) => {
  const item = { item_type, item_id, metadata: { tool_type, ...(tool_type && { executor_id: 'x' }) } }
  expect(whyNotRun(item as Parameters<typeof whyNotRun>[0]) === undefined).toBe(canRun)
})

it('what a run answered is JSON, but for text of several lines', () => {
  const json = (value: unknown) => ({ name: '', text: JSON.stringify(value, null, 2), language: 'json' })
  expect(splitData(undefined)).toEqual([])
  expect(splitData('a')).toEqual([{ name: '', text: 'a', language: '' }])
  for (const whole of [null, 7, ['a\nb'], {}, { a: 'b' }]) expect(splitData(whole)).toEqual([json(whole)])
  const traceback = { name: 'traceback', text: 'one\n  two\n', language: '' }
  expect(splitData({ traceback: traceback.text, code: 1 })).toEqual([json({ code: 1 }), traceback])
  expect(splitData({ traceback: traceback.text })).toEqual([traceback])
})

describe('a form', () => {
  it('is made of the schema', () => {
    const fields = readSchema(SCHEMA)
    expect(fields.map(field => [field.name, field.kind, field.isRequired])).toEqual([
      ['target', 'choice', true],
      ['count', 'integer', true],
      ['ratio', 'number', false],
      ['force', 'boolean', false],
      ['tags', 'lines', false],
      ['rest', 'json', false],
      ['notify', 'group', false],
    ])
    expect(fields[1]!.initial).toBe(3)
    expect(fields.at(-1)!.fields!.map(field => field.kind)).toEqual(['text', 'group'])
  })

  it('gives the values that were filled in, in their types', () => {
    const values = {
      ...{ target: '1', count: '7', ratio: '0.5', force: 'false', tags: 'a\nb\n', rest: 'null' },
      notify: { channel: 'ops', deep: { x: '1' } },
    }
    expect(readForm(readSchema(SCHEMA), values)).toEqual({
      parameters: {
        ...{ target: 'production', count: 7, ratio: 0.5, force: false, tags: ['a', 'b'], rest: null },
        notify: { channel: 'ops', deep: { x: 1 } },
      },
      faults: new Map(),
    })
  })

  it('says what is missing or wrong, and leaves a group alone that nobody touched', () => {
    const faults = (values: Parameters<typeof readForm>[1]) => [
      ...readForm(readSchema(SCHEMA), values).faults.keys(),
    ]
    expect(faults({})).toEqual(['target'])
    expect(faults({ target: '0', count: '1.5', ratio: 'x', rest: '{' })).toEqual(['count', 'ratio', 'rest'])
    expect(faults({ target: '0', notify: { deep: { x: '1' } } })).toEqual(['notify.channel'])
    expect(faults({ target: '0', notify: { deep: { x: 'many' } } })).toEqual([
      'notify.channel',
      'notify.deep.x',
    ])
    expect(faults({ target: '0', notify: { channel: '', deep: { x: '' } } })).toEqual([])
    expect(readForm(readSchema(SCHEMA), { target: '0' }).parameters).toEqual({ target: 'staging' })
  })

  it('passes numbers on as they were typed, or not at all', () => {
    const filled = (values: Parameters<typeof readForm>[1]) => {
      const { parameters, faults } = readForm(readSchema(SCHEMA), { target: '0', ...values })
      return { ...parameters, ...Object.fromEntries(faults) }
    }
    const range = 'a whole number from -9007199254740991 to 9007199254740991'
    for (const count of ['9007199254740992', '-9007199254740993', ' 9223372036854775807 ', '1e20'])
      expect(filled({ count })).toMatchObject({ count: `cannot be kept exactly: expected ${range}` })
    expect(filled({ count: '9007199254740991' })).toMatchObject({ count: Number.MAX_SAFE_INTEGER })
    for (const ratio of ['9007199254740993', '+9007199254740993'])
      expect(filled({ ratio })).toMatchObject({ ratio: `cannot be kept exactly: expected ${range}` })
    expect(filled({ ratio: '1e20' })).toMatchObject({ ratio: 1e20 })
    expect(filled({ ratio: '18446744073709551616' })).toMatchObject({ ratio: 2 ** 64 })
    const tooLarge = 'has a number that is too large to keep: expected one below 1.8e308'
    expect(filled({ count: '1e400', ratio: '-1e400', rest: '[{"a": 1e400}]' })).toMatchObject({
      ...{ count: tooLarge, ratio: tooLarge, rest: tooLarge },
    })
    expect(filled({ count: 'Infinity' })).toMatchObject({ count: 'expected a whole number' })
  })

  it('is made of the inputs of a directive', () => {
    const inputs = [
      { name: 'who', type: 'string', required: true },
      { name: 'often', type: 'integer' },
    ]
    expect(readSchema(schemaOf({ inputs })).map(field => [field.name, field.kind, field.isRequired])).toEqual(
      [
        ['who', 'text', true],
        ['often', 'integer', false],
      ],
    )
  })

  it.each([
    ['path', 'text'],
    [undefined, 'text'],
    [7, 'text'],
    [['integer'], 'text'],
    ['constructor', 'text'],
    ['str', 'text'],
    ['int', 'integer'],
    ['float', 'number'],
    ['bool', 'boolean'],
    ['list', 'json'],
    ['dict', 'json'],
  ])('has an input of a directive of the type %j as %s', (type, kind) => {
    const fields = readSchema(schemaOf({ inputs: [{ name: 'x', type }] }))
    expect(fields).toMatchObject([{ name: 'x', kind }])
    if (kind === 'text') expect(readForm(fields, { x: '{"a' }).parameters).toEqual({ x: '{"a' })
  })

  it.each([undefined, null, 1, [], {}, { properties: [] }, { properties: { a: 1 } }])(
    'takes %j for a schema',
    schema => {
      expect(readSchema(schema).every(field => field.kind === 'json')).toBe(true)
    },
  )

  it('ends in a schema that goes on', () => {
    const properties: Record<string, unknown> = {}
    properties.again = { type: 'object', properties }
    expect(readSchema({ properties })).toHaveLength(1)
  })
})

const run = (item_id: string, day: string, duration_ms: number, outcome = 'success') =>
  ({ item_id, time: `${day}T10:00:00.000Z`, duration_ms, outcome }) as Run

describe('figures', () => {
  afterEach(() => void vi.unstubAllEnvs())

  const runs = [
    run('a', '2026-02-03', 10),
    run('a', '2026-02-03', 30, 'EXECUTION_FAILED'),
    run('a', '2026-02-01', 20),
    run('b', '2026-01-01', 5),
  ]

  it('count by day, also days without a run', () => {
    vi.stubEnv('TZ', 'UTC')
    expect(countByDay(runs, new Date('2026-02-03T23:00:00Z'), 3)).toEqual([
      { date: '2026-02-01', done: 1, failed: 0 },
      { date: '2026-02-02', done: 0, failed: 0 },
      { date: '2026-02-03', done: 1, failed: 1 },
    ])
  })

  it.each([
    ['Pacific/Auckland', '2026-02-03T13:00:00Z', '2026-02-04'],
    ['America/New_York', '2026-02-03T03:00:00Z', '2026-02-02'],
    // The day before had 23 hours.
    ['Europe/Berlin', '2026-03-29T22:30:00Z', '2026-03-30'],
  ])('count a run in %s under the day that its clocks show', (zone, time, date) => {
    vi.stubEnv('TZ', zone)
    const days = countByDay([{ ...run('a', '', 1), time }], new Date(time), 3)
    expect(days.map(({ done }) => done)).toEqual([0, 0, 1])
    expect(days[2]!.date).toBe(date)
    expect(new Set(days.map(day => day.date)).size).toBe(3)
  })

  it('measure each tool, slowest first', () => {
    expect(measureBy(runs, run => run.item_id)).toEqual([
      { name: 'a', runs: 3, failed: 1, median: 20, slowest: 30 },
      { name: 'b', runs: 1, failed: 0, median: 5, slowest: 5 },
    ])
  })

  it.each([
    [{ caller: 'agent', client: 'claude-code' }, 'agent claude-code'],
    [{ caller: 'agent', client: 'rye' }, 'agent rye'],
    [{ caller: 'agent', client: 'you, in the terminal' }, 'agent you, in the terminal'],
    [{ caller: 'agent' }, 'an agent'],
    [{ caller: 'person', client: 'rye' }, 'you, in the terminal'],
    [{ caller: 'person', client: 'rye ui' }, 'you, on this page'],
    [{ caller: 'person' }, 'you'],
    [{}, 'not known'],
  ])('say for %j who ran it', (parts, name) => {
    expect(callerOf({ ...run('a', '2026-02-03', 1), ...parts })).toBe(name)
  })
})

describe('the map', () => {
  const names = Array.from({ length: 1000 }, (_, index) => `category ${Math.floor(Math.sqrt(index))}`)
  const { clusters, dots, bounds } = layoutMap(names)

  it('has a place for each item, in the circle of its category', () => {
    expect(dots).toHaveLength(1000)
    for (const [index, { x, y, cluster }] of dots.entries()) {
      const circle = clusters[cluster]!
      expect(circle.name).toBe(names[index])
      expect(Math.hypot(circle.x - x, circle.y - y)).toBeLessThanOrEqual(circle.radius)
    }
  })

  it('has circles that do not touch, within its bounds', () => {
    for (const [index, one] of clusters.entries()) {
      for (const other of clusters.slice(index + 1))
        expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(one.radius + other.radius)
      expect(Math.abs(one.x - bounds.x) + one.radius).toBeLessThanOrEqual(bounds.halfWidth + 0.001)
      expect(Math.abs(one.y - bounds.y) + one.radius).toBeLessThanOrEqual(bounds.halfHeight + 0.001)
    }
  })

  it('is wide in a wide place, and high in a narrow one', () => {
    const narrow = layoutMap(names, 0.75).bounds
    expect(bounds.halfWidth).toBeGreaterThan(bounds.halfHeight)
    expect(narrow.halfWidth).toBeLessThan(narrow.halfHeight)
  })

  it('has an item that is alone in the middle of its circle', () => {
    const { clusters: circles, dots: points } = layoutMap(['one'])
    expect(points[0]).toMatchObject({ x: circles[0]!.x, y: circles[0]!.y })
  })

  it('has an item under the pointer where one is near, on the screen or on the map', () => {
    const at = (x: number, scale: number) =>
      nearestDot([{ x: 10, y: 0, cluster: 0 }], { x: 0, y: 0, scale }, { x, y: 0 })
    expect([at(10, 1), at(21, 1), at(23, 1)]).toEqual([0, 0, undefined])
    // Far away, where items are close together; and near, where a dot is larger than a finger.
    expect([at(12, 0.1), at(14, 0.1)]).toEqual([0, undefined])
    expect([at(100, 6), at(104, 6)]).toEqual([0, undefined])
  })

  it('is the same for the same library', () => {
    expect(layoutMap(names)).toEqual(layoutMap(names))
  })

  it('groups by the first part of the category, and a large one by its parts', () => {
    expect(nameClusters(['rye/core', 'rye/web', ''])).toEqual(['rye', 'rye', 'without category'])
    const many = Array.from({ length: 100 }, (_, index) => (index < 50 ? 'rye/core/x' : 'rye/web'))
    expect(new Set(nameClusters(many))).toEqual(new Set(['rye/core', 'rye/web']))
  })

  it('names those first to which and from which most references lead', () => {
    const references = [
      [3, 1],
      [2, 3],
      [3, 0],
      [0, 1],
    ] as const
    expect(orderByReferences(5, references)).toEqual([3, 0, 1, 2, 4])
  })
})

it('names of the map never lie on each other, and the first is always written', () => {
  const size = fc.integer({ min: 1, max: 60 })
  const box = fc.record({
    x: fc.integer({ min: 0, max: 300 }),
    y: fc.integer({ min: 0, max: 300 }),
    width: size,
    height: size,
  })
  fc.assert(
    fc.property(fc.array(box, { minLength: 1 }), fc.array(box), (boxes, taken) => {
      const apart = (a: Box, b: Box) =>
        Math.abs(a.x - b.x) * 2 >= a.width + b.width || Math.abs(a.y - b.y) * 2 >= a.height + b.height
      expect(chooseLabels(boxes)[0]).toBe(0)
      const chosen = chooseLabels(boxes, taken)
      const written = chosen.map(index => boxes[index]!)
      for (const [at, a] of written.entries())
        for (const b of [...written.slice(at + 1), ...taken]) expect(apart(a, b)).toBe(true)
      // What is left out lies on one that is written, or on what is taken.
      for (const [index, one] of boxes.entries())
        if (!chosen.includes(index))
          expect([...written, ...taken].some(other => !apart(other, one))).toBe(true)
    }),
  )
})
