// The members of every answer, in order, as literals: the answers must have them, and the library's types
// must say the same. The compiler checks the second half.
import { existsSync, readdirSync } from 'node:fs'
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import type {
  ActionAnswer,
  CallResult,
  Check,
  ClientSnippet,
  DirectiveAnswer,
  DirectiveDryRun,
  Failure,
  KnowledgeAnswer,
  ListedItem,
  LoadAnswer,
  LoadedOutput,
  LoadSummary,
  OneRun,
  ParsedFile,
  Run,
  RunList,
  SearchAnswer,
  SearchResult,
  SignedBatch,
  SignedItem,
  SkillAnswer,
  ToolAnswer,
  ToolDryRun,
  ToolFailure,
  Verdict,
  VerifiedItem,
} from '../../src/index.ts'
import { describeKey, printIdentity } from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'
import { judgedByCompiler } from '../fixtures/judged-by-compiler.ts'
import { indexFile } from '../fixtures/kept-places.ts'
import {
  type Answer,
  directive,
  knowledge,
  type Scratch,
  scratch,
  skill,
  tool,
} from '../workspace/scratch.ts'

const VERDICT = ['status', 'format', 'coverage', 'hash', 'signer', 'timestamp'] as const
const OTHER_KEY = describeKey(generateKey().publicPem, 'ann')

function script(code: string): string {
  const metadata = {
    version: '1.0.0',
    tool_type: 'bash',
    executor_id: 'rye/core/runtimes/bash/bash',
    category: 'ops',
    tool_description: 'A script',
  }
  const lines = Object.entries(metadata).map(([name, value]) => `# __${name}__ = ${JSON.stringify(value)}`)
  return ['#!/usr/bin/env bash', ...lines, code, ''].join('\n')
}

const SEARCH = ['results', 'total', 'query', 'scope', 'space', 'limit', 'offset', 'search_type'] as const
const LOAD = [
  ...(['status', 'item_type', 'item_id', 'content', 'metadata', 'path', 'source', 'mode'] as const),
  ...(['trust', 'shadows'] as const),
] as const

