// Hints fit their reader. Each call fails on both surfaces: an agent is told of calls that it can make, and
// of commands only where a person must run them; a person is told of commands, never of calls.
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePlace, type Place } from './run-rye.ts'
import { type Json, openServedLibrary, pythonHead, type ServedLibrary } from './served-library.ts'

let library: ServedLibrary
let stranger: Place
beforeAll(async () => {
  library = await openServedLibrary()
  stranger = makePlace()
  await stranger.rye(['keys', 'generate'])
  // Nobody listens there, so no test asks the public registry.
  writeFileSync(join(library.place.user, '.npmrc'), 'registry=http://127.0.0.1:9/\n')
  for (const [path, text] of Object.entries(FILES)) library.write(path, text)
  for (const id of ['a/sound', 'a/tampered', 'a/bad-chain', 'twice', 'a/placeholder'])
    expect(await library.signTool(id)).toMatchObject({ status: 'signed' })
  // An item that asks for secrets is signed by a person.
  expect(await library.place.rye(['sign', 'tool:a/secret'])).toMatchObject({ status: 0 })
  await library.call('sign', { item_type: 'knowledge', item_id: 'twice' })
  const signed = await library.call('load', { item_id: 'a/tampered' })
  library.write('tools/a/tampered.py', `${signed.content}# more\n`)
  // What somebody else signed, with a key that is not trusted here.
  cpSync(
    join(library.place.project, '.ai/tools/a/unsigned.py'),
    join(stranger.project, '.ai/tools/a/foreign.py'),
    {
      recursive: true,
    },
  )
  expect(await stranger.rye(['sign', 'tool:a/foreign'])).toMatchObject({ status: 0 })
  cpSync(
    join(stranger.project, '.ai/tools/a/foreign.py'),
    join(library.place.project, '.ai/tools/a/foreign.py'),
  )
})
afterAll(async () => {
  await library.close()
  stranger.remove()
})

const RUN = 'def execute(params, project_path):\n    return {"success": False, "error": "no luck"}\n'
const SCHEMA =
  'CONFIG_SCHEMA = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}\n'
const FUNCTION = 'rye/core/runtimes/python/function'
const tool = (category: string, executor = FUNCTION) => pythonHead(category, 'Does', executor) + SCHEMA + RUN

const FILES = {
  'tools/a/sound.py': tool('a'),
  'tools/a/unsigned.py': tool('a'),
  'tools/a/tampered.py': tool('a'),
  'tools/a/bad-chain.py': tool('a', 'rye/core/runtimes/nothing'),
  'tools/a/invalid.py': tool('b'),
  'tools/a/nothing.py': pythonHead('a', 'Nothing to run', FUNCTION),
  'tools/a/broken.yaml': 'a: [\n',
  'tools/a/placeholder.yaml':
    'tool_type: yaml\nversion: "1.0.0"\nexecutor_id: rye/core/runtimes/mcp/http\ncategory: a\ndescription: Asks\nconfig: {server: mcp/servers/none, tool_name: x}\n',
  'tools/a/secret.py': `${pythonHead('a', 'Secret', FUNCTION)}ENV_CONFIG = {"secrets": ["A_TOKEN"]}\n${RUN}`,
  'tools/twice.py': pythonHead('', 'Twice', FUNCTION) + RUN,
  'knowledge/twice.md': '# Twice\n',
  'directives/half.md': '# Half\n',
  'skills/kit/SKILL.md': '---\nname: kit\ndescription: A kit\n---\n# Kit\n',
}

