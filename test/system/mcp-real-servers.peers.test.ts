// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a server item names its secrets so
// The popular servers from npm, set up as their READMEs say: taken from a client's settings, signed, listed,
// called.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LibrarySession, openSession } from '../fixtures/library-session.ts'
import { type NpmMirror, startMirror } from './npm-mirror.ts'

const MINUTES = 60_000
let session: LibrarySession
let mirror: NpmMirror

beforeAll(async () => {
  mirror = await startMirror()
  session = await openSession({ signing: true })
})
afterAll(async () => {
  await session.close()
  mirror.stop()
})

const SERVERS = {
  everything: {
    package: 'server-everything@2026.8.31',
    args: [],
    tool: 'echo',
    call: { message: 'hi' },
    says: 'hi',
  },
  files: {
    package: 'server-filesystem@2026.8.31',
    args: ['.'],
    tool: 'read_text_file',
    call: { path: 'note.txt' },
    says: 'a note',
  },
  memory: { package: 'server-memory@2026.8.31', args: [], tool: 'read_graph', call: {}, says: 'entities' },
  thinking: {
    package: 'server-sequential-thinking@2026.8.31',
    args: [],
    tool: 'sequentialthinking',
    call: { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    says: 'thoughtNumber',
  },
}
const NAMES = Object.keys(SERVERS) as (keyof typeof SERVERS)[]
const each = <T>(work: (name: keyof typeof SERVERS) => Promise<T>) => Promise.all(NAMES.map(work))
const sign = (item_id: string) => session.call('sign', { item_id, item_type: 'tool' })

describe('the servers of a `.mcp.json`', () => {
  it('are written as items, with what the file says and none of its secrets', async () => {
    const entries = NAMES.map(name => [
      name,
      {
        command: 'npx',
        args: ['-y', `@modelcontextprotocol/${SERVERS[name].package}`, ...SERVERS[name].args],
        env: { npm_config_registry: `http://localhost:${mirror.port}/`, DEMO_TOKEN: 'do-not-copy-me' },
      },
    ])
    const file = session.write('.mcp.json', JSON.stringify({ mcpServers: Object.fromEntries(entries) }))
    session.write('.env', 'DEMO_TOKEN=of-the-project\n')
    session.write('note.txt', 'a note')
    const answer = await session.call('mcp add', { from: file, network: [`localhost:${mirror.port}`] })
    expect(answer).toMatchObject({ failed: [], skipped: [], sign: NAMES.map(name => `mcp/servers/${name}`) })
    const item = readFileSync(join(session.project, '.ai/tools/mcp/servers/files.yaml'), 'utf8')
    expect(item).toContain('DEMO_TOKEN: "${DEMO_TOKEN}"')
    expect(JSON.stringify(answer) + item).not.toContain('do-not-copy-me')
    for (const name of NAMES) expect((await sign(`mcp/servers/${name}`)).status).toBe('signed')
  })

  it(
    'are fetched, started and asked for their tools',
    async () => {
      await each(async name => {
        const answer = await session.call('mcp refresh', { name })
        expect(answer, name).toMatchObject({ removed: [], changed: [] })
        expect(answer.added, name).toContain(`mcp/${name}/${SERVERS[name].tool}`)
        expect((await sign(`mcp/${name}/*`)).failed, name).toEqual([])
      })
    },
    5 * MINUTES,
  )

  it(
    'are called, and fetch nothing again',
    async () => {
      const before = mirror.asked.filter(path => path.endsWith('.tgz')).length
      await each(async name => {
        const { tool, call, says } = SERVERS[name]
        const answer = await session.execute(`mcp/${name}/${tool}`, call)
        expect(answer, name).toMatchObject({ status: 'success' })
        expect(JSON.stringify(answer.data), name).toContain(says)
      })
      expect(mirror.asked.filter(path => path.endsWith('.tgz'))).toHaveLength(before)
      expect(existsSync(join(session.user, '.npm'))).toBe(false)
    },
    5 * MINUTES,
  )

  it(
    'say why, when npm cannot fetch them',
    async () => {
      const env = { npm_config_registry: `http://localhost:${mirror.port}/` }
      const gone = {
        name: 'gone',
        command: 'npx',
        args: ['-y', '@rye-test/not-there'],
        env,
        network: [`localhost:${mirror.port}`],
      }
      await session.call('mcp add', gone)
      await sign('mcp/servers/gone')
      const { error } = await session.call('mcp refresh', { name: 'gone' })
      expect(error).toContain('npm: 404 Not Found - GET')
      expect(error).not.toContain('complete log')
    },
    2 * MINUTES,
  )
})