/** Name of the row: action, input, members. Rows are asked in this order, one after another. */
const PINS = {
  search: ['search', { query: 'deploy' }, SEARCH],
  load: ['load', { item_id: 'notes' }, LOAD],
  'load of a summary': [
    'load',
    { item_id: 'ops/deploy', view: 'summary' },
    [
      ...(['status', 'item_type', 'item_id', 'view', 'description', 'version'] as const),
      ...(['chain', 'signer', 'source', 'path'] as const),
    ],
  ],
  'fetch by id': ['fetch', { item_id: 'notes' }, LOAD],
  'fetch by query': ['fetch', { query: 'deploy', scope: 'tool' }, SEARCH],
  'execute of a directive': [
    'execute',
    { item_id: 'ship' },
    ['status', 'type', 'item_id', 'your_directions', 'inputs', 'metadata'],
  ],
  'execute of a directive, dry': [
    'execute',
    { item_id: 'ship', dry_run: true },
    ['status', 'message', 'type', 'item_id', 'inputs'],
  ],
  'execute of knowledge': [
    'execute',
    { item_id: 'notes' },
    ['status', 'type', 'item_id', 'content', 'metadata'],
  ],
  'execute of a skill': [
    'execute',
    { item_id: 'skill:pdf' },
    ['status', 'type', 'item_id', 'content', 'tools', 'references', 'files', 'metadata'],
  ],
  'execute of a tool, dry': [
    'execute',
    { item_id: 'ops/deploy', dry_run: true },
    ['status', 'message', 'type', 'item_id', 'chain', 'validated_pairs', 'parameters', 'plan'],
  ],
  'execute of a tool': [
    'execute',
    { item_id: 'ops/hello' },
    ['status', 'type', 'item_id', 'data', 'duration_ms'],
  ],
  'execute of a tool, traced': [
    'execute',
    { item_id: 'ops/hello', trace: true },
    ['status', 'type', 'item_id', 'data', 'duration_ms', 'chain', 'isolation', 'receipt', 'trace'],
  ],
  'execute of a tool that fails': [
    'execute',
    { item_id: 'ops/fail' },
    [
      ...(['status', 'error', 'code', 'item_type', 'type', 'item_id', 'data', 'duration_ms'] as const),
      ...(['chain', 'isolation', 'receipt'] as const),
    ],
  ],
  sign: [
    'sign',
    { item_id: 'notes', format: 'v1' },
    ['status', 'item_type', 'item_id', 'path', 'location', 'signature', 'warnings', 'message'],
  ],
  'sign of many': ['sign', { item_id: '*' }, ['status', 'signed', 'failed', 'unchanged', 'total', 'summary']],
  verify: ['verify', {}, ['items', 'counts']],
  list: ['list', {}, ['items', 'diagnostics']],
  show: [
    'show',
    { item_id: 'notes' },
    [
      ...(['item_type', 'item_id', 'space', 'path', 'parser', 'trust', 'shadows'] as const),
      ...(['metadata', 'issues', 'diagnostics'] as const),
    ],
  ],
  parse: ['parse', { paths: [] }, ['items']],
  index: ['index', {}, ['items', 'added', 'updated', 'deleted', 'unchanged', 'duration_ms', 'diagnostics']],
  runs: ['runs', {}, ['runs', 'total', 'intact']],
  init: ['init', {}, ['status', 'project_path', 'created', 'clients', 'next']],
  new: [
    'new',
    { item_type: 'tool', item_id: 'ops/new' },
    ['status', 'item_type', 'item_id', 'path', 'signed', 'next'],
  ],
  doctor: ['doctor', {}, ['checks', 'problems']],
  eval: [
    'eval',
    { directory: 'set' },
    ['ndcg10', 'recall5', 'recall10', 'mrr10', 'hit1', 'p50_ms', 'p95_ms'],
  ],
  'keys show': ['keys show', {}, ['fingerprint', 'words', 'owner', 'path', 'identity', 'public_key']],
  'keys list': ['keys list', {}, ['keys', 'revoked', 'faults']],
  'keys trust': ['keys trust', { file: 'key.toml' }, ['status', 'fingerprint', 'owner', 'words', 'message']],
  'keys offer': ['keys offer', {}, ['status', 'fingerprint', 'words', 'path', 'message']],
  'keys export': ['keys export', {}, ['fingerprint', 'owner', 'document']],
  'keys remove': [
    'keys remove',
    { fingerprint: OTHER_KEY.fingerprint },
    ['status', 'fingerprint', 'message'],
  ],
  'skills scan': ['skills scan', { directory: '.ai/skills' }, ['root', 'skills', 'diagnostics']],
  'skills index': ['skills index', { directory: '.ai/skills' }, ['root', 'skills', 'diagnostics']],
  'skills validate': [
    'skills validate',
    { directory: '.ai/skills' },
    ['valid', 'summary', 'skills', 'diagnostics'],
  ],
  'skills install': [
    'skills install',
    { item_id: 'pdf', to: 'claude' },
    ['status', 'item_id', 'to', 'path', 'files'],
  ],
  'knowledge scan': ['knowledge scan', { directory: '.ai/knowledge' }, ['root', 'entries', 'diagnostics']],
  'a failure': [
    'load',
    { item_id: 'knowledge:nots' },
    ['status', 'error', 'code', 'hint', 'item_id', 'searched', 'item_type'],
  ],
} as const

const RESULT = [
  ...(['id', 'name', 'title', 'description', 'category', 'score', 'type', 'source'] as const),
  ...(['preview', 'signed', 'trust', 'matched'] as const),
] as const
const BRIEF = ['id', 'name', 'description', 'category', 'score', 'type', 'source', 'preview'] as const
const PARSED = ['path', 'item_type', 'parser', 'metadata', 'body', 'diagnostics'] as const
const VERIFIED = ['path', 'item_type', 'item_id', ...VERDICT] as const
const SIGNATURE = ['timestamp', 'hash', 'ed25519_sig', 'pubkey_fp', 'format'] as const
const LISTED = ['item_type', 'item_id', 'space', 'category', 'path'] as const
const LINK = ['item_id', 'space', 'tool_type'] as const
const RUN = [
  ...(['receipt', 'version', 'previous', 'time', 'item_id', 'item_type', 'space', 'chain'] as const),
  ...(['parameters', 'signer', 'isolation', 'duration_ms', 'outcome'] as const),
] as const

