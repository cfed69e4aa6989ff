import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

function ids(answer: Answer): string[] {
  return answer.results.map((result: Answer) => result.id)
}

/** A library without the system's items in the way. */
async function found(made: Scratch, query: string, input: object = {}): Promise<string[]> {
  return ids(await made.run('search', { query, source: 'project', ...input }))
}

const SHIP = {
  '.ai/tools/ops/deploy.py': tool('ops/deploy', {
    description: 'Deploy the service to a cluster',
    version: '2.1.0',
  }),
  '.ai/knowledge/ops/rollback.md': knowledge('ops/rollback', {
    title: 'Rolling back',
    description: 'Undo a bad deploy',
    extra: 'tags: [release, urgent]\nauthor: ada\ncreated_at: 2024-05-06',
    body: 'Start the previous image. Then move the traffic to it, slowly.',
  }),
  '.ai/knowledge/kitchen/bread.md': knowledge('kitchen/bread', {
    description: 'Baking bread',
    extra: 'tags: [food]\nauthor: bob\ncreated_at: 2023-01-02',
    body: 'Flour, water, salt and patience.',
  }),
  '.ai/directives/ops/ship_it.md': directive('ops/ship_it', { description: 'Ship a release' }),
  '.ai/skills/pdf/SKILL.md': skill('pdf', 'Fill forms in documents'),
}

let ship: Scratch
beforeAll(async () => {
  ship = await scratch(SHIP, { key: false, shared: true })
  return ship.close
})

describe('an answer of search', () => {
  it('has every field of the contract', async () => {
    const made = await scratch(SHIP)
    await made.sign('tool:ops/deploy')
    const answer = await made.run('search', { query: 'deploy cluster', source: 'project' })
    expect(Object.keys(answer)).toEqual([
      'results',
      'total',
      'query',
      'scope',
      'space',
      'limit',
      'offset',
      'search_type',
    ])
    expect(answer).toMatchObject({
      total: 2,
      query: 'deploy cluster',
      scope: 'all',
      space: 'project',
      limit: 10,
      offset: 0,
      search_type: 'keyword',
    })
    const [first, second] = answer.results
    expect(Object.keys(first)).toEqual([
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
      'matched',
    ])
    expect(first).toMatchObject({
      id: 'ops/deploy',
      name: 'deploy',
      title: 'deploy',
      description: 'Deploy the service to a cluster',
      category: 'ops',
      type: 'tool',
      source: 'project',
      signed: true,
      trust: { status: 'verified', format: 'v2', coverage: 'full' },
      matched: { description: ['deploy', 'cluster'] },
    })
    expect(second).toMatchObject({
      id: 'ops/rollback',
      partial: true,
      signed: false,
      trust: { status: 'unsigned' },
    })
    for (const { score } of [first, second]) {
      expect(score).toBeGreaterThan(0)
      expect(score).toBeLessThanOrEqual(1)
      expect(Math.round(score * 10_000) / 10_000).toBe(score)
    }
  })

  it('says what shadows what', async () => {
    const made = await scratch({
      '.ai/tools/deploy.py': tool('deploy'),
      'user:.ai/tools/deploy.py': tool('deploy'),
      '.ai/tools/rye/core/primitives/mcp.yaml': 'version: "1.0.0"\ndescription: deploy\n',
    })
    const { results } = await made.run('search', { query: 'deploy', item_type: 'tool' })
    const shown = results.map(({ id, source, shadows, shadowed_by }: Answer) => ({
      id,
      source,
      shadows,
      shadowed_by,
    }))
    expect(shown).toContainEqual({ id: 'deploy', source: 'project', shadows: [{ space: 'user' }] })
    expect(shown).toContainEqual({ id: 'deploy', source: 'user', shadowed_by: 'project' })
    expect(shown).toContainEqual({
      id: 'rye/core/primitives/mcp',
      source: 'project',
      shadows: [{ space: 'system' }],
    })
    expect(results[0].score).toBe(results[1].score)
  })

  it('previews the text around the match: no signature, no metadata, nothing hidden', async () => {
    const made = await scratch({
      '.ai/knowledge/notes.md': knowledge('notes', {
        body: `${'filler '.repeat(200)}the needle\u202e\u200b is\u0007 here ${'more '.repeat(200)}`,
      }),
    })
    await made.sign('notes')
    const { results } = await made.run('search', { query: 'needle', source: 'project' })
    const { preview } = results[0]
    expect(preview).toContain('needle\\u{202e}\\u{200b} is\\u{7} here')
    expect(preview).not.toMatch(/rye:signed|entry_type|version:/)
    expect(preview.length).toBeLessThan(600)
    const start = await made.run('search', { query: 'filler', source: 'project' })
    expect(start.results[0].preview).toMatch(/^filler/)
  })

  it.each(['tampered', 'untrusted'])('says that an item is %s', async status => {
    const made = await scratch({ '.ai/knowledge/notes.md': knowledge('notes') })
    await made.sign('notes')
    expect((await made.run('search', { query: 'notes' })).results[0].trust.status).toBe('verified')
    if (status === 'tampered') made.write('.ai/knowledge/notes.md', `${made.read('.ai/knowledge/notes.md')}!`)
    else {
      const { keys } = await made.run('keys list')
      await made.run('keys remove', { fingerprint: keys[0].fingerprint })
    }
    const { results } = await made.run('search', { query: 'notes' })
    expect(results[0]).toMatchObject({ signed: true, trust: { status } })
  })

  it('sees a part of a skill and a detached signature change', async () => {
    const made = await scratch({
      '.ai/skills/pdf/SKILL.md': skill('pdf'),
      '.ai/skills/pdf/scripts/fill.py': 'print(1)\n',
      '.ai/tools/call.json': JSON.stringify({
        version: '1.0.0',
        tool_type: 'http',
        executor_id: 'rye/core/runtimes/http/http',
        category: '',
        description: 'calls pdf',
      }),
    })
    await made.sign('*')
    const verdicts = async () => {
      const { results } = await made.run('search', { query: 'pdf', source: 'project', sort_by: 'name' })
      return results.map((result: Answer) => [result.id, result.trust.status])
    }
    expect(await verdicts()).toEqual([
      ['call', 'verified'],
      ['pdf', 'verified'],
    ])
    made.write('.ai/skills/pdf/scripts/fill.py', 'print(2)\n')
    rmSync(made.path('.ai/tools/call.json.sig'))
    expect(await verdicts()).toEqual([
      ['call', 'unsigned'],
      ['pdf', 'tampered'],
    ])
  })
})

