// The examples from the document about `rye_fetch`, executed as written, over a library that has what they
// look for.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, openServedLibrary, pythonHead, type ServedLibrary } from './served-library.ts'

let library: ServedLibrary
beforeAll(async () => {
  library = await openServedLibrary()
  for (const [id, text] of Object.entries(TOOLS)) library.write(`tools/${id}.py`, tool(id, text))
  for (const [id, text] of Object.entries(ENTRIES))
    library.write(`knowledge/syntax/${id}.md`, entry(id, text))
  library.write('directives/deploy_site.md', directive('deploy_site'))
  library.write('directives/deploy_all.md', directive('deploy_all'), 'user')
  for (const space of ['project', 'user'] as const) {
    library.write('tools/my/custom-tool.py', tool('my/custom-tool', 'Customised'), space)
    expect(await library.call('sign', { item_id: '*', source: space })).toMatchObject({ failed: [] })
  }
})
afterAll(() => library.close())

const FAR = 'It opens the door, and many words later, after a long walk through the house, it closes'
const TOOLS = {
  'agent/threads/conductor': 'Thread orchestrator of the agent',
  'agent/threads/far': `Thread. ${FAR} the orchestrator`,
  'other/weaver': 'Weaves a thread',
  'agent/start': 'Start a thread directive',
  'agent/stop': 'Stop the directive of a thread',
  'files/scratch': 'Write a temporary file',
  'web/websearch': 'Ask the web',
}

/** Texts for the examples of the query syntax. */
const ENTRIES = {
  one: 'file system',
  two: 'system of a file',
  three: 'directory',
  four: 'file temporary',
  five: 'dir read',
  six: 'file read',
  seven: 'filesystem',
  eight: 'websearch',
  nine: 'create directive',
  ten: 'directive to create',
  eleven: 'subthreads',
  twelve: 'search',
  thirteen: 'file-system',
}

function tool(id: string, description: string): string {
  const category = id.slice(0, id.lastIndexOf('/'))
  return `${pythonHead(category, description, 'rye/core/runtimes/python/function')}def execute(params, project_path):\n    return {}\n`
}

function entry(name: string, text: string, category = 'syntax'): string {
  return `---\nname: ${name}\ntitle: ${name}\nentry_type: note\ncategory: ${category}\nversion: "1.0.0"\n---\n${text}\n`
}

function directive(name: string): string {
  const metadata = '<description>Deploy it</description><category></category><author>ann</author>'
  const xml = `<directive name="${name}" version="1.0.0"><metadata>${metadata}</metadata></directive>`
  return `# Deploy\n\n\`\`\`xml\n${xml}\n\`\`\`\n\n<process><step name="go">Go.</step></process>\n`
}

type Hit = Json & { readonly id: string; readonly name: string; readonly type: string }

async function hits(given: Json): Promise<Hit[]> {
  const { results } = await library.call('fetch', given)
  return results as Hit[]
}

const ids = async (given: Json) => (await hits(given)).map(hit => hit.id)