let made: Scratch
beforeAll(async () => {
  made = await scratch(
    {
      '.ai/tools/ops/deploy.py': tool('ops/deploy'),
      '.ai/tools/ops/hello.sh': script('echo \'{"success": true}\''),
      '.ai/tools/ops/fail.sh': script('exit 3'),
      '.ai/directives/ship.md': directive('ship'),
      '.ai/knowledge/notes.md': knowledge('notes', { body: 'deploy' }),
      '.ai/skills/pdf/SKILL.md': skill('pdf'),
      'set/corpus.jsonl': '{"id": "a", "title": "a", "text": "a"}\n',
      'set/queries.jsonl': '{"id": "q", "text": "a"}\n',
      'set/qrels.tsv': 'q\ta\t1\n',
      'key.toml': printIdentity(OTHER_KEY),
    },
    { key: false, shared: true },
  )
  expect(keys(await made.run('keys generate'))).toEqual([
    'fingerprint',
    'words',
    'owner',
    'path',
    'identity',
    'message',
  ])
  await made.sign('*')
  return made.close
})

function keys(value: object): string[] {
  return Object.keys(value)
}

describe('the members of an answer of', () => {
  it.each(Object.entries(PINS))('%s', async (_title, [name, input, expected]) => {
    expect(keys(await made.run(name, input))).toEqual(expected)
  })

  it('their parts', async () => {
    const { results } = await made.run('search', { query: 'deploy', item_type: 'tool', source: 'project' })
    expect(keys(results[0])).toEqual(RESULT)
    expect(keys(results[0].trust)).toEqual(VERDICT)
    const brief = { query: 'deploy', item_type: 'tool', source: 'project', detail: 'brief' }
    expect(keys((await made.run('search', brief)).results[0])).toEqual(BRIEF)
    const { items } = await made.run('verify', { targets: ['knowledge:notes'] })
    expect(keys(items[0])).toEqual(VERIFIED)
    const parsed = await made.run('parse', { paths: [made.path('.ai/tools/ops/deploy.py')] })
    expect(keys(parsed.items[0])).toEqual(PARSED)
    const loaded = await made.run('load', { item_id: 'ops/deploy' })
    expect(keys(loaded.metadata)).toEqual(['name', 'path', 'extension', 'version'])
    const signed = await made.run('sign', { item_id: 'notes' })
    expect(keys(signed.signature)).toEqual(SIGNATURE)
    const listed = await made.run('list', { source: 'project', pattern: 'notes' })
    expect(keys(listed.items[0])).toEqual(LISTED)
    const { chain } = await made.run('execute', { item_id: 'ops/deploy', dry_run: true })
    expect(chain.map((link: Answer) => keys(link))).toEqual(Array(3).fill(LINK))
    const init = await made.run('init')
    expect(keys(init.clients[0])).toEqual(['client', 'name', 'file', 'snippet'])
    const { checks } = await made.run('doctor')
    expect(keys(checks[0])).toEqual(['name', 'status', 'message'])
  })

  it('one run', async () => {
    const ran = await made.run('execute', { item_id: 'ops/hello', trace: true })
    const shown = await made.run('runs', { receipt: ran.receipt })
    expect(keys(shown)).toEqual(['run', 'intact'])
    expect(keys(shown.run).sort()).toEqual([...RUN, 'caller'].sort())
  })
})

/** Members that are always there. */
type Always<T> = keyof { [K in keyof T as Record<never, never> extends Pick<T, K> ? never : K]: K }
type Pin<Name extends keyof typeof PINS> = (typeof PINS)[Name][2][number]
type Of<List extends readonly string[]> = List[number]