/** The tool, its arguments, the same words for a person. */
const CALLS: readonly [tool: string, given: Json, words: readonly string[]][] = [
  ['search', { query: '(a OR' }, ['(a OR']],
  ['search', { query: 'a', scope: 'tol' }, ['a', '--scope', 'tol']],
  ['search', { query: 'a', fields: { titel: 'a' } }, ['a', '--field', 'titel=a']],
  ['search', { query: 'a', source: 'registry' }, ['a', '--source', 'registry']],
  ['search', { query: 'a', limit: 0 }, ['a', '--limit', '0']],
  ['search', { query: 'a', sort_by: 'size' }, ['a', '--sort', 'size']],
  ['search', { query: 'a', date_from: 'soon' }, ['a', '--date-from', 'soon']],
  ['search', { query: 'zither xylophone' }, ['zither', 'xylophone']],
  ['search', { query: 'how do I knit the sleeve of a cardigan' }, ['how do I knit the sleeve of a cardigan']],
  ['search', {}, []],
  ['load', { item_id: 'nothing/here' }, ['nothing/here']],
  ['load', { item_id: 'rye/bsh' }, ['rye/bsh']],
  ['load', { item_id: 'rye/bash/bash' }, ['rye/bash/bash']],
  ['load', { item_id: '../a' }, ['../a']],
  ['load', { item_id: 'twice' }, ['twice']],
  ['load', { item_id: 'a/unsigned' }, ['a/unsigned']],
  ['load', { item_id: 'a/tampered' }, ['a/tampered']],
  ['load', { item_id: 'a/foreign' }, ['a/foreign']],
  ['load', { item_id: 'a/sound', version: '2.0.0' }, ['a/sound', '--version', '2.0.0']],
  ['load', { item_id: 'a/sound', source: 'registry' }, ['a/sound', '--source', 'registry']],
  ['load', { item_id: 'rye/bash', source: 'project' }, ['rye/bash', '--source', 'project']],
  ['load', { item_id: 'a/sound', destination: 'system' }, ['a/sound', '--to', 'system']],
  ['load', { item_id: 'output:0000000000000000' }, ['output:0000000000000000']],
  ['load', { item_id: 'skill:kit/nothing.md' }, ['skill:kit/nothing.md']],
  ['load', { item_id: 'a/sound', view: 'sumary' }, ['a/sound', '--view', 'sumary']],
  [
    'fetch',
    { item_id: 'rye/bash', query: 'a', scope: 'tool' },
    ['rye/bash', '--query', 'a', '--scope', 'tool'],
  ],
  ['fetch', { query: 'a' }, ['--query', 'a']],
  ['fetch', {}, []],
  ['execute', { item_id: 'nothing/here' }, ['nothing/here']],
  ['execute', { item_id: 'a/unsigned' }, ['a/unsigned']],
  ['execute', { item_id: 'a/tampered' }, ['a/tampered']],
  ['execute', { item_id: 'a/foreign' }, ['a/foreign']],
  ['execute', { item_id: 'a/sound' }, ['a/sound']],
  [
    'execute',
    { item_id: 'a/sound', parameters: { count: 'many' } },
    ['a/sound', '--params', '{"count":"many"}'],
  ],
  ['execute', { item_id: 'a/sound', parameters: { count: 1 } }, ['a/sound', '--param', 'count=1']],
  ['execute', { item_id: 'a/bad-chain', parameters: { count: 1 } }, ['a/bad-chain', '--param', 'count=1']],
  ['execute', { item_id: 'a/placeholder' }, ['a/placeholder']],
  ['execute', { item_id: 'a/secret' }, ['a/secret']],
  ['execute', { item_id: 'a/broken' }, ['a/broken']],
  ['execute', { item_id: 'directive:rye/core/create_tool' }, ['directive:rye/core/create_tool']],
  ['execute', { item_id: 'skill:kit' }, ['skill:kit']],
  ['execute', { item_id: 'rye/core/runtimes/bash/bash' }, ['rye/core/runtimes/bash/bash']],
  ['execute', { item_id: 'kit.nothing' }, ['kit.nothing']],
  ['execute', { item_id: 'a/sound', timeout: -1 }, ['a/sound', '--timeout', '-1']],
  [
    'execute',
    {
      item_id: 'rye/registry',
      parameters: { action: 'publish', package: '@a/b', version: '1.0.0', items: ['tool:a/*'] },
    },
    [
      'rye/registry',
      '--params',
      '{"action":"publish","package":"@a/b","version":"1.0.0","items":["tool:a/*"]}',
    ],
  ],
  [
    'execute',
    { item_id: 'rye/mcp/manager', parameters: { action: 'add', name: 'x' } },
    ['rye/mcp/manager', '--params', '{"action":"add","name":"x"}'],
  ],
  [
    'execute',
    { item_id: 'rye/file-system/read', parameters: { file_path: 'nothing' } },
    ['rye/file-system/read', '--params', '{"file_path":"nothing"}'],
  ],
  ['sign', { item_id: 'a/invalid', item_type: 'tool' }, ['tool:a/invalid']],
  ['sign', { item_id: 'a/nothing', item_type: 'tool' }, ['tool:a/nothing']],
  ['sign', { item_id: 'a/broken', item_type: 'tool' }, ['tool:a/broken']],
  ['sign', { item_id: 'half', item_type: 'directive' }, ['directive:half']],
  ['sign', { item_id: 'rye/bash@system', item_type: 'tool' }, ['tool:rye/bash@system']],
  ['sign', { item_id: 'tool:a/sound', item_type: 'knowledge' }, ['tool:a/sound', '--type', 'knowledge']],
  ['sign', { item_id: 'none/*', item_type: 'tool' }, ['tool:none/*']],
  ['sign', { item_id: 'nothing/here', item_type: 'tool' }, ['tool:nothing/here']],
  ['sign', { item_id: 'a/foreign', item_type: 'tool' }, ['tool:a/foreign']],
  ['sign', { item_id: 'twice' }, ['twice']],
  ['sign', {}, []],
]

