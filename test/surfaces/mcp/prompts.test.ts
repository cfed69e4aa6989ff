// Directives as prompts, as a client sees them, over real files and real signatures.
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createServerFactory } from '../../../src/surfaces/mcp/server.ts'
import { directive, type Scratch, scratch } from '../../workspace/scratch.ts'

const INPUTS =
  '<input name="city" type="string" required="true">Where to</input><input name="days" type="integer" default="3">How long</input>'

async function connect(made: Scratch, project: string | undefined) {
  const factory = await createServerFactory({
    library: async () => made.library,
    version: '0.0.0',
    profile: 'four',
    defaultProject: project,
    onError: fault => expect.fail(String(fault)),
  })
  const [near, far] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await factory().connect(far)
  // Two copies of one class, one in each package of the SDK.
  await client.connect(near as Parameters<Client['connect']>[0])
  onTestFinished(() => client.close())
  return client
}

async function withTrip() {
  const made = await scratch({
    '.ai/directives/plan_trip.md': directive('plan_trip', {
      inputs: INPUTS,
      body: 'Go to {input:city} for {input:days} days.',
      description: 'Plans a trip',
    }),
    '.ai/directives/unsigned.md': directive('unsigned'),
  })
  await made.sign('plan_trip', { item_type: 'directive' })
  return { made, client: await connect(made, made.project) }
}

describe('prompts', () => {
  it('are the signed directives, with their inputs as arguments', async () => {
    const { client } = await withTrip()
    const { prompts } = await client.listPrompts()
    expect(prompts.find(({ name }) => name === 'plan_trip')).toEqual({
      name: 'plan_trip',
      description: 'Plans a trip',
      arguments: [
        { name: 'city', description: 'Where to', required: true },
        { name: 'days', description: 'How long', required: false },
      ],
    })
    expect(prompts.map(({ name }) => name)).not.toContain('unsigned')
  })

  it('answer with the directions, inputs converted and filled in', async () => {
    const { client } = await withTrip()
    const { messages } = await client.getPrompt({ name: 'plan_trip', arguments: { city: 'Rome', days: '5' } })
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('Go to Rome for 5 days.') } },
    ])
  })

  it.each([
    [{ name: 'plan_trip' }, /Missing required inputs: city/],
    [{ name: 'unsigned' }, /not signed|unsigned/],
    [{ name: '../../etc/passwd' }, /id/],
    [{ name: 'tool:rye/bash' }, /not found/],
  ])('%j is refused as a wrong call', async (params, message) => {
    const { client } = await withTrip()
    await expect(client.getPrompt(params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(message),
    })
  })

  it('come in pages', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 101 }, (_, index) => {
        const name = `many_${String(index).padStart(3, '0')}`
        return [`.ai/directives/${name}.md`, directive(name)]
      }),
    )
    const made = await scratch(many)
    await made.sign('*', { item_type: 'directive' })
    const client = await connect(made, made.project)
    const { prompts } = await client.listPrompts()
    const names = prompts.map(({ name }) => name).filter(name => name.startsWith('many_'))
    expect(names).toEqual(Object.keys(many).map(path => path.slice('.ai/directives/'.length, -3)))
  })

  it('are not offered where no project is known', async () => {
    const { made } = await withTrip()
    const client = await connect(made, undefined)
    expect(client.getServerCapabilities()).not.toHaveProperty('prompts')
  })
})
