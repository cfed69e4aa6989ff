// The examples from the document about parsers, executed as written.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Example, readExample } from './seed-examples.ts'
import { openServedLibrary, pythonHead, type ServedLibrary } from './served-library.ts'

let library: ServedLibrary
beforeAll(async () => {
  library = await openServedLibrary()
})
afterAll(() => library.close())

const SIGNED = { status: 'signed' }
const put = (example: Example, path: string) => library.write(path, readExample(example))

const CODE = ['version', 'tool_type', 'executor_id', 'category', 'tool_description', 'config_schema']
const DATA = ['tool_id', 'tool_type', 'executor_id', 'env_config', 'config', 'parameters']

describe('parsers', () => {
  it('the map of the extractor is ours', async () => {
    const { content } = await library.call('load', { item_id: 'rye/core/extractors/tool/tool_extractor' })
    const lines = readExample('extractor.yaml').split('\n').slice(1).filter(Boolean)
    expect(lines).toHaveLength(8)
    expect(String(content).split('\n')).toEqual(expect.arrayContaining(lines))
  })

  it.each<[Example, string, string, readonly string[]]>([
    ['directive.md', 'directives/d.md', 'markdown/xml', ['name', 'version', 'body', 'content', 'raw']],
    [
      'knowledge.md',
      'knowledge/k.md',
      'markdown/frontmatter',
      ['name', 'title', 'entry_type', 'category', 'version', 'tags'],
    ],
    ['shell-commands.py', 'tools/p.py', 'python/ast', CODE],
    ['runtime.yaml', 'tools/y.yaml', 'yaml/yaml', DATA],
    ['runtime.yaml', 'tools/y.yml', 'yaml/yaml', DATA],
    ['greet.ts', 'tools/j.ts', 'javascript/javascript', [...CODE, 'env_config', 'config']],
    ['greet.ts', 'tools/j.js', 'javascript/javascript', [...CODE, 'env_config', 'config']],
    ['greet.ts', 'tools/j.mjs', 'javascript/javascript', [...CODE, 'env_config', 'config']],
  ])('%s at %s is read by %s', async (example, path, parser, fields) => {
    put(example, path)
    const [item] = (await library.place.rye(['parse', `.ai/${path}`, '--json'])).json().items
    expect(item.parser).toBe(parser)
    expect(Object.keys({ ...item.metadata, body: item.body })).toEqual(expect.arrayContaining([...fields]))
  })

  it('the structure of a directive, filled in, gives its steps', async () => {
    const metadata =
      '<description>Says</description><category></category><author>ann</author>' +
      '<model tier="fast" /><limits turns="6" /><permissions><execute><tool>rye.bash</tool></execute></permissions>' +
      '<hooks><hook><condition>cost &gt; 1</condition><action>stop</action></hook></hooks>'
    const text = readExample('directive.md')
      .replace('<metadata>', `<metadata>${metadata}`)
      .replace('<inputs>', '<inputs><input name="path" type="string" required="true">A file</input>')
      .replace('<outputs>', '<outputs><output name="text">What it says</output>')
      .replace('Read the file.', 'Read {input:path}.')
    library.write('directives/structure.md', text)
    const directive = { item_type: 'directive', item_id: 'structure' }
    expect(await library.place.rye(['sign', 'directive:structure', '--take-over'])).toMatchObject({
      status: 0,
    })
    const { metadata: read, ...answer } = await library.call('execute', {
      ...directive,
      parameters: { path: 'a.txt' },
    })
    expect(answer).toMatchObject({ status: 'success', type: 'directive', inputs: { path: 'a.txt' } })
    expect(answer.your_directions).toContain('<step name="one">Read a.txt.</step>')
    expect(read).toMatchObject({ name: 'structure', version: '1.0.0', description: 'Says', author: 'ann' })
    const parsed = await library.place.rye(['parse', '.ai/directives/structure.md', '--json'])
    expect(parsed.json().items[0].metadata).toMatchObject({
      model: { tier: 'fast' },
      limits: { turns: 6 },
      permissions: [{ tag: 'cap', content: 'rye.execute.tool.rye.bash' }],
      hooks: [{ condition: 'cost > 1', action: 'stop' }],
      inputs: [{ name: 'path', type: 'string', required: true, description: 'A file' }],
      outputs: [{ name: 'text', description: 'What it says' }],
      actions: [],
    })
    expect(await library.call('execute', directive)).toMatchObject({ code: 'PARAMETERS_INVALID' })
  })

  it('the YAML runtime runs a Python tool', async () => {
    // What the excerpt leaves out, and what its place asks for.
    const rest = 'category: own\nversion: "1.0.0"\ndescription: Runs\n'
    library.write(
      'tools/own/script.yaml',
      readExample('runtime.yaml').replace('rye/core/runtimes/python/script', 'own/script') + rest,
    )
    library.write(
      'tools/own/say.py',
      `${pythonHead('own', 'Says what it got', 'own/script')}import sys\nprint(sys.argv[2])\n`,
    )
    for (const id of ['own/script', 'own/say']) expect(await library.signTool(id)).toMatchObject(SIGNED)
    expect(await library.runTool('own/say', { command: 'ls' })).toMatchObject({
      status: 'success',
      data: { command: 'ls' },
    })
  })

  it.each([
    ['knowledge.md', 'rye/core/my-knowledge', '# Content starts here'],
    ['parsers.md', 'rye/core/parsers', '# Parsers\n\nText.'],
  ] as const)('%s executes to its body, and loads whole', async (example, item_id, content) => {
    put(example, `knowledge/${item_id}.md`)
    const given = { item_type: 'knowledge', item_id }
    // The page about parsers is signed by its authors.
    expect(await library.place.rye(['sign', `knowledge:${item_id}`, '--take-over'])).toMatchObject({
      status: 0,
    })
    expect(await library.call('execute', given)).toMatchObject({ content })
    const loaded = await library.call('load', given)
    expect(loaded.content).toMatch(/^<!-- rye:signed:[^\n]*-->\n[\s\S]*entry_type: reference/)
  })

  it('the head of the page about tools is the head of knowledge', async () => {
    put('authoring-tools.md', 'knowledge/authoring/tools.md')
    const parsed = await library.place.rye(['parse', '.ai/knowledge/authoring/tools.md', '--json'])
    expect(parsed.json().items[0]).toMatchObject({
      metadata: { id: 'tools', title: 'Authoring Tools', category: 'authoring', version: '1.0.0' },
      body: '# Authoring Tools\n\nText.',
    })
  })

  it('knowledge of YAML alone is read without its signature', async () => {
    library.write(
      'knowledge/team/limits.yaml',
      'name: limits\ntitle: Limits\nentry_type: reference\ncategory: team\nversion: "1.0.0"\nrequests: 60\n',
    )
    const given = { item_type: 'knowledge', item_id: 'team/limits' }
    expect(await library.call('sign', given)).toMatchObject(SIGNED)
    const { content } = await library.call('execute', given)
    expect(content).toMatch(/^name: limits\n[\s\S]*requests: 60/)
  })
})
