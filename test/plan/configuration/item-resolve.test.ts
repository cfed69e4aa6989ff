import { describe, expect, test } from 'vitest'
import { resolveItems } from '../../../src/plan/configuration/item-resolve.ts'
import { failureOf, lookupIn, makeTool } from '../world.ts'

const SERVER = makeTool('mcp/servers/files', {
  tool_type: 'mcp_server',
  config: { transport: 'stdio', command: 'x' },
})
const lookup = lookupIn([
  SERVER,
  makeTool('mcp/servers/low', { tool_type: 'mcp_server' }, { space: 'system' }),
])
const asking = (item_resolve: object) =>
  makeTool('rye/mcp/manager', { config: { item_resolve: item_resolve as never } }, { space: 'system' })
const byName = asking({ server: { id: 'mcp/servers/{name}', when: { action: 'refresh' } } })

describe('items that a caller names', () => {
  test('are given as they were verified, wherever the tool comes from', async () => {
    const found = await resolveItems(byName, { action: 'refresh', name: 'files' }, lookup)
    expect(found).toEqual({
      values: {
        server: {
          id: 'mcp/servers/files',
          space: 'project',
          tool_type: 'mcp_server',
          config: { transport: 'stdio', command: 'x' },
        },
      },
      items: [SERVER],
    })
    expect(await resolveItems(byName, { action: 'refresh', name: 'low' }, lookup)).toMatchObject({
      values: { server: { space: 'system', config: {} } },
    })
  })

  test('are null when there is no such item, and left out when they are not asked for', async () => {
    expect(await resolveItems(byName, { action: 'refresh', name: 'none' }, lookup)).toEqual({
      values: { server: null },
      items: [],
    })
    const nothing = { values: {}, items: [] }
    expect(await resolveItems(byName, { action: 'remove', name: 'files' }, lookup)).toEqual(nothing)
    expect(await resolveItems(byName, { action: 'refresh' }, lookup)).toEqual(nothing)
    expect(await resolveItems(makeTool('a', {}), {}, lookup)).toBeUndefined()
  })

  test('pass on the refusal of one that does not verify', async () => {
    const refusing = async () => {
      throw new Error('tampered')
    }
    await expect(resolveItems(byName, { action: 'refresh', name: 'files' }, refusing)).rejects.toThrow(
      'tampered',
    )
  })

  test.each(['../../x', 'a b', '', 'ü'])(
    'are refused under the name %j before anything is looked up',
    async name => {
      const never = () => Promise.reject(new Error('looked up'))
      const failure = await failureOf(resolveItems(byName, { action: 'refresh', name }, never))
      expect(failure.code).toBe('PARAMETERS_INVALID')
    },
  )

  test('are not taken from the caller, and must be declared as objects', async () => {
    const forged = { action: 'refresh', resolved_items: { server: {} } }
    expect((await failureOf(resolveItems(byName, forged, lookup))).code).toBe('PARAMETERS_INVALID')
    expect((await failureOf(resolveItems(asking({ server: 'x' }), {}, lookup))).code).toBe('CONFIG_INVALID')
  })
})
