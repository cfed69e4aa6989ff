// The examples from the documents that rye was built from, executed as written. This file has those of the
// four tools, and where we differ; the rest is in seeds-authoring, seeds-parsers, seeds-fetch and
// seeds-skills.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePlace } from './run-rye.ts'
import { type Example, putContext7, readExample } from './seed-examples.ts'
import { chainOf, type Json, openServedLibrary, pythonHead, type ServedLibrary } from './served-library.ts'

let library: ServedLibrary
beforeAll(async () => {
  library = await openServedLibrary()
})
afterAll(() => library.close())

const SIGNED = { status: 'signed' }
const put = (example: Example, path: string) => library.write(path, readExample(example))

/** Where we differ from the documents: the example, what it does, what happens instead, the reason. */
const DEVIATIONS: readonly [
  example: string,
  run: () => Promise<unknown>,
  instead: string | RegExp,
  reason: string,
][] = [
  [
    'authoring tools: the required structure',
    () => signAndRun('required-structure.py', 'category/path/required.py', { param_name: 'x' }),
    "name 'result' is not defined",
    'a template: its function names a variable that it leaves to the reader',
  ],
  [
    'authoring tools: the YAML tool',
    () => signAndRun('yaml-tool.yaml', 'category/path/tool_name.yaml', { param_name: 'x' }),
    'runs .py files, got `category/path/tool_name` with `.yaml`',
    'a file of settings is no Python program; the newer documents give YAML tools runtimes of their own',
  ],
  [
    'authoring tools: rye/bash/bash of the package',
    async () => {
      const fresh = makePlace()
      const { stderr } = await fresh.rye(['execute', 'tool:rye/bash/bash'])
      fresh.remove()
      return stderr
    },
    'did you mean `rye/bash`',
    'the newer document has it at `.ai/tools/rye/bash.py`',
  ],
  [
    'authoring tools: query-docs.yaml ends in HTTP',
    async () => {
      putContext7(library)
      for (const id of ['mcp/servers/context7', 'mcp/context7/query-docs']) await library.signTool(id)
      return chainOf(library, 'mcp/context7/query-docs', { libraryId: '/a/b', query: 'hooks' })
    },
    '"rye/core/runtimes/mcp/http","rye/core/primitives/mcp"',
    'the primitive for MCP servers speaks both transports; `http_client` is for plain requests',
  ],
  [
    'parsers: the YAML runtime, at its own id',
    async () => {
      const rest = 'category: rye/core/runtimes/python\nversion: "1.0.0"\ndescription: Runs\n'
      library.write('tools/rye/core/runtimes/python/script.yaml', readExample('runtime.yaml') + rest)
      expect(await library.signTool('rye/core/runtimes/python/script')).toMatchObject(SIGNED)
      return library.place.rye(['show', 'tool:rye/core/runtimes/python/script'])
    },
    /is not used[^"]*execute\.core_shadowing = /,
    'what runs the tools of others comes from the package, unless the user decides otherwise',
  ],
  [
    'parsers: the Python tool',
    () => signAndRun('shell-commands.py', 'rye/bash/shell.py', { command: 'ls' }),
    'nothing in it can be run',
    'it shows metadata alone; without an entry a run would do nothing and pass for a success',
  ],
  [
    'parsers: the JavaScript tool',
    () => signAndRun('greet.ts', 'utility/greet.ts', { name: 'Ada' }),
    'nothing in it can be run',
    'as the Python tool',
  ],
  [
    'parsers: the JavaScript tool as .cjs',
    async () => {
      put('greet.ts', 'tools/utility/common.cjs')
      return (await library.place.rye(['parse', '.ai/tools/utility/common.cjs', '--json'])).json()
    },
    '"code":"javascript-syntax"',
    'Node refuses `export` in such a file; its constants are members of `exports`',
  ],
  [
    'parsers: the structure of a directive',
    () => {
      put('directive.md', 'directives/structure.md')
      return library.place.rye(['sign', 'directive:structure', '--take-over'])
    },
    'description',
    'a template: its `<metadata>` is left to the reader',
  ],
  [
    'parsers: .ai/tools/rye/core/parsers/python/ast.py',
    () => library.call('load', { item_type: 'tool', item_id: 'rye/core/parsers/python/ast' }),
    'Item not found: rye/core/parsers/python/ast',
    'parsers decide what is trusted, so their code is never loaded from a space; extractors choose among them',
  ],
  [
    'the four tools: signing again',
    () => {
      put('parsers.md', 'knowledge/rye/core/parsers.md')
      return library.call('sign', { item_type: 'knowledge', item_id: 'rye/core/parsers' })
    },
    '"code":"POLICY_DENIED"',
    'the page is signed by a key of somebody else: a person may take it over, an agent may not',
  ],
  [
    'the four tools: the signature format',
    async () => {
      library.write('knowledge/old.md', `<!-- kiwi-mcp:valid:${'0'.repeat(64)}:sig:old -->\n# Old\n`)
      const before = await library.call('load', { item_id: 'old', item_type: 'knowledge' })
      expect(before).toMatchObject({ code: 'ITEM_UNSIGNED' })
      expect(await library.call('sign', { item_type: 'knowledge', item_id: 'old' })).toMatchObject(SIGNED)
      return readFileSync(join(library.place.project, '.ai/knowledge/old.md'), 'utf8')
    },
    /^"<!-- rye:signed:[^\n]*-->\\n# Old\\n"$/,
    'the newer documents sign with `rye:signed:`; the old line counts as no signature, and signing replaces it',
  ],
  [
    'the four tools: source is `project` unless said otherwise',
    () => library.call('search', { query: 'read a file', limit: 1 }),
    '"space":"all"',
    'the newer document searches all spaces',
  ],
  [
    'rye_fetch: a copy is .ai/tools/bash.py',
    () => library.call('fetch', { item_id: 'rye/bash', source: 'system', destination: 'project' }),
    /"destination_path":"[^"]*\/\.ai\/tools\/rye\/bash\.ts"/,
    'a copy that is to stand in for an item keeps its id, and so its folder',
  ],
  [
    'rye_fetch: what is shadowed is in `system:ryeos-core`',
    () => library.call('fetch', { query: 'rye/bash', scope: 'tool', limit: 1 }),
    '"shadows":[{"space":"system"}]',
    'there is one package of system items',
  ],
  [
    'rye_fetch: the category of rye/file-system/read is `file-system`',
    () => library.call('fetch', { query: 'read file', scope: 'tool', limit: 1 }),
    '"category":"rye/file-system"',
    'the document about tools says that a category matches its directory',
  ],
  [
    'rye_fetch: words side by side are joined by AND',
    () => library.call('fetch', { query: 'read zither', scope: 'tool' }),
    '"partial":true',
    'questions are answered by what fits best; `match: "all"` joins by AND',
  ],
  [
    'parsed skills: the payload has the path under `SKILL.md`',
    async () => {
      library.write('skills/kit/SKILL.md', '---\nname: kit\ndescription: A kit\n---\n')
      return (await library.place.rye(['skills', 'scan', '.ai/skills', '--json'])).json()
    },
    '"skill_md_path":"kit/SKILL.md"',
    'the same document calls the field so where it defines the types',
  ],
]