describe('what is searched', () => {
  it.each([
    ['a question gets an answer', 'how do I undo a bad deploy?', {}, 'ops/rollback'],
    ['a typo with fuzzy', 'rolbback', { fuzzy: 2 }, 'ops/rollback'],
    ['fuzzy as an object', 'rolbback', { fuzzy: { enabled: true, max_distance: 2 } }, 'ops/rollback'],
    ['a phrase', '"previous image"', {}, 'ops/rollback'],
    ['a wildcard', 'flo*', {}, 'kitchen/bread'],
    ['a suffix', '*our', {}, 'kitchen/bread'],
    ['an infix', '*atien*', {}, 'kitchen/bread'],
    ['near words', 'flour salt', { proximity: { enabled: true, max_distance: 1 } }, 'kitchen/bread'],
    ['a field', '*', { fields: { title: 'rolling' } }, 'ops/rollback'],
    ['an exact id', 'ops/ship_it', {}, 'ops/ship_it'],
    ['an exact name', 'bread', {}, 'kitchen/bread'],
  ])('%s', async (_title, query, input, expected) => {
    expect((await found(ship, query, input))[0]).toBe(expected)
  })

  it.each([
    ['operators are exact', 'deploy AND cluster', {}, ['ops/deploy']],
    ['NOT', 'deploy NOT cluster', {}, ['ops/rollback']],
    ['a group keeps', 'undo (cluster OR deploy)', { match: 'all' }, ['ops/rollback']],
    ['match all', 'deploy cluster', { match: 'all' }, ['ops/deploy']],
    ['type', '*', { item_type: 'skill' }, ['pdf']],
    ['scope by type', '*', { scope: 'directive' }, ['ops/ship_it']],
    ['scope by namespace', '*', { scope: 'knowledge.kitchen.*' }, ['kitchen/bread']],
    ['scope as a capability', '*', { scope: 'rye.fetch.tool.ops.*' }, ['ops/deploy']],
    ['a namespace ends at a boundary', '*', { scope: 'tool.op.*' }, []],
    ['category', '*', { category: 'kitchen' }, ['kitchen/bread']],
    ['tags', '*', { tags: ['food', 'nothing'] }, ['kitchen/bread']],
    [
      'dates from',
      '*',
      { item_type: 'knowledge', date_from: '2024-01-01', date_to: '2024-12-31' },
      ['ops/rollback'],
    ],
    ['dates to', '*', { item_type: 'knowledge', date_to: '2023-12-31' }, ['kitchen/bread']],
    ['filter by equality', '*', { filters: { author: 'ADA' } }, ['ops/rollback']],
    ['filter by version', '*', { item_type: 'tool', filters: { version: '>=2.0.0' } }, ['ops/deploy']],
    ['filter by a newer version', '*', { item_type: 'tool', filters: { version: '>2.1.0' } }, []],
    ['filter by negation', '*', { item_type: 'knowledge', filters: { author: '!ada' } }, ['kitchen/bread']],
    ['far words', 'flour patience', { proximity: 1 }, []],
    ['other spaces', 'flour', { source: 'user' }, []],
  ])('%s', async (_title, query, input, expected) => {
    expect(await found(ship, query, input)).toEqual(expected)
  })

  it('pages with exact totals, in a stable order', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 23 }, (_, index) => {
        const id = `n/item-${String(index).padStart(2, '0')}`
        return [`.ai/knowledge/${id}.md`, knowledge(id, { title: 'Same', description: 'Same words' })]
      }),
    )
    const made = await scratch(files)
    const seen: string[] = []
    for (let offset = 0; offset < 30; offset += 7) {
      const answer = await made.run('search', { query: 'same words', source: 'project', limit: 7, offset })
      expect(answer).toMatchObject({ total: 23, limit: 7, offset })
      seen.push(...ids(answer))
    }
    expect(seen).toEqual([...seen].sort())
    expect(new Set(seen).size).toBe(23)
  })

  it('sorts by name and by date, newest first', async () => {
    expect(await found(ship, '*', { sort_by: 'name' })).toEqual([
      'kitchen/bread',
      'ops/deploy',
      'pdf',
      'ops/rollback',
      'ops/ship_it',
    ])
    expect(await found(ship, '*', { sort_by: 'date', item_type: 'knowledge' })).toEqual([
      'ops/rollback',
      'kitchen/bread',
    ])
  })

  it('searches other clients’ skill folders', async () => {
    const made = await scratch({
      '.claude/skills/slides/SKILL.md': skill('slides'),
      'user:.agents/skills/sheets/SKILL.md': skill('sheets'),
    })
    expect(await found(made, 'slides')).toEqual(['slides'])
    expect(ids(await made.run('search', { query: 'sheets', source: 'user' }))).toEqual(['sheets'])
  })
})