judgedByCompiler('the types of the library have the same members', () => {
  expectTypeOf<Pin<'search'>>().toEqualTypeOf<Always<SearchAnswer>>()
  expectTypeOf<Pin<'load'>>().toEqualTypeOf<Always<LoadAnswer>>()
  expectTypeOf<ActionAnswer<'fetch'>>().toEqualTypeOf<
    LoadAnswer | LoadSummary | LoadedOutput | SearchAnswer
  >()
  expectTypeOf<Pin<'execute of a directive'>>().toEqualTypeOf<Always<DirectiveAnswer>>()
  expectTypeOf<Pin<'execute of a directive, dry'>>().toEqualTypeOf<Always<DirectiveDryRun>>()
  expectTypeOf<Pin<'execute of knowledge'>>().toEqualTypeOf<Always<KnowledgeAnswer>>()
  expectTypeOf<Pin<'execute of a skill'>>().toEqualTypeOf<Always<SkillAnswer>>()
  expectTypeOf<Pin<'execute of a tool, dry'>>().toEqualTypeOf<Always<ToolDryRun>>()
  expectTypeOf<Pin<'execute of a tool'>>().toEqualTypeOf<Always<ToolAnswer>>()
  expectTypeOf<Pin<'execute of a tool that fails'>>().toEqualTypeOf<Always<ToolFailure>>()
  expectTypeOf<Pin<'sign'>>().toEqualTypeOf<Always<SignedItem>>()
  expectTypeOf<Pin<'sign of many'>>().toEqualTypeOf<Always<SignedBatch>>()
  expectTypeOf<Pin<'verify'>>().toEqualTypeOf<Always<ActionAnswer<'verify'>>>()
  expectTypeOf<Pin<'list'>>().toEqualTypeOf<Always<ActionAnswer<'list'>>>()
  expectTypeOf<Pin<'show'>>().toEqualTypeOf<Always<ActionAnswer<'show'>>>()
  expectTypeOf<Pin<'parse'>>().toEqualTypeOf<Always<ActionAnswer<'parse'>>>()
  expectTypeOf<Pin<'index'>>().toEqualTypeOf<Always<ActionAnswer<'index'>>>()
  expectTypeOf<Pin<'runs'>>().toEqualTypeOf<Always<RunList>>()
  expectTypeOf<'run' | 'intact'>().toEqualTypeOf<Always<OneRun>>()
  expectTypeOf<Pin<'init'>>().toEqualTypeOf<Always<ActionAnswer<'init'>>>()
  expectTypeOf<Pin<'new'>>().toEqualTypeOf<Always<ActionAnswer<'new'>>>()
  expectTypeOf<Pin<'doctor'>>().toEqualTypeOf<Always<ActionAnswer<'doctor'>>>()
  expectTypeOf<Pin<'eval'>>().toEqualTypeOf<Always<ActionAnswer<'eval'>>>()
  expectTypeOf<Exclude<Pin<'keys show'>, 'identity' | 'owner'>>().toEqualTypeOf<
    Always<ActionAnswer<'keys show'>>
  >()
  expectTypeOf<Pin<'keys list'>>().toEqualTypeOf<Always<ActionAnswer<'keys list'>>>()
  expectTypeOf<Pin<'keys trust'>>().toEqualTypeOf<Always<ActionAnswer<'keys trust'>>>()
  expectTypeOf<Pin<'keys offer'>>().toEqualTypeOf<Always<ActionAnswer<'keys offer'>>>()
  expectTypeOf<Pin<'keys export'>>().toEqualTypeOf<Always<ActionAnswer<'keys export'>>>()
  expectTypeOf<
    'status' | 'fingerprint' | 'owner' | 'identity' | 'signed' | 'accepted' | 'failed' | 'message'
  >().toEqualTypeOf<Always<ActionAnswer<'keys rotate'>>>()
  expectTypeOf<'status' | 'fingerprint' | 'reason' | 'signed' | 'path' | 'message'>().toEqualTypeOf<
    Always<ActionAnswer<'keys revoke'>>
  >()
  expectTypeOf<Pin<'keys remove'>>().toEqualTypeOf<Always<ActionAnswer<'keys remove'>>>()
  expectTypeOf<'fingerprint' | 'words' | 'path' | 'message'>().toEqualTypeOf<
    Always<ActionAnswer<'keys generate'>>
  >()
  expectTypeOf<Pin<'skills scan'>>().toEqualTypeOf<Always<ActionAnswer<'skills scan'>>>()
  expectTypeOf<Pin<'skills index'>>().toEqualTypeOf<Always<ActionAnswer<'skills index'>>>()
  expectTypeOf<Pin<'skills validate'>>().toEqualTypeOf<Always<ActionAnswer<'skills validate'>>>()
  expectTypeOf<Pin<'skills install'>>().toEqualTypeOf<Always<ActionAnswer<'skills install'>>>()
  expectTypeOf<Pin<'knowledge scan'>>().toEqualTypeOf<Always<ActionAnswer<'knowledge scan'>>>()
  // These need a registry: `test/system/library-registry.peers.test.ts` asks them.
  expectTypeOf<'registry' | 'bundles' | 'count'>().toEqualTypeOf<Always<ActionAnswer<'registry search'>>>()
  expectTypeOf<
    | ('registry' | 'package' | 'description' | 'tags' | 'versions' | 'version' | 'integrity')
    | ('items' | 'files' | 'others')
  >().toEqualTypeOf<Always<ActionAnswer<'registry show'>>>()
  expectTypeOf<
    | ('registry' | 'package' | 'version' | 'integrity' | 'items' | 'written' | 'overwritten' | 'unchanged')
    | ('left_over' | 'ignored' | 'dry_run' | 'note')
  >().toEqualTypeOf<Always<ActionAnswer<'registry pull'>>>()
  expectTypeOf<
    ('registry' | 'package' | 'version' | 'items' | 'files' | 'generated' | 'size' | 'integrity') | 'dry_run'
  >().toEqualTypeOf<Always<ActionAnswer<'registry publish'>>>()
  expectTypeOf<'status' | 'registry' | 'package' | 'version'>().toEqualTypeOf<
    Always<ActionAnswer<'registry unpublish'>>
  >()
  // These two need LanceDB: `test/system/skills-lance.torture.test.ts` asks them.
  expectTypeOf<'added' | 'updated' | 'deleted' | 'unchanged_count'>().toEqualTypeOf<
    Always<ActionAnswer<'skills sync'>>
  >()
  expectTypeOf<'query' | 'results' | 'total' | 'search_type'>().toEqualTypeOf<
    Always<ActionAnswer<'skills search'>>
  >()
  expectTypeOf<Pin<'a failure'>>().toEqualTypeOf<
    Always<Failure> | Extract<keyof Failure, 'hint' | 'item_id' | 'searched' | 'item_type'>
  >()
})

