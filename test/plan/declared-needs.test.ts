import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/index.ts'
import { declaredNeeds } from '../../src/plan/index.ts'

const needs = (metadata: JsonObject, extension = '.yaml') =>
  declaredNeeds({ id: 'ops/deploy', extension, metadata })

describe('what a tool declares', () => {
  it('is read from each place that a plan reads', () => {
    expect(
      needs({
        executor_id: 'rye/core/runtimes/bash/bash',
        permissions: { network: ['a.example'], limits: { memory_mb: 64 } },
        config: { permissions: { network: ['b.example'], write: ['/srv'] } },
        secrets: ['TOKEN?'],
        env_config: { dotenv: ['REGION'], env: { LEVEL: '1' }, secrets: ['KEY'] },
      }),
    ).toEqual({
      executor: 'rye/core/runtimes/bash/bash',
      network: ['a.example', 'b.example'],
      write: ['/srv'],
      limits: { memory_mb: 64 },
      variables: ['REGION', 'LEVEL'],
      secrets: ['TOKEN?', 'KEY'],
      faults: [],
    })
  })

  it('is not hidden by an empty declaration in another place', () => {
    expect(needs({ permissions: {}, config: { permissions: { network: true } } }).network).toEqual(['*'])
  })

  it('is what its credentials and its items bring with them', () => {
    const config = {
      auth: { type: 'api_key', key: `\${KEY}\${PART:-none}` },
      allow_private: true,
      item_resolve: { one: { type: 'tool', id: 'a/{name}' }, odd: 'x' },
    }
    expect(needs({ config })).toMatchObject({
      secrets: ['KEY', 'PART?'],
      items: ['a/{name}'],
      private_addresses: true,
    })
    expect(needs({ config: { auth: { type: 'bearer', secret: 'TOKEN' } } }).secrets).toEqual(['TOKEN'])
    expect(needs({ config: { auth: 'x', allow_private: 'yes', item_resolve: [] } })).not.toMatchObject({
      items: expect.anything(),
    })
  })

  it('is not what a program calls its variables', () => {
    const metadata = { permissions: { network: ['a.example'] }, secrets: ['TOKEN'] }
    expect(needs(metadata, '.py')).toMatchObject({ network: [], secrets: [] })
  })

  it.each([
    { permissions: { network: 'a.example' } },
    { permissions: { write: 'x' } },
    { permissions: { limits: { hours: 1 } } },
    { env_config: [] },
    { secrets: ['not a name'] },
  ])('is told with its fault: %j', metadata => {
    expect(needs(metadata).faults).toHaveLength(1)
  })
})
