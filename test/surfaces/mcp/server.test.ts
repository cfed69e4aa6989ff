// What an agent sees of the server, as literals: a change here changes the contract.
import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AppError } from '../../../src/base/index.ts'
import { createServerFactory, type ServerSettings } from '../../../src/surfaces/mcp/server.ts'

const pins = JSON.parse(readFileSync(new URL('../../pins/mcp-tools.json', import.meta.url), 'utf8'))

async function connect(settings: Partial<ServerSettings> = {}) {
  const faults: unknown[] = []
  const factory = await createServerFactory({
    library: () => Promise.reject(new Error('no library in this test')),
    version: '0.0.0',
    profile: 'four',
    defaultProject: '/somewhere',
    onError: fault => faults.push(fault),
    ...settings,
  })
  const [near, far] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await factory().connect(far)
  // Two copies of one class, one in each package of the SDK.
  await client.connect(near as Parameters<Client['connect']>[0])
  onTestFinished(() => client.close())
  return { client, faults }
}

describe('the list of tools', () => {
  it.each([
    ['four', ['search', 'load', 'execute', 'sign']],
    ['three', ['fetch', 'execute', 'sign']],
    ['all', ['fetch', 'search', 'load', 'execute', 'sign']],
  ] as const)('of profile %s', async (profile, names) => {
    const { client } = await connect({ profile })
    expect((await client.listTools()).tools.map(tool => tool.name)).toEqual(names)
  })

  it('is, byte for byte, what clients have approved', async () => {
    const { client } = await connect({ profile: 'all' })
    const { tools } = await client.listTools()
    expect(tools).toEqual(pins.tools)
    expect(JSON.stringify(tools)).toBe(JSON.stringify(pins.tools))
  })

  it('takes less than 6 000 bytes of an agent in profile four', async () => {
    const { client } = await connect()
    expect(Buffer.byteLength(JSON.stringify(await client.listTools()))).toBeLessThan(6000)
  })

  it('asks for the project where there is no default', async () => {
    const { client } = await connect({ defaultProject: undefined })
    const required = (await client.listTools()).tools.map(tool => tool.inputSchema.required)
    expect(required).toEqual([
      ['query', 'project_path'],
      ['item_id', 'project_path'],
      ['item_id', 'project_path'],
      ['item_id', 'project_path'],
    ])
  })

  it('says which tools change something', async () => {
    const { client } = await connect()
    const { tools } = await client.listTools()
    expect(tools.map(tool => [tool.name, Object.values(tool.annotations ?? {})])).toEqual([
      ['search', [true, false, false]],
      ['load', [false, true, false]],
      ['execute', [false, true, true]],
      ['sign', [false, false, false]],
    ])
  })

  it('comes with instructions that name only listed tools', async () => {
    for (const profile of ['four', 'three', 'all'] as const) {
      const { client } = await connect({ profile })
      const names = (await client.listTools()).tools.map(tool => tool.name)
      const named = [...client.getInstructions()!.matchAll(/`(\w+)`/g)].map(match => match[1]!)
      expect(named.length).toBeGreaterThan(2)
      expect(named.filter(name => !names.includes(name))).toEqual([])
    }
  })
})

describe('a call', () => {
  it('of an unknown tool is a protocol error that says what to do', async () => {
    const { client } = await connect()
    await expect(client.callTool({ name: 'rye/bash', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('expected one of search, load, execute, sign'),
    })
    await expect(client.callTool({ name: 'fetch', arguments: {} })).rejects.toMatchObject({ code: -32602 })
  })

  it.each([
    ['tools/list', { cursor: 5 }, '`cursor` to be a string'],
    ['resources/list', { cursor: {} }, '`cursor` to be a string'],
    ['resources/templates/list', { cursor: [] }, '`cursor` to be a string'],
    ['resources/read', {}, '`uri` to be a string'],
    ['resources/read', { uri: null }, '`uri` to be a string'],
    ['prompts/list', { cursor: 5 }, '`cursor` to be a string'],
    ['prompts/get', { name: 5 }, '`name` to be a string'],
    ['prompts/get', { name: 'x', arguments: [] }, '`arguments` to be an object of strings'],
    ['prompts/get', { name: 'x', arguments: { a: {} } }, '`arguments` to be an object of strings'],
  ])('of %s with %j is refused as the fault of its caller', async (method, params, expected) => {
    const { client, faults } = await connect()
    // The types of the client know better.
    await expect(client.request({ method, params } as never)).rejects.toMatchObject({
      code: -32602,
      message: `Invalid params for ${method}: expected ${expected}`,
    })
    expect(faults).toEqual([])
  })

  it.each([
    ['four', 'find it with `search`, read it with `load`'],
    ['three', 'find it with `fetch`, read it with `fetch`'],
  ] as const)('that fails has a hint which names tools of profile %s', async (profile, hint) => {
    const told = new AppError('ITEM_NOT_FOUND', 'gone', {
      hint: 'find it with `search`, read it with `load`',
    })
    const { client } = await connect({ profile, library: () => Promise.reject(told) })
    const answer = await client.callTool({ name: 'execute', arguments: { item_id: 'x' } })
    expect(answer).toMatchObject({ isError: true, structuredContent: { code: 'ITEM_NOT_FOUND', hint } })
  })

  it('that meets a fault of ours is a protocol error without its details, and the fault is reported', async () => {
    const { client, faults } = await connect()
    await expect(client.callTool({ name: 'search', arguments: { query: 'x' } })).rejects.toMatchObject({
      code: -32603,
      message: expect.not.stringContaining('no library'),
    })
    expect(faults).toEqual([new Error('no library in this test')])
    expect((await client.listTools()).tools).toHaveLength(4)
  })
})
