// The bundled library as a whole: every item is well formed, found by the obvious question, and does what it
// says.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { validateItem } from '../../src/extract/validate-item.ts'
import { idProblem, nameOf } from '../../src/item/item-id.ts'
import { ITEM_TYPES } from '../../src/item/item-type.ts'
import { contentOf, findFences } from '../../src/parse/markdown/fences.ts'
import { interpolate } from '../../src/plan/directions.ts'
import { openLibrary } from '../../src/workspace/library.ts'
import { type LibrarySession, openSession } from '../fixtures/library-session.ts'

const ITEMS = await readItems()

async function readItems() {
  const library = openLibrary({ environment: { HOME: '/nonexistent', PATH: process.env.PATH } })
  const workspace = await library.open(process.cwd())
  const found = workspace.list(ITEM_TYPES).items.filter(({ entry }) => entry.space === 'system')
  const items = await Promise.all(
    found.map(async entry => {
      const item = workspace.read(entry)
      const parsed = await item.parse()
      return {
        ref: `${item.file.type}:${item.file.id}`,
        type: item.file.type,
        id: item.file.id,
        size: item.bytes.length,
        text: new TextDecoder().decode(item.bytes),
        verdict: item.verdict,
        parsed,
        issues: validateItem(workspace.extractors.get(item.file.type)!, parsed),
      }
    }),
  )
  await library.close()
  return items
}

const find = (ref: string) => ITEMS.find(item => item.ref === ref)
const ofType = (type: string) =>
  ITEMS.filter(item => item.type === type).map(item => [item.id, item] as const)