judgedByCompiler('the types of the parts have the same members', () => {
  expectTypeOf<Of<typeof VERDICT>>().toEqualTypeOf<Always<Verdict>>()
  expectTypeOf<Of<typeof BRIEF>>().toEqualTypeOf<Always<SearchResult>>()
  expectTypeOf<Exclude<Of<typeof RESULT>, Of<typeof BRIEF>>>().toExtend<keyof SearchResult>()
  expectTypeOf<Of<typeof VERIFIED>>().toEqualTypeOf<Always<VerifiedItem>>()
  expectTypeOf<Exclude<Of<typeof PARSED>, 'body'>>().toEqualTypeOf<Always<ParsedFile>>()
  expectTypeOf<Of<typeof SIGNATURE>>().toEqualTypeOf<Always<SignedItem['signature']>>()
  expectTypeOf<Of<typeof LISTED>>().toEqualTypeOf<Always<ListedItem>>()
  expectTypeOf<Of<typeof LINK>>().toEqualTypeOf<Always<ToolFailure['chain'][number]>>()
  expectTypeOf<Of<typeof RUN>>().toEqualTypeOf<Always<Run>>()
  expectTypeOf<'client' | 'name' | 'file' | 'snippet'>().toEqualTypeOf<Always<ClientSnippet>>()
  expectTypeOf<'name' | 'status' | 'message'>().toEqualTypeOf<Always<Check>>()
})

judgedByCompiler('a failure is told from an answer by its status', () => {
  type Found = CallResult<'search'>
  expectTypeOf<Extract<Found, { status: 'error' }>>().toExtend<Failure>()
  expectTypeOf<Exclude<Found, { status: 'error' }>>().toExtend<SearchAnswer>()
  expectTypeOf<Exclude<CallResult<'sign'>, { status: 'error' }>['status']>().toEqualTypeOf<
    'signed' | 'completed'
  >()
  expectTypeOf<Extract<CallResult<'execute'>, { status: 'error' }>['code']>().toEqualTypeOf<Failure['code']>()
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
    expect(existsSync(indexFile(made.environment.XDG_CACHE_HOME!, made.project))).toBe(true)
    expect(existsSync(made.path('.ai/state/index.sqlite'))).toBe(false)
    expect(existsSync(made.path('.ai/skills/pdf/SKILL.sig'))).toBe(true)
  })
})
