// Search by meaning, against a real HTTP provider that stands on this machine.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { scratch } from './scratch.ts'

const KNOWLEDGE = (name: string, title: string, body: string) => `\`\`\`yaml
name: ${name}
title: ${title}
entry_type: reference
category: energy
version: "1.0.0"
\`\`\`

${body}
`

const ITEMS = {
  '.ai/knowledge/energy/panels.md': KNOWLEDGE(
    'panels',
    'Photovoltaic panels',
    'How panels on a roof make current.',
  ),
  '.ai/knowledge/energy/turbines.md': KNOWLEDGE('turbines', 'Wind turbines', 'How rotors make current.'),
}

/** Two dimensions: how much a text speaks of the sun, and how much of anything else. */
function meaningOf(text: string): number[] {
  return /sun|photovoltaic|solar/i.test(text) ? [1, 0.1] : [0.1, 1]
}

async function provider(answer: 'right' | 'junk' | 'silent') {
  const asked: { authorization: string | undefined; texts: number }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { input: string[] }
      asked.push({ authorization: request.headers.authorization, texts: input.length })
      if (answer === 'silent') return
      if (answer === 'junk') response.end('<html>')
      else
        response.end(
          JSON.stringify({ data: input.map((text, index) => ({ index, embedding: meaningOf(text) })) }),
        )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

const settings = (url: string) => `[embeddings]\nurl = "${url}"\nmodel = "tiny"\nkey_env = "PROVIDER_KEY"\n`

it('finds what shares the meaning and no word, and says how it searched', async () => {
  const { url, asked } = await provider('right')
  const world = await scratch(ITEMS, { environment: { PROVIDER_KEY: 'k-123456' } })
  const before = await world.run('search', { query: 'sunlight make current', source: 'project' })
  expect(before.search_type).toBe('keyword')
  world.write('user:.ai/config/rye.toml', settings(url))
  const search = async () => {
    asked.length = 0
    const answer = await world.run('search', { query: 'sunlight make current', source: 'project' })
    expect(answer.search_type).toBe('hybrid')
    expect(answer.warning).toBeUndefined()
    expect(asked.every(request => request.authorization === 'Bearer k-123456')).toBe(true)
    return { answer, texts: asked.reduce((sum, request) => sum + request.texts, 0) }
  }
  let { answer, texts } = await search()
  expect(texts).toBeGreaterThan(Object.keys(ITEMS).length)
  // What there was no time for comes with the next searches; in the end only the question is asked for.
  while (texts > 1) ({ answer, texts } = await search())
  expect(texts).toBe(1)
  expect(answer.results[0].id).toBe('energy/panels')
})

it('a query with an operator is exact and asks no provider', async () => {
  const { url, asked } = await provider('right')
  const world = await scratch({ ...ITEMS, 'user:.ai/config/rye.toml': settings(url) })
  const answer = await world.run('search', { query: 'rotors OR nothing', source: 'project' })
  expect(answer.search_type).toBe('keyword')
  expect(asked).toEqual([])
})

it.each(['junk', 'silent'] as const)(
  'a provider that is %s costs a warning, never the answer',
  async kind => {
    const { url } = await provider(kind)
    const world = await scratch({ ...ITEMS, 'user:.ai/config/rye.toml': settings(url) })
    const answer = await world.run('search', { query: 'how do rotors make current', source: 'project' })
    expect(answer.search_type).toBe('keyword')
    expect(answer.results[0].id).toBe('energy/turbines')
    expect(answer.warning).toContain('answered by words alone')
  },
)