const COMMAND =
  /\brye (?:search|load|fetch|execute|sign|show|list|verify|parse|index|new|init|keys|doctor|runs|skills|knowledge|mcp)\b|--[a-z]/
const CALL = /` with `\{|\b(?:item_id|item_type|project_path|sort_by|date_from|dry_run)\b|: true`/

/** What only a person can run is marked as such. */
const FOR_THE_USER =
  /(?:ask (?:the user|them) to run|a person can (?:then )?run:?|with the command) `?rye\b[^`"]*/g

describe('an agent is told of calls that it can make', () => {
  it.each(CALLS)('%s %j', async (name, given) => {
    const answer = await library.call(name, given)
    const said = [answer.error, answer.hint, answer.warning, answer.issues, answer.data].map(part =>
      JSON.stringify(part ?? ''),
    )
    expect(said.join('')).not.toBe('""'.repeat(5))
    expect(said.join('\n').replaceAll(FOR_THE_USER, '')).not.toMatch(COMMAND)
  })
})

describe('a person is told of commands', () => {
  it.each(CALLS)('%s %j', async (name, _, words) => {
    const { stdout, stderr } = await library.place.rye([name, ...words])
    expect(stdout + stderr).not.toBe('')
    expectNoCalls(stdout + stderr)
  })

  it.each([
    ['show nothing/here'],
    ['show a/foreign'],
    ['runs 123'],
    ['keys remove 0123456789abcdef'],
    ['keys trust nothing.toml'],
    ['keys generate'],
    ['new tool Bad--Id!'],
    ['new tool a/sound'],
    ['parse nothing.py'],
    ['verify nothing.py'],
    ['skills search a --lance none'],
    ['skills install nothing'],
    ['skills validate nothing'],
    ['eval nothing'],
    ['doctor'],
    ['nonsense'],
  ])('%s', async line => {
    const { stdout, stderr } = await library.place.rye(line.split(' '))
    expect(stdout + stderr).not.toBe('')
    expectNoCalls(stdout + stderr)
  })

  it('and has no key', async () => {
    const fresh = makePlace()
    const { stderr } = await fresh.rye(['sign', 'tool:a/b'])
    fresh.remove()
    expect(stderr).toContain('rye keys generate')
    expectNoCalls(stderr)
  })
})

/** `search` with `{"query": ...}`, and names of fields where a person types flags. */
function expectNoCalls(text: string): void {
  // This is Python.
  const said = text.replaceAll('execute(params, project_path)', '')
  expect(said).not.toMatch(CALL)
  expect(said).not.toMatch(/ask the user|a person can/)
}
