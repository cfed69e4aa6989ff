// The chapters that a person could type: create, search, run, tamper, shadow.
import { join } from 'node:path'
import { isRecord } from '../../../base/index.ts'
import { atomicWrite, makeFolders, readFile } from '../../../files/index.ts'
import { type Answer, chapter, type Guide, typeCommand } from './step.ts'

export async function createItems(guide: Guide, program: string): Promise<void> {
  chapter(guide, '1. Create and sign', 'Items are plain files. A new key signs them; its owner trusts it.')
  await typeCommand(guide, ['init', '--client', 'claude'], answer => answer.status === 'initialised')
  await typeCommand(guide, ['new', 'tool', 'ops/add', '--language', 'typescript'], isCreated)
  await typeCommand(guide, ['new', 'tool', 'ops/echo', '--language', 'bash'], isCreated)
  await typeCommand(guide, ['new', 'tool', 'ops/count', '--language', 'python'], isCreated)
  write(guide, '.ai/knowledge/ops/rollback.md', KNOWLEDGE)
  write(guide, '.ai/tools/mcp/servers/library.yaml', serverDefinition(program))
  write(guide, '.ai/tools/mcp/library/search.yaml', MCP_TOOL)
  await typeCommand(guide, ['sign', '*'], answer => answer.status === 'completed' && isEmpty(answer.failed))
}

export async function searchItems(guide: Guide): Promise<void> {
  chapter(guide, '2. Search', 'A plain question, an exact phrase, and a word with a typo.')
  await typeCommand(guide, ['search', 'how do I undo a bad release?', '--limit', '3'], found('ops/rollback'))
  await typeCommand(guide, ['search', '"previous image"'], found('ops/rollback'))
  await typeCommand(guide, ['search', 'rolback', '--fuzzy', '2'], found('ops/rollback'))
  await typeCommand(guide, ['load', 'knowledge:ops/rollback'], answer =>
    String(answer.content).includes('previous image'),
  )
}

export async function executeItems(guide: Guide): Promise<void> {
  chapter(
    guide,
    '3. Execute',
    'A directive answers with steps; tools in TypeScript, bash and Python run; an MCP server is a tool too.',
  )
  const goal = 'goal=undo the release'
  await typeCommand(guide, ['execute', 'directive:hello/first_steps', '--param', goal], answer =>
    String(answer.your_directions).includes('undo the release'),
  )
  await typeCommand(guide, ['execute', 'hello/greet', '--param', 'who=Ada'], said('hello Ada, from greet'))
  await typeCommand(guide, ['execute', 'ops/add', '--param', 'who=Ada'], said('hello Ada, from add'))
  await typeCommand(guide, ['execute', 'ops/echo', '--param', 'who=Ada'], said('"who":"Ada"'))
  await typeCommand(guide, ['execute', 'ops/count', '--param', 'who=Ada'], said('hello Ada, from count'))
  await typeCommand(
    guide,
    ['execute', 'mcp/library/search', '--param', 'query=rollback'],
    said('ops/rollback'),
  )
  await typeCommand(
    guide,
    ['runs'],
    answer => answer.intact === true && Number(answer.total) >= 5 - guide.leftOut.length,
  )
}

export async function tamper(guide: Guide): Promise<void> {
  chapter(
    guide,
    '4. Tamper',
    'One changed byte, and the item is refused until a person has read and signed it.',
  )
  const path = join(guide.project, '.ai/tools/hello/greet.ts')
  const text = readFile(path, { maxBytes: 100_000 })?.bytes.toString('utf8') ?? ''
  atomicWrite(path, text.replace('hello $', 'HELLO $'), { root: guide.project })
  await typeCommand(
    guide,
    ['execute', 'hello/greet', '--param', 'who=Ada'],
    answer => answer.code === 'ITEM_TAMPERED',
  )
  await typeCommand(guide, ['sign', 'tool:hello/greet'], answer => answer.status === 'signed')
  await typeCommand(guide, ['execute', 'hello/greet', '--param', 'who=Ada'], said('HELLO Ada'))
}

export async function shadowItem(guide: Guide): Promise<void> {
  chapter(
    guide,
    '5. Shadow',
    'A copy in the project wins over the system item beneath it, and every answer says so.',
  )
  await typeCommand(
    guide,
    ['load', 'tool:rye/core/system@system', '--to', 'project'],
    answer => answer.copied_to === 'project',
  )
  await typeCommand(
    guide,
    ['show', 'tool:rye/core/system'],
    answer => JSON.stringify(answer.shadows) === '[{"space":"system"}]',
  )
}

function write(guide: Guide, path: string, text: string): void {
  const target = join(guide.project, path)
  makeFolders(join(target, '..'))
  atomicWrite(target, text, { root: guide.project })
}

function isCreated(answer: Answer): boolean {
  return answer.status === 'created' && answer.signed === true
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Checks that the item is the first result. */
function found(id: string): (answer: Answer) => boolean {
  return answer => {
    const first: unknown = Array.isArray(answer.results) ? answer.results[0] : undefined
    return isRecord(first) && first.id === id
  }
}

function said(text: string): (answer: Answer) => boolean {
  return answer =>
    answer.status === 'success' && JSON.stringify(answer.data).replaceAll('\\"', '"').includes(text)
}

const KNOWLEDGE = `\`\`\`yaml
name: rollback
title: Rolling back a release
description: How to undo a bad release
entry_type: reference
category: ops
version: "1.0.0"
tags: [release, deploy]
\`\`\`

# Rolling back a release

Start the previous image, then move the traffic to it. Never rebuild in a hurry.
`

const MCP_TOOL = `tool_type: mcp
executor_id: rye/core/runtimes/mcp/stdio
category: mcp/library
version: 1.0.0
description: 'Search this library through its own MCP server'
config:
  server: mcp/servers/library
  tool_name: search
input_schema:
  type: object
  properties:
    query:
      type: string
      description: A question or words
  required: [query]
`

function serverDefinition(program: string): string {
  return `tool_type: mcp_server
executor_id: null
category: mcp/servers
version: 1.0.0
description: 'MCP server: this library'
config:
  transport: stdio
  timeout: 30
  command: ${JSON.stringify(process.execPath)}
  args: [${JSON.stringify(program)}, mcp]
  cwd: '{project_path}'
`
}