describe('input that is wrong', () => {
  it.each([
    [{ query: 'x', item_type: 'tol' }, 'INVALID_INPUT', 'did you mean `tool`?'],
    [{ query: 'x', source: 'space' }, 'INVALID_INPUT', 'project'],
    [{ query: 'x', sort_by: 'size' }, 'INVALID_INPUT', 'score, date, name'],
    [{ query: 'x', match: 'some' }, 'INVALID_INPUT', 'auto, all, any'],
    [{ query: 'x', scope: 'tols' }, 'SCOPE_SYNTAX', 'invalid scope'],
    [{ query: 'x', scope: 'tool.../etc' }, 'SCOPE_SYNTAX', 'invalid scope'],
    [{ query: 'x', scope: 'tool.a/../b' }, 'SCOPE_SYNTAX', 'invalid scope'],
    [{ query: 'x', scope: 'tool', item_type: 'skill' }, 'INVALID_INPUT', 'contradict'],
    [{ query: 'x', limit: -1 }, 'INVALID_INPUT', '`limit`'],
    [{ query: 'x', limit: 1e9 }, 'INVALID_INPUT', '`limit`'],
    [{ query: 'x', limit: 'ten' }, 'INVALID_INPUT', '`limit`'],
    [{ query: 'x', offset: -5 }, 'INVALID_INPUT', '`offset`'],
    [{ query: 'x', colour: 'red' }, 'INVALID_INPUT', 'unknown parameter `colour`'],
    [{ query: 'x', fields: { colour: 'red' } }, 'INVALID_INPUT', 'colour'],
    [{ query: 'x', filters: { a: {} } }, 'INVALID_INPUT', ''],
    [{ query: 'x', fuzzy: 99 }, 'INVALID_INPUT', 'fuzzy'],
    [{ query: 'x', fuzzy: { enabled: 'yes' } }, 'INVALID_INPUT', 'fuzzy'],
    [{ query: 'x', proximity: -1 }, 'INVALID_INPUT', 'proximity'],
    [{ query: 'x', date_from: 'yesterday' }, 'INVALID_INPUT', 'date_from'],
    [{ query: 'x', date_from: '2025-01-01', date_to: '2024-01-01' }, 'INVALID_INPUT', 'date_from'],
    [{ query: 7 }, 'INVALID_INPUT', '`query`'],
    [{}, 'INVALID_INPUT', '`query` is required'],
    [{ query: 'x', source: 'registry' }, 'NOT_AVAILABLE', 'registry'],
    [{ query: 'x', project_path: 'relative' }, 'PROJECT_NOT_FOUND', 'absolute'],
    [{ query: 'x', project_path: '/no/such/place' }, 'PROJECT_NOT_FOUND', 'no directory'],
    [{ query: 'x', project_path: '/bad\0path' }, 'PROJECT_NOT_FOUND', 'absolute'],
    [{ query: '(a' }, 'QUERY_SYNTAX', 'offset'],
    [{ query: 'a AND' }, 'QUERY_SYNTAX', 'offset'],
    [{ query: '"open' }, 'QUERY_SYNTAX', 'offset'],
    [{ query: '('.repeat(1000) }, 'QUERY_SYNTAX', ''],
  ])('%j', async (input, code, says) => {
    const answer = await ship.run('search', input)
    expect(answer).toMatchObject({ status: 'error', code })
    expect(`${answer.error} ${answer.hint ?? ''}`).toContain(says)
  })

  it('says where a query slips', async () => {
    expect(await ship.run('search', { query: 'a AND )' })).toMatchObject({ code: 'QUERY_SYNTAX', offset: 6 })
  })

  it('reads a question that does not parse as plain words, and says so', async () => {
    const answer = await ship.run('search', { query: 'why did (the last deploy fail' })
    expect(ids(answer)).toContain('ops/deploy')
    expect(answer.warning).toContain('does not parse')
  })

  it('refuses a project path that is a file, and follows one that is a link', async () => {
    const file = ship.write('a-file', '')
    expect(await ship.run('search', { query: 'x', project_path: file })).toMatchObject({
      code: 'PROJECT_NOT_FOUND',
    })
    const link = join(ship.root, 'link')
    symlinkSync(ship.project, link)
    expect(ids(await ship.run('search', { query: 'flour', project_path: link }))).toEqual(['kitchen/bread'])
  })

  it.each([
    ['a megabyte', 'deploy '.repeat(150_000)],
    ['ten thousand terms', Array.from({ length: 10_000 }, (_, index) => `term${index}`).join(' ')],
    [
      'ten thousand terms with operators',
      Array.from({ length: 10_000 }, (_, index) => `t${index}`).join(' OR '),
    ],
    ['a thousand groups around words', `${'('.repeat(1000)}a b c d e f${')'.repeat(1000)}`],
    ['a star', '*'],
    ['many stars', '***a*b*c***'],
    ['a NUL', 'deploy\0cluster'],
    ['lone surrogates', '\ud800 deploy \udfff'],
    ['engine syntax in quotes', '"deploy\' OR 1=1 --" NEAR(a b) title:x ^y {z}'],
    ['engine columns', 'title : deploy AND rowid : 1'],
    ['an empty query', ''],
    ['blank', ' \t\n '],
    ['only marks', '!!! ??? ...'],
    ['stop words only', 'what is the'],
  ])('%s gets an answer or a clear error, and the next search works', async (_title, query) => {
    for (const caller of ['person', 'agent'] as const) {
      const answer = await ship.run('search', { query, source: 'project' }, caller)
      expect(answer.code === 'QUERY_SYNTAX' || Array.isArray(answer.results)).toBe(true)
      expect(await found(ship, 'flour')).toEqual(['kitchen/bread'])
    }
  })

  it('gives a hint when nothing fits', async () => {
    expect(await ship.run('search', { query: 'rollbak', source: 'project' })).toMatchObject({
      results: [],
      total: 0,
      hint: expect.stringContaining('near: `rollback`'),
    })
    expect(await ship.run('search', { query: 'flour', item_type: 'tool' })).toMatchObject({
      total: 0,
      hint: '1 found without type, scope and source',
    })
    expect(await ship.run('search', { query: 'zzzzzzzzz' })).toMatchObject({
      hint: 'nothing in this library; it may be in a registry',
    })
  })
})

