// Unsigned items, with titles and descriptions of any length and every word that is searched for, flood an
// answer.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connectStdio, ERAS, makeWorld, PROGRAM, searchFor } from '../mcp-world.ts'

interface Hit {
  readonly id: string
  readonly score: number
  readonly trust?: { readonly status: string }
}

const ANSWER_BYTES = 60_000

function note(name: string, title: string, description: string): string {
  const fields = { name, title, entry_type: 'fact', category: 'ops', version: '1.0.0', description }
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  return `---\n${lines.join('\n')}\n---\n\nRestart the harbour crane after a power failure.\n`
}

function flooded() {
  const made = makeWorld()
  const { RYE_DEV_MODE: _, ...env } = made.env
  const world = { ...made, env }
  const rye = (...words: string[]) =>
    execFileSync(process.execPath, [PROGRAM, ...words], {
      cwd: world.project,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  const write = (name: string, title: string, description: string) =>
    world.write(`.ai/knowledge/ops/${name}.md`, note(name, title, description))
  write('signed', 'Harbour crane', 'Restart the harbour crane')
  rye('keys', 'generate')
  rye('sign', 'knowledge:ops/signed')
  // The same words, and an id that comes first.
  write('equal', 'Harbour crane', 'Restart the harbour crane')
  for (let number = 0; number < 30; number++)
    write(`equal-${number}`, 'Harbour crane', 'Restart the harbour crane')
  const flood = 'restart the harbour crane \u202e'.repeat(2400)
  for (let number = 0; number < 40; number++) write(`flood-${number}`, flood, flood)
  return { world, rye }
}

it('do not make an answer longer than an agent can read', async () => {
  const { world, rye } = flooded()
  const { client } = await connectStdio(world, ERAS[0][1])
  for (const extra of [{}, { detail: 'full' }]) {
    const answer = await searchFor(client, { query: 'restart the harbour crane', ...extra })
    expect(answer.results).toHaveLength(10)
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(ANSWER_BYTES)
  }
  const printed = rye('search', 'restart the harbour crane', '--json')
  expect(Buffer.byteLength(printed)).toBeLessThanOrEqual(ANSWER_BYTES)
})

it('stand below an item of equal worth that is signed, and are left out if the user says so', async () => {
  const { world } = flooded()
  const { client } = await connectStdio(world, ERAS[0][1])
  const ask = async () => {
    const query = { query: 'restart the harbour crane', source: 'project', limit: 50 }
    return (await searchFor(client, query)) as { results: Hit[]; warning?: string; total: number }
  }
  const ids = (await ask()).results.map(hit => hit.id)
  expect(ids).toHaveLength(50)
  // Repeating the words does not help either: the signed item is first, and so on the first page.
  expect(ids[0]).toBe('ops/signed')
  const page = await searchFor(client, { query: 'restart the harbour crane', source: 'project', limit: 1 })
  expect((page.results as Hit[]).map(hit => hit.id)).toEqual(['ops/signed'])
  mkdirSync(join(world.env.HOME!, '.ai/config'), { recursive: true })
  writeFileSync(join(world.env.HOME!, '.ai/config/rye.toml'), '[search]\nunverified = "hide"\n')
  const hidden = await ask()
  expect(hidden.results.map(hit => hit.id)).toEqual(['ops/signed'])
  expect(hidden).toMatchObject({ total: 1, warning: expect.stringContaining('71 without a good signature') })
})

it('stand below it in any number, with false signatures too, on every page', async () => {
  const made = makeWorld()
  const { RYE_DEV_MODE: _, ...env } = made.env
  const world = { ...made, env }
  const rye = (...words: string[]) =>
    execFileSync(process.execPath, [PROGRAM, ...words], { cwd: world.project, env, stdio: 'pipe' })
  const text = note('signed', 'Harbour crane', 'Restart the harbour crane')
  const path = '.ai/knowledge/ops/signed.md'
  world.write(path, text)
  rye('keys', 'generate')
  rye('sign', 'knowledge:ops/signed')
  // The line of the signed item, above other content; every id comes before that of the signed one.
  const [line] = readFileSync(join(world.project, path), 'utf8').split('\n')
  for (let number = 0; number < 250; number++) {
    const name = `equal-${number}`
    world.write(
      `.ai/knowledge/ops/${name}.md`,
      `${line}\n${note(name, 'Harbour crane', 'Restart the harbour crane')}`,
    )
  }
  const { client } = await connectStdio(world, ERAS[0][1])
  const ask = async (input: object) => {
    const query = { query: 'restart the harbour crane', source: 'project', ...input }
    return (await searchFor(client, query)).results as Hit[]
  }
  const seen: string[] = []
  for (let offset = 0; offset < 100; offset += 10)
    seen.push(...(await ask({ limit: 10, offset })).map(hit => hit.id))
  expect(seen[0]).toBe('ops/signed')
  expect(new Set(seen).size).toBe(100)
  mkdirSync(join(env.HOME!, '.ai/config'), { recursive: true })
  writeFileSync(join(env.HOME!, '.ai/config/rye.toml'), '[search]\nunverified = "hide"\n')
  expect((await ask({})).map(hit => hit.id)).toEqual(['ops/signed'])
})