async function signAndRun(example: Example, path: string, parameters: Json): Promise<Json> {
  put(example, `tools/${path}`)
  const id = path.replace(/\.\w+$/, '')
  const signed = await library.signTool(id)
  return signed.status === 'signed' ? library.runTool(id, parameters) : signed
}

describe('what deviates', () => {
  it.each(DEVIATIONS)('%s', async (_, run, instead) => {
    const answer = JSON.stringify(await run())
    if (typeof instead === 'string') expect(answer).toContain(instead)
    else expect(answer).toMatch(instead)
  })
})

describe('the four tools', () => {
  it('are four, of a server called rye', async () => {
    const { tools } = await library.client.listTools()
    expect(tools.map(tool => tool.name)).toEqual(['fetch', 'search', 'load', 'execute', 'sign'])
    expect(library.client.getServerVersion()).toMatchObject({ name: 'rye' })
  })

  it('search finds by every filter of its example', async () => {
    const head = pythonHead('git', 'Git operations of the repository', 'rye/core/runtimes/python/function')
    const run = 'def execute(params, project_path):\n    return {"success": True, "data": params}\n'
    library.write('tools/git/operations.py', `${head}__tags__ = ["vcs"]\n__date__ = "2024-06-15"\n${run}`)
    const given = {
      item_type: 'tool',
      query: 'git operations',
      source: 'project',
      limit: 10,
      sort_by: 'score',
      category: 'git',
      tags: ['vcs'],
    }
    expect(await library.call('search', given)).toMatchObject({
      total: 1,
      results: [{ id: 'git/operations' }],
    })
    expect(await library.call('search', { ...given, tags: ['other'] })).toMatchObject({ total: 0 })
    expect(await library.call('search', { ...given, category: 'other' })).toMatchObject({ total: 0 })
    const dates = { date_from: '2024-01-01', date_to: '2024-12-31' }
    expect(await library.call('search', { ...given, ...dates })).toMatchObject({ total: 1 })
    expect(await library.call('search', { ...given, date_from: '2025-01-01' })).toMatchObject({ total: 0 })
  })

  it('load copies, execute runs and checks, sign finds by category', async () => {
    const git = { item_type: 'tool', item_id: 'git' }
    const run =
      'def execute(params, project_path):\n    return {"success": True, "data": params["command"]}\n'
    library.write('tools/git.py', pythonHead('', 'Runs git', 'rye/core/runtimes/python/function') + run)
    expect(await library.signTool('git')).toMatchObject(SIGNED)
    const parameters = { command: 'status' }
    expect(await library.call('execute', { ...git, parameters, dry_run: false })).toMatchObject({
      status: 'success',
      type: 'tool',
      item_id: 'git',
      data: { success: true, data: 'status' },
      duration_ms: expect.any(Number),
    })
    expect(await library.call('execute', { ...git, parameters, dry_run: true })).toMatchObject({
      status: 'validation_passed',
    })
    expect(
      await library.call('load', { ...git, source: 'project', destination: 'project' }),
    ).not.toHaveProperty('copied_to')
    expect(await library.call('load', { ...git, source: 'project', destination: 'user' })).toMatchObject({
      status: 'success',
      copied_to: 'user',
      destination_path: join(library.place.user, '.ai/tools/git.py'),
    })

    const xml =
      '<directive name="bootstrap" version="1.0.0"><metadata><description>Starts</description>' +
      '<category>core</category><author>ann</author></metadata></directive>'
    const steps = '<process><step name="go">Go.</step></process>'
    library.write('directives/core/bootstrap.md', `# Bootstrap\n\n\`\`\`xml\n${xml}\n\`\`\`\n\n${steps}\n`)
    const bootstrap = { item_type: 'directive', item_id: 'bootstrap', location: 'project', category: 'core' }
    for (const _ of ['first', 'again'])
      expect(await library.call('sign', bootstrap)).toMatchObject({
        status: 'signed',
        item_id: 'core/bootstrap',
        location: 'project',
      })
  })
})