describe('every bundled item', () => {
  it.each(ITEMS.map(item => [item.ref, item] as const))('%s parses, validates and verifies', (_, item) => {
    expect(item.parsed.diagnostics).toEqual([])
    expect(item.issues).toEqual([])
    expect(item.verdict).toMatchObject({ status: 'verified', format: 'manifest' })
  })

  it('is what the library promises', () => {
    expect(
      ITEMS.map(item => item.ref)
        .filter(ref => !/^tool:rye\/core\/(?:extractors|runtimes|primitives)\//.test(ref))
        .sort(),
    ).toEqual([
      'directive:init',
      ...['create_directive', 'create_knowledge', 'create_skill', 'create_tool', 'sign_all'].map(
        name => `directive:rye/core/${name}`,
      ),
      ...['searching', 'sharing_items', 'the_basics', 'trust_and_keys', 'wrapping_mcp', 'writing_tools'].map(
        name => `directive:rye/guides/${name}`,
      ),
      ...[
        'directive-format',
        'input-interpolation',
        'knowledge-format',
        'mcp-wrapping',
        'skill-format',
        'tool-format',
        'wrap-a-command',
      ].map(name => `knowledge:rye/authoring/${name}`),
      ...[
        'executor-chain',
        'query-language',
        'registry',
        'runtimes',
        'signing-and-trust',
        'spaces-and-shadowing',
        'terminology',
        'tool-metadata-reference',
      ].map(name => `knowledge:rye/core/${name}`),
      'tool:rye/bash',
      'tool:rye/core/system',
      ...['edit', 'glob', 'grep', 'ls', 'read', 'write'].map(name => `tool:rye/file-system/${name}`),
      'tool:rye/mcp/discover',
      'tool:rye/mcp/manager',
      'tool:rye/registry',
      'tool:rye/web/fetch',
    ])
  })

  it('names only error codes that exist', () => {
    const known = readFileSync('src/base/app-error.ts', 'utf8')
    const codes = ITEMS.flatMap(
      item =>
        item.text.match(
          /\b(?:ITEM|CHAIN|KEY|EXECUTION|INTERPRETER|PARAMETERS|VALIDATION|OUTPUT|NETWORK)_[A-Z_]+\b/g,
        ) ?? [],
    )
    expect([...new Set(codes)].filter(code => !known.includes(`'${code}'`))).toEqual([])
  })

  it('names only knowledge and guides that exist as references', () => {
    const named = ITEMS.flatMap(item =>
      Array.isArray(item.parsed.metadata.references) ? item.parsed.metadata.references.map(String) : [],
    )
    expect(named.filter(id => !ITEMS.some(item => item.id === id))).toEqual([])
  })
})

describe('the obvious question', () => {
  let session: LibrarySession
  beforeAll(async () => {
    session = await openSession()
  })
  afterAll(() => session.close())

  it.each([
    ['how do I run a shell command?', 'tool:rye/bash'],
    ['run a command in the terminal', 'tool:rye/bash'],
    ['read a file', 'tool:rye/file-system/read'],
    ['show the content of a file', 'tool:rye/file-system/read'],
    ['create a file', 'tool:rye/file-system/write'],
    ['replace text in a file', 'tool:rye/file-system/edit'],
    ['list a directory', 'tool:rye/file-system/ls'],
    ['find files by name', 'tool:rye/file-system/glob'],
    ['search for text in files', 'tool:rye/file-system/grep'],
    ['fetch a web page', 'tool:rye/web/fetch'],
    ['download a url', 'tool:rye/web/fetch'],
    ['what time is it?', 'tool:rye/core/system'],
    ['which operating system is this?', 'tool:rye/core/system'],
    ['which tools does an MCP server have?', 'tool:rye/mcp/discover'],
    ['add an MCP server', 'tool:rye/mcp/manager'],
    ['publish items to a registry', 'tool:rye/registry'],
    ['search the registry for bundles', 'tool:rye/registry'],
    ['download a bundle of items', 'tool:rye/registry'],
    ['how do I start', 'directive:init'],
    ['set up rye in this project', 'directive:init'],
    ['sign my items', 'directive:rye/core/sign_all'],
    ['create a new tool', 'directive:rye/core/create_tool'],
    ['create a tool', 'directive:rye/core/create_tool'],
    ['create a directive', 'directive:rye/core/create_directive'],
    ['create a knowledge entry', 'directive:rye/core/create_knowledge'],
    ['create a skill', 'directive:rye/core/create_skill'],
    ['sign all items', 'directive:rye/core/sign_all'],
    ['learn the basics', 'directive:rye/guides/the_basics'],
    ['learn to search', 'directive:rye/guides/searching'],
    ['learn to write tools', 'directive:rye/guides/writing_tools'],
    ['connect another MCP server', 'directive:rye/guides/wrapping_mcp'],
    ['how do I share items with my team?', 'directive:rye/guides/sharing_items'],
    ['how do I trust a key?', 'directive:rye/guides/trust_and_keys'],
    ['what is the format of a tool?', 'knowledge:rye/authoring/tool-format'],
    ['what is the format of a directive?', 'knowledge:rye/authoring/directive-format'],
    ['what is the format of a knowledge entry?', 'knowledge:rye/authoring/knowledge-format'],
    ['how do I write a skill?', 'knowledge:rye/authoring/skill-format'],
    ['how does the query language work?', 'knowledge:rye/core/query-language'],
    ['how do I fix a tampered item?', 'knowledge:rye/core/signing-and-trust'],
    ['what is the executor chain?', 'knowledge:rye/core/executor-chain'],
    ['how do I override a system tool?', 'knowledge:rye/core/spaces-and-shadowing'],
    ['how do I wrap an MCP server?', 'knowledge:rye/authoring/mcp-wrapping'],
    ['wrap a command', 'knowledge:rye/authoring/wrap-a-command'],
    ['how do I wrap a program as a tool?', 'knowledge:rye/authoring/wrap-a-command'],
    ['how are inputs put into a directive?', 'knowledge:rye/authoring/input-interpolation'],
    ['how do I pull a bundle from an npm registry?', 'knowledge:rye/core/registry'],
    ['which runtimes are there?', 'knowledge:rye/core/runtimes'],
    ['how do I add a runtime for another language?', 'knowledge:rye/core/runtimes'],
  ])('%s is answered by %s', async (query, ref) => {
    const type = ref.slice(0, ref.indexOf(':'))
    const answer = async (item_type: string) => {
      const { results } = (await session.call('search', { query, item_type })) as never as {
        results: { id: string; type: string; trust: { status: string } }[]
      }
      return results.map(result => `${result.type}:${result.id}`)
    }
    expect((await answer(type))[0]).toBe(ref)
    expect((await answer('all')).slice(0, 3)).toContain(ref)
  })
})

describe('knowledge', () => {
  it.each(ofType('knowledge'))('%s is short, and its examples run', async (_, item) => {
    expect(item.size).toBeLessThan(6000)
    const session = await openSession({ signing: true })
    try {
      for (const { path, content } of examplesOf(item.text, 'file')) {
        session.write(path, content)
        const [type, id] = refOfPath(path)
        if (type !== undefined) {
          expect(await session.call('sign', { item_type: type, item_id: id }), path).toMatchObject({
            status: 'signed',
          })
        }
      }
      // A skill is signed as a whole, when all its files are there.
      if (item.id.endsWith('skill-format'))
        await session.call('sign', { item_type: 'skill', item_id: 'csv-report' })
      for (const { path: action, content } of examplesOf(item.text, 'call')) {
        const answer = await session.call(action, JSON.parse(content))
        expect(answer, content).not.toMatchObject({ status: 'error' })
        if (action === 'search') expect(answer.total, content).toBeGreaterThan(0)
      }
    } finally {
      await session.close()
    }
  })

  it('shows what an interpolated directive answers', async () => {
    const session = await openSession({ signing: true })
    const { text } = find('knowledge:rye/authoring/input-interpolation')!
    const [{ path, content }] = examplesOf(text, 'file') as [{ path: string; content: string }]
    session.write(path, content)
    await session.call('sign', { item_id: 'directive:demo/plan_trip' })
    const answer = await session.call('execute', {
      item_id: 'directive:demo/plan_trip',
      parameters: { city: 'Oslo' },
    })
    const promised = /^answers `(.*)`$/m.exec(text)![1]
    expect(String(answer.your_directions).trim()).toBe(promised)
    await session.close()
  })
})

/** Fences whose info string says `file=PATH` or `call=ACTION`. */
function examplesOf(text: string, kind: 'file' | 'call'): { path: string; content: string }[] {
  return [...findFences(text, 0)].flatMap(fence => {
    const info = text.slice(fence.start, fence.contentStart)
    const path = new RegExp(`\\b${kind}=(\\S+)`).exec(info)?.[1]
    return path === undefined ? [] : [{ path, content: contentOf(text, fence) }]
  })
}

function refOfPath(path: string): [string | undefined, string] {
  const [, folder = '', id = ''] = /^\.ai\/(\w+)\/(.+)\.\w+$/.exec(path) ?? []
  const types: Record<string, string> = { tools: 'tool', directives: 'directive', knowledge: 'knowledge' }
  return [types[folder], id]
}

interface Call {
  readonly primary: string
  readonly params?: Readonly<Record<string, string>>
  readonly [attribute: string]: unknown
}

/** Inputs with which each directive is followed, and the failures that following it shows on purpose. */
const FOLLOWED: Record<string, { inputs?: JsonObject; failures?: readonly string[]; dry?: true }> = {
  init: {},
  'rye/core/create_tool': {
    inputs: { name: 'reverse', category: 'demo', description: 'Reverse a text' },
    // The dry run has no parameters.
    failures: ['PARAMETERS_INVALID'],
  },
  'rye/core/create_directive': {
    inputs: { name: 'tidy_up', category: 'demo', description: 'Tidy up a folder' },
  },
  'rye/core/create_knowledge': {
    inputs: { name: 'tea', category: 'demo', title: 'Tea', question: 'How long does tea take?' },
  },
  'rye/core/create_skill': {
    inputs: { name: 'tea-making', description: 'Make tea. Use when somebody is thirsty.' },
  },
  // An empty project has nothing to read or sign.
  'rye/core/sign_all': {
    failures: ['EXECUTION_FAILED', 'ITEM_NOT_FOUND', 'ITEM_NOT_FOUND', 'ITEM_NOT_FOUND', 'ITEM_NOT_FOUND'],
  },
  'rye/guides/the_basics': {},
  'rye/guides/searching': {},
  'rye/guides/writing_tools': { failures: ['PARAMETERS_INVALID', 'EXECUTION_FAILED'] },
  'rye/guides/wrapping_mcp': { inputs: { name: 'x', url: 'https://127.0.0.1/' }, dry: true },
  // The project is no repository, and has no items to publish.
  'rye/guides/sharing_items': { failures: ['EXECUTION_FAILED', 'ITEM_NOT_FOUND'] },
  'rye/guides/trust_and_keys': { failures: ['ITEM_TAMPERED'] },
}

describe('directives', () => {
  it('are all followed here', () => {
    expect(Object.keys(FOLLOWED).sort()).toEqual(
      ofType('directive')
        .map(([id]) => id)
        .sort(),
    )
  })

  it.each(ofType('directive'))('%s can be followed call by call', async (id, item) => {
    const session = await openSession({ signing: true })
    const { inputs = {}, failures = [], dry } = FOLLOWED[id]!
    try {
      const answer = await session.call('execute', { item_id: `directive:${id}`, parameters: inputs })
      expect(answer.status).toBe('success')
      expect(String(answer.your_directions)).not.toContain('{input:')
      const seen: string[] = []
      for (const call of item.parsed.metadata.actions as unknown as Call[]) {
        const filled = fillCall(call, answer.inputs as JsonObject)
        if (dry && filled.primary === 'sign') continue
        const { primary, params, ...rest } = filled
        const input = {
          ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, typed(String(value))])),
          ...(primary === 'execute' && params && { param: params }),
          ...(dry && primary === 'execute' && { dry_run: true }),
        }
        const result = await session.call(primary, input)
        if (result.status !== 'error') continue
        expect(result.code, JSON.stringify({ primary, input, result })).not.toBe('INVALID_INPUT')
        if (!dry || result.code !== 'ITEM_NOT_FOUND') seen.push(String(result.code))
      }
      expect(seen).toEqual(failures)
    } finally {
      await session.close()
    }
  })

  it('name tools and ids that have the grammar of ids', () => {
    for (const [, item] of ofType('directive')) {
      expect(idProblem(item.id)).toBeUndefined()
      expect(item.parsed.metadata.name).toBe(nameOf(item.id))
      expect(item.parsed.body).toContain('<process>')
    }
  })
})

function fillCall(call: Call, inputs: JsonObject): Call {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return interpolate(value, inputs)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fill(entry)]))
  }
  return fill(call) as Call
}

/** Attributes are texts; an agent writes numbers and truth values. */
function typed(text: string): unknown {
  if (/^\d+$/.test(text)) return Number(text)
  return text === 'true' || text === 'false' ? text === 'true' : text
}
