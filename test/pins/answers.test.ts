// The members of every answer, in their order, and the names of what is kept on disk.
import { existsSync, readdirSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Answer,
  directive,
  knowledge,
  type Scratch,
  scratch,
  skill,
  tool,
} from '../workspace/scratch.ts'

const VERDICT = ['status', 'format', 'coverage', 'hash', 'signer', 'timestamp']

let made: Scratch
beforeAll(async () => {
  made = await scratch(
    {
      '.ai/tools/ops/deploy.py': tool('ops/deploy'),
      '.ai/directives/ship.md': directive('ship'),
      '.ai/knowledge/notes.md': knowledge('notes', { body: 'deploy' }),
      '.ai/skills/pdf/SKILL.md': skill('pdf'),
    },
    { key: false, shared: true },
  )
  await made.run('keys generate')
  await made.sign('*')
  return made.close
})

function keys(value: object): string[] {
  return Object.keys(value)
}

describe('the members of an answer of', () => {
  it.each<[string, string, object, string[]]>([
    [
      'search',
      'search',
      { query: 'deploy' },
      ['results', 'total', 'query', 'scope', 'space', 'limit', 'offset', 'search_type'],
    ],
    [
      'load',
      'load',
      { item_id: 'notes' },
      [
        ...[
          'status',
          'item_type',
          'item_id',
          'content',
          'metadata',
          'path',
          'source',
          'mode',
          'trust',
          'shadows',
        ],
      ],
    ],
    [
      'fetch by id',
      'fetch',
      { item_id: 'notes' },
      [
        ...[
          'status',
          'item_type',
          'item_id',
          'content',
          'metadata',
          'path',
          'source',
          'mode',
          'trust',
          'shadows',
        ],
      ],
    ],
    [
      'fetch by query',
      'fetch',
      { query: 'deploy', scope: 'tool' },
      ['results', 'total', 'query', 'scope', 'space', 'limit', 'offset', 'search_type'],
    ],
    [
      'execute of a directive',
      'execute',
      { item_id: 'ship' },
      ['status', 'type', 'item_id', 'your_directions', 'inputs', 'metadata'],
    ],
    [
      'execute of knowledge',
      'execute',
      { item_id: 'notes' },
      ['status', 'type', 'item_id', 'content', 'metadata'],
    ],
    [
      'execute of a tool, dry',
      'execute',
      { item_id: 'ops/deploy', dry_run: true },
      ['status', 'message', 'type', 'item_id', 'chain', 'validated_pairs', 'parameters', 'plan'],
    ],
    [
      'sign',
      'sign',
      { item_id: 'notes' },
      ['status', 'item_type', 'item_id', 'path', 'location', 'signature', 'warnings', 'message'],
    ],
    ['sign of many', 'sign', { item_id: '*' }, ['status', 'signed', 'failed', 'total', 'summary']],
    ['verify', 'verify', {}, ['items', 'counts']],
    [
      'index',
      'index',
      {},
      ['items', 'added', 'updated', 'deleted', 'unchanged', 'duration_ms', 'diagnostics'],
    ],
    ['list', 'list', {}, ['items', 'diagnostics']],
    [
      'show',
      'show',
      { item_id: 'notes' },
      [
        'item_type',
        'item_id',
        'space',
        'path',
        'parser',
        'trust',
        'shadows',
        'metadata',
        'issues',
        'diagnostics',
      ],
    ],
    ['runs', 'runs', {}, ['runs', 'total', 'intact']],
    ['keys show', 'keys show', {}, ['fingerprint', 'path', 'identity', 'public_key']],
    ['keys list', 'keys list', {}, ['keys', 'faults']],
    ['doctor', 'doctor', {}, ['checks', 'problems']],
    [
      'a failure',
      'load',
      { item_id: 'knowledge:nots' },
      ['status', 'error', 'code', 'hint', 'item_id', 'searched', 'item_type'],
    ],
  ])('%s', async (_title, name, input, expected) => {
    expect(keys(await made.run(name, input))).toEqual(expected)
  })

  it('a skill', async () => {
    const answer = await made.run('execute', { item_id: 'skill:pdf' })
    expect(keys(answer).slice(0, 6)).toEqual(['status', 'type', 'item_id', 'content', 'tools', 'references'])
  })

  it('their parts', async () => {
    const { results } = await made.run('search', { query: 'deploy', item_type: 'tool', source: 'project' })
    expect(keys(results[0])).toEqual([
      ...[
        'id',
        'name',
        'title',
        'description',
        'category',
        'score',
        'type',
        'source',
        'preview',
        'signed',
        'trust',
      ],
      'matched',
    ])
    expect(keys(results[0].trust)).toEqual(VERDICT)
    const { items } = await made.run('verify', { targets: ['knowledge:notes'] })
    expect(keys(items[0])).toEqual(['path', 'item_type', 'item_id', ...VERDICT])
    const parsed = await made.run('parse', { paths: [made.path('.ai/tools/ops/deploy.py')] })
    expect(keys(parsed)).toEqual(['items'])
    expect(keys(parsed.items[0])).toEqual(['path', 'item_type', 'parser', 'metadata', 'body', 'diagnostics'])
    const loaded = await made.run('load', { item_id: 'ops/deploy' })
    expect(keys(loaded.metadata)).toEqual(['name', 'path', 'extension', 'version'])
    const signed = await made.run('sign', { item_id: 'notes' })
    expect(keys(signed.signature)).toEqual(['timestamp', 'hash', 'ed25519_sig', 'pubkey_fp', 'format'])
    const { chain } = await made.run('execute', { item_id: 'ops/deploy', dry_run: true })
    expect(chain.map((link: Answer) => keys(link))).toEqual(Array(3).fill(['item_id', 'space', 'tool_type']))
  })
})

describe('the names on disk', () => {
  it('of keys', async () => {
    const { fingerprint } = await made.run('keys show')
    expect(readdirSync(made.path('user:.ai/config/keys/signing')).sort()).toEqual([
      'private_key.pem',
      'public_key.pem',
    ])
    expect(readdirSync(made.path('user:.ai/config/keys/trusted'))).toEqual([`${fingerprint}.toml`])
  })

  it('of the index and of signatures', async () => {
    await made.run('search', { query: 'x' })
    expect(existsSync(made.path('.ai/state/index.sqlite'))).toBe(true)
    expect(existsSync(made.path('.ai/state/.gitignore'))).toBe(true)
    expect(existsSync(made.path('.ai/skills/pdf/SKILL.sig'))).toBe(true)
  })
})
