import { expect, it } from 'vitest'
import { compareNeeds, listLimits } from '../../page/review/compare-needs.ts'

const NONE = { network: [], write: [], limits: {}, variables: [], secrets: [], faults: [] }
const schema = (properties: object) => ({ config_schema: { type: 'object', properties } })

it('permissions are set beside those that were signed, and what differs is marked', () => {
  const before = { needs: { ...NONE, executor: 'a' }, metadata: schema({ target: { type: 'string' } }) }
  const now = {
    needs: { ...NONE, executor: 'b', network: ['*'], write: ['/srv'], secrets: ['KEY'], variables: ['X'] },
    metadata: schema({ target: { type: 'string' }, force: { type: 'boolean', default: false } }),
  }
  const rows = compareNeeds(before, now)
  expect(rows.filter(row => row.isChanged).map(row => [row.name, row.before, row.now])).toEqual([
    ['run by', 'a', 'b'],
    ['network', 'none', 'all of the web'],
    ['writes to', 'the project', 'the project, /srv'],
    ['variables', 'none', 'X'],
    ['secrets', 'none', 'KEY'],
    ['parameters', 'target text', 'target text, force boolean = false'],
  ])
  expect(compareNeeds(now, now).some(row => row.isChanged)).toBe(false)
})

it('what is given besides is said in words, and variables with the values that are set', () => {
  const needs = {
    ...{ ...NONE, variables: ['REGION', 'LEVEL'], sets: [{ name: 'LEVEL', value: 'a b' }] },
    ...({
      requests: ['b.example'],
      items: ['servers/{name}'],
      settings: ['a.yaml'],
      any_host: true,
      private_addresses: true,
    } as const),
    outside: 'sh -c x',
  }
  const said = new Map(compareNeeds(undefined, { needs }).map(({ name, now }) => [name, now]))
  expect(said.get('network')).toBe('b.example, whichever host its caller names')
  expect(said.get('variables')).toBe("REGION, LEVEL='a b'")
  expect(said.get('beyond that')).toBe(
    [
      ...['the secrets of servers/{name}', 'the settings a.yaml'],
      ...[
        'addresses of this machine and of private networks',
        'a command that runs outside of a sandbox: sh -c x',
      ],
    ].join(', '),
  )
})

it('without what was signed, nothing counts as changed', () => {
  const rows = compareNeeds(undefined, { needs: NONE, metadata: {} })
  expect(rows.every(row => row.before === undefined && !row.isChanged)).toBe(true)
  expect(compareNeeds(undefined, { metadata: {} })).toEqual([])
})

it('limits are said in words', () => {
  const limits = { memory_mb: 512, processes: 1, file_mb: 100 }
  expect(listLimits(limits)).toEqual(['512 MB of memory', '1 process', '100 MB in one file'])
  expect(listLimits({ processes: 8 })).toEqual(['8 processes'])
  const said = (needs: typeof NONE) =>
    compareNeeds(undefined, { needs }).find(({ name }) => name === 'limits')?.now
  expect(said({ ...NONE, limits })).toBe('512 MB of memory, 1 process, 100 MB in one file')
  expect(said(NONE)).toBe('those of every tool')
})