describe('a library that changes under a server', () => {
  it('sees a file edited, added, renamed and deleted between two searches', async () => {
    const made = await scratch(SHIP, { key: false })
    const agent = async (query: string) =>
      ids(await made.run('search', { query, source: 'project', match: 'all' }, 'agent'))
    expect(await agent('flour')).toEqual(['kitchen/bread'])

    made.write('.ai/knowledge/kitchen/bread.md', knowledge('kitchen/bread', { body: 'Now with barley.' }))
    expect(await agent('flour')).toEqual([])
    expect(await agent('barley')).toEqual(['kitchen/bread'])

    made.write('.ai/knowledge/kitchen/deep/er/soup.md', knowledge('kitchen/deep/er/soup', { body: 'leek' }))
    expect(await agent('leek')).toEqual(['kitchen/deep/er/soup'])
    made.write('.ai/knowledge/kitchen/deep/er/stew.md', knowledge('kitchen/deep/er/stew', { body: 'turnip' }))
    expect(await agent('turnip')).toEqual(['kitchen/deep/er/stew'])

    renameSync(made.path('.ai/knowledge/kitchen/bread.md'), made.path('.ai/knowledge/kitchen/loaf.md'))
    expect(await agent('barley')).toEqual(['kitchen/loaf'])

    rmSync(made.path('.ai/knowledge/kitchen/loaf.md'))
    expect(await agent('barley')).toEqual([])
    renameSync(made.path('.ai/knowledge/kitchen'), made.path('.ai/knowledge/pantry'))
    expect(await agent('leek')).toEqual(['pantry/deep/er/soup'])
    rmSync(made.path('.ai/knowledge/pantry'), { recursive: true })
    expect(await agent('leek')).toEqual([])
  })

  it('sees a file replaced by one of the same size and time', async () => {
    const made = await scratch({}, { key: false })
    const path = made.write('.ai/knowledge/a.md', knowledge('a', { body: 'apple' }))
    const time = new Date('2024-01-01')
    utimesSync(path, time, time)
    expect(await found(made, 'apple')).toEqual(['a'])
    writeFileSync(`${path}.new`, knowledge('a', { body: 'grape' }))
    utimesSync(`${path}.new`, time, time)
    renameSync(`${path}.new`, path)
    expect(await found(made, 'grape')).toEqual(['a'])
  })

  it('sees the first item of a project that had no folder for it', async () => {
    const made = await scratch({}, { key: false })
    const agent = async () => ids(await made.run('search', { query: 'apple', source: 'project' }, 'agent'))
    expect(await agent()).toEqual([])
    made.write('.ai/knowledge/a.md', knowledge('a', { body: 'apple' }))
    expect(await agent()).toEqual(['a'])
    mkdirSync(made.path('.claude'))
    made.write('.claude/skills/fruit/SKILL.md', skill('fruit', 'apple'))
    expect((await agent()).sort()).toEqual(['a', 'fruit'])
  })

  it('answers many searches at once', async () => {
    const made = await scratch(SHIP, { key: false })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => made.run('search', { query: 'flour', source: 'project' }, 'agent')),
    )
    expect(new Set(answers.map(answer => ids(answer).join()))).toEqual(new Set(['kitchen/bread']))
  })

  it('a search that comes while the index is refreshed sees what was written before it', async () => {
    const made = await scratch(SHIP, { key: false })
    const first = made.run('search', { query: 'flour' }, 'agent')
    made.write('.ai/knowledge/late.md', knowledge('late', { body: 'latecomer' }))
    const second = made.run('search', { query: 'latecomer', source: 'project' }, 'agent')
    await first
    expect(ids(await second)).toEqual(['late'])
  })
})