describe('ID mode', () => {
  it('copies a system directive into the project, and loads it from there', async () => {
    const shape = { status: 'success', mode: 'id' }
    for (const name of ['create_tool', 'create_directive']) {
      const given = { item_type: 'directive', item_id: `rye/core/${name}`, source: 'system' }
      const path = join(library.place.project, `.ai/directives/rye/core/${name}.md`)
      expect(await library.call('fetch', { ...given, destination: 'project' })).toMatchObject({
        ...shape,
        source: 'system',
        copied_to: 'project',
        destination_path: path,
      })
      expect(await library.call('fetch', { item_id: `rye/core/${name}`, source: 'project' })).toMatchObject({
        ...shape,
        metadata: { name, path, extension: '.md', version: '1.0.0' },
        path,
        source: 'project',
      })
    }
  })

  it.each([
    [{ item_type: 'tool', item_id: 'rye/file-system/read', source: 'system' }, '.ts'],
    [{ item_type: 'knowledge', item_id: 'rye/core/tool-metadata-reference', source: 'system' }, '.md'],
    [{ item_type: 'knowledge', item_id: 'rye/core/terminology', source: 'system' }, '.md'],
  ])('%j loads', async (given, extension) => {
    const { item_id } = given
    const { content, ...answer } = await library.call('fetch', given)
    expect(answer).toMatchObject({
      status: 'success',
      metadata: { name: item_id.slice(item_id.lastIndexOf('/') + 1), extension },
      source: 'system',
    })
    expect(String(content).length).toBeGreaterThan(1500)
  })

  it.each([
    ['system', 'project', 'rye/bash'],
    ['system', 'user', 'rye/web/fetch'],
    ['user', 'project', 'deploy_all'],
    ['project', 'user', 'deploy_site'],
  ])('copies from %s to %s', async (source, destination, item_id) => {
    expect(await library.call('fetch', { item_id, source, destination })).toMatchObject({
      status: 'success',
      source,
      copied_to: destination,
    })
    expect(await library.call('fetch', { item_id, source: destination })).toMatchObject({
      source: destination,
    })
  })

  it('refuses what was changed after signing', async () => {
    library.write('tools/files/changed.py', tool('files/changed', 'Changes'))
    const signed = await library.signTool('files/changed')
    expect(signed).toMatchObject({ status: 'signed' })
    const { content } = await library.call('fetch', { item_id: 'files/changed' })
    expect(content).toMatch(/^# rye:signed:/)
    library.write('tools/files/changed.py', String(content).replace('Changes', 'Changed'))
    expect(await library.call('fetch', { item_id: 'files/changed' })).toMatchObject({ code: 'ITEM_TAMPERED' })
  })

  it('says what is not found, and takes one mode at a time', async () => {
    const missing = { item_type: 'tool', item_id: 'my-project/missing-tool' }
    expect(await library.call('fetch', missing)).toMatchObject({
      status: 'error',
      error: 'Item not found: my-project/missing-tool',
      ...missing,
    })
    for (const given of [{}, { item_id: 'rye/bash', query: 'bash', scope: 'tool' }])
      expect(await library.call('fetch', given)).toMatchObject({ status: 'error' })
  })
})

describe('query mode', () => {
  it('answers as in the document', async () => {
    const { results, ...answer } = await library.call('fetch', { query: 'read file', scope: 'tool' })
    expect(answer).toMatchObject({
      query: 'read file',
      scope: 'tool',
      space: 'all',
      limit: 10,
      offset: 0,
      search_type: 'hybrid',
    })
    const best = (results as Hit[])[0]!
    expect(best).toMatchObject({ id: 'rye/file-system/read', name: 'read', type: 'tool', source: 'system' })
    const fields = ['id', 'name', 'description', 'category', 'score', 'type', 'source', 'preview']
    expect(Object.keys(best)).toEqual(expect.arrayContaining(fields))
    for (const { score } of results as Hit[])
      expect(score).toSatisfy(value => Number(value) > 0 && Number(value) <= 1)
  })

  it.each([
    ['directive', 'directive', ''],
    ['tool', 'tool', ''],
    ['knowledge', 'knowledge', ''],
    ['tool.rye.core.*', 'tool', 'rye/core/'],
    ['directive.rye.*', 'directive', 'rye/'],
    ['rye.fetch.directive.*', 'directive', ''],
    ['rye.fetch.tool.rye.core.*', 'tool', 'rye/core/'],
    ['rye.fetch.knowledge.rye.core.*', 'knowledge', 'rye/core/'],
  ])('scope %s', async (scope, type, prefix) => {
    const found = await hits({ query: '*', scope, limit: 100 })
    expect(found.length).toBeGreaterThan(4)
    for (const hit of found) {
      expect(hit.type).toBe(type)
      expect(hit.id.startsWith(prefix)).toBe(true)
    }
  })

  it.each([
    ['file AND system', ['one', 'thirteen', 'two']],
    ['file OR directory', ['four', 'one', 'six', 'thirteen', 'three', 'two']],
    ['file NOT temporary', ['one', 'six', 'thirteen', 'two']],
    ['(file OR dir) AND read', ['five', 'six']],
    ['"file system"', ['one', 'thirteen']],
    ['"create directive"', ['nine']],
    ['file*', ['four', 'one', 'seven', 'six', 'thirteen', 'two']],
    ['*search', ['eight', 'twelve']],
    ['*thread*', ['eleven']],
  ])('%s', async (query, names) => {
    const found = await hits({ query, scope: 'knowledge.syntax.*', sort_by: 'name', limit: 100 })
    expect(found.map(hit => hit.name)).toEqual(names)
  })

  it('words side by side are joined by AND where all must match, and are ranked so otherwise', async () => {
    const given = { query: 'file system', scope: 'knowledge.syntax.*', limit: 100 }
    const all = ['syntax/one', 'syntax/thirteen', 'syntax/two']
    expect((await ids({ ...given, match: 'all' })).sort()).toEqual(all)
    expect((await ids(given)).slice(0, 3).sort()).toEqual(all)
  })

  it('finds despite a typo', async () => {
    const typo = { query: 'direcive', scope: 'directive' }
    expect(await ids({ ...typo, fuzzy: { enabled: true, max_distance: 2 } })).toContain(
      'rye/core/create_directive',
    )
  })

  it('finds words near each other', async () => {
    const given = { query: 'thread orchestrator', scope: 'tool' }
    expect(await ids({ ...given, proximity: { enabled: true, max_distance: 5 } })).toEqual([
      'agent/threads/conductor',
    ])
    expect(await ids(given)).toEqual(expect.arrayContaining(['agent/threads/conductor', 'agent/threads/far']))
  })

  it.each(['directive', 'tool', 'knowledge'])(
    'weighs the fields of a %s as the document does',
    async type => {
      const item_id = `rye/core/extractors/${type}/${type}_extractor`
      const { content } = await library.call('fetch', { item_id, item_type: 'tool', source: 'system' })
      const weights = ['title: 3', 'name: 3', 'description: 2', 'category: 1.5', 'content: 1']
      expect(String(content).split('\n')).toEqual(
        expect.arrayContaining(weights.map(weight => `  ${weight}`)),
      )
    },
  )

  it('breaks ties by space, then by id', async () => {
    library.write('knowledge/ties/b.md', entry('b', 'twin', 'ties'))
    library.write('knowledge/ties/c.md', entry('c', 'twin', 'ties'))
    library.write('knowledge/ties/a.md', entry('a', 'twin', 'ties'), 'user')
    const found = await hits({ query: 'twin', scope: 'knowledge.ties.*' })
    expect(new Set(found.map(hit => hit.score)).size).toBe(1)
    expect(found.map(hit => hit.id)).toEqual(['ties/b', 'ties/c', 'ties/a'])
  })

  it('shows what shadows what', async () => {
    const found = await hits({ query: 'customised', scope: 'tool' })
    expect(found).toMatchObject([
      { id: 'my/custom-tool', source: 'project', shadows: [{ space: 'user' }] },
      { id: 'my/custom-tool', source: 'user', shadowed_by: 'project' },
    ])
  })

  it('searches all directives', async () => {
    const found = await ids({ query: 'create', scope: 'directive' })
    expect(found).toEqual(expect.arrayContaining(['rye/core/create_tool', 'rye/core/create_directive']))
  })

  it('searches tools of a namespace', async () => {
    const found = await ids({ query: 'read write', scope: 'tool.rye.file-system.*' })
    expect(found.slice(0, 2).sort()).toEqual(['rye/file-system/read', 'rye/file-system/write'])
    expect(found.every(id => id.startsWith('rye/file-system/'))).toBe(true)
  })

  it('searches by field', async () => {
    const found = await ids({ query: 'thread', scope: 'tool', fields: { category: 'agent' } })
    expect(found.sort()).toEqual([
      'agent/start',
      'agent/stop',
      'agent/threads/conductor',
      'agent/threads/far',
    ])
  })

  it('searches the project alone', async () => {
    const found = await hits({ query: 'deploy', scope: 'directive', source: 'project' })
    expect(found.map(hit => hit.source)).toEqual(found.map(() => 'project'))
    expect(found.map(hit => hit.id)).toContain('deploy_site')
  })

  it('pages', async () => {
    const given = { query: '*', scope: 'knowledge', sort_by: 'name' }
    const all = (await hits({ ...given, limit: 100 })).map(hit => hit.name)
    expect(all).toEqual([...all].sort())
    const page = await hits({ ...given, limit: 5, offset: 10 })
    expect(page.map(hit => hit.name)).toEqual(all.slice(10, 15))
  })

  it('leaves out what is excluded', async () => {
    const found = await ids({ query: 'file NOT temporary', scope: 'tool', limit: 100 })
    expect(found).toContain('rye/file-system/read')
    expect(found).not.toContain('files/scratch')
    expect(await ids({ query: 'file', scope: 'tool', limit: 100 })).toContain('files/scratch')
  })

  it('finds a phrase', async () => {
    expect(await ids({ query: '"thread directive"', scope: 'tool' })).toEqual(['agent/start'])
  })
})
