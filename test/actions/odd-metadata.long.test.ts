// Items with any content: every action answers or refuses in words, and the terminal can show the answer.
import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import { renderAnswer } from '../../src/surfaces/cli/render/answer.ts'
import { oddValues, places, withValue } from '../fixtures/odd-values.ts'
import { tries } from '../fixtures/tries.ts'
import { at } from '../surfaces/screens.ts'
import { type Answer, type Scratch, scratch } from '../workspace/scratch.ts'

interface Kind {
  readonly ref: string
  readonly path: string
  readonly metadata: JsonObject
  print(metadata: JsonObject): string
}

const SCHEMA: JsonObject = {
  type: 'object',
  properties: { who: { type: 'string', description: 'w', default: 'x', enum: ['x', 'y'] } },
  required: ['who'],
}
const KINDS: Record<string, Kind> = {
  'a knowledge entry': {
    ref: 'knowledge:x/one',
    path: '.ai/knowledge/x/one.md',
    metadata: {
      ...{ name: 'one', title: 'One', description: 'About one', entry_type: 'reference', category: 'x' },
      ...{ version: '1.0.0', author: 'a', tags: ['t'], updated: '2024-01-01', extra: { a: 1 } },
      ...{ references: ['x/two'], extends: ['x/two'], aliases: ['uno'], created_at: '2024-01-01T00:00:00Z' },
    },
    print: metadata => `\`\`\`yaml\n${printYaml(metadata)}\`\`\`\n\nSome text.\n`,
  },
  'a skill': {
    ref: 'skill:one',
    path: '.ai/skills/one/SKILL.md',
    metadata: {
      ...{ name: 'one', description: 'About one', license: 'MIT', compatibility: 'x', version: '1.0.0' },
      ...{ 'allowed-tools': 'Read Bash(git:*)', metadata: { author: 'a', version: '1.0', tags: ['x'] } },
      ...{ tags: ['t'], 'argument-hint': 'x', model: 'x', 'user-invocable': true, tools: [{ name: 'x' }] },
      ...{ hooks: { PreToolUse: [{ matcher: 'x' }] }, paths: ['**/*.ts'], references: ['x'], scripts: ['x'] },
    },
    print: metadata => `---\n${printYaml(metadata)}---\n\n# One\n\nDo the work.\n`,
  },
  'a tool in YAML': {
    ref: 'tool:x/one',
    path: '.ai/tools/x/one.yaml',
    metadata: {
      ...{ tool_id: 'one', tool_type: 'http', version: '1.0.0', category: 'x', description: 'Does one' },
      ...{ name: 'one', executor_id: 'rye/core/primitives/http_client', tags: ['t'], examples: [{ a: 1 }] },
      ...{ config_schema: SCHEMA, permissions: { network: ['127.0.0.1:1024'] }, title: 'One' },
      ...{ config: { method: 'GET', url: 'http://127.0.0.1:1024/', headers: { A: 'b' } } },
      ...{ env_config: { env: { A: 'b' } }, annotations: { readOnlyHint: true }, outputs: ['text'] },
    },
    print: printYaml,
  },
  'a tool in Python': {
    ref: 'tool:x/one',
    path: '.ai/tools/x/one.py',
    metadata: {
      ...{ __version__: '1.0.0', __tool_type__: 'python', __category__: 'x', __tags__: ['t'] },
      ...{ __executor_id__: 'rye/core/runtimes/python/function', __tool_description__: 'Does one' },
      ...{ CONFIG_SCHEMA: SCHEMA, __permissions__: { network: ['a'] }, ENV_CONFIG: { env: { A: 'b' } } },
    },
    print: printPython,
  },
  'a directive': {
    ref: 'directive:x/one',
    path: '.ai/directives/x/one.md',
    metadata: {
      metadata: {
        ...{ description: 'About one', category: 'x', author: 'a', tags: { tag: 't' } },
        ...{ model: { $: { tier: 'general' } }, limits: { $: { turns: 5 } } },
        permissions: { execute: { tool: '*' } },
      },
      inputs: { input: { $: { name: 'who', type: 'string', required: 'true', default: 'x' } } },
      outputs: { output: { $: { name: 'o', type: 'string' } } },
      context: { relationships: { requires: 'x/two' } },
    },
    print: metadata =>
      `\`\`\`xml\n<directive name="one" version="1.0.0">${printXml(metadata)}</directive>\n\`\`\`\n\nDo it.\n`,
  },
  'an item of settings': {
    ref: 'config:x/one',
    path: '.ai/config/x/one.yaml',
    metadata: { name: 'one', category: 'x', description: 'About', version: '1.0.0', list: [{ a: 1 }] },
    print: printYaml,
  },
  synonyms: {
    ref: 'config:search/synonyms',
    path: '.ai/config/search/synonyms.yaml',
    metadata: { version: '1.0.0', category: 'search', synonyms: ['k8s = kubernetes', 'deploy => ship'] },
    print: printYaml,
  },
}

/** All JSON is YAML. */
function printYaml(metadata: JsonObject): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}\n`)
    .join('')
}

function printPython(metadata: JsonObject): string {
  const words: Record<string, string> = { null: 'None', true: 'True', false: 'False' }
  const lines = Object.entries(metadata)
    .filter(([name]) => /^\w+$/.test(name))
    .map(
      ([name, value]) =>
        `${name} = ${JSON.stringify(value).replace(/\b(?:null|true|false)\b/g, word => words[word]!)}\n`,
    )
  return `${lines.join('')}\n\ndef execute(params, project_path):\n    return {}\n`
}

/** Members of `$` are attributes. */
function printXml(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return escapeXml(value)
  return Object.entries(value)
    .filter(([name]) => /^[a-z_]+$/i.test(name))
    .map(([name, entry]) => {
      const isLeaf = entry === null || typeof entry !== 'object'
      const { $, ...inside } = isLeaf ? ({} as JsonObject) : ({ ...entry } as JsonObject)
      const attributes = Object.entries($ ?? {})
        .filter(([key]) => /^[a-z_]+$/i.test(key))
        .map(([key, one]) => ` ${key}="${escapeXml(one)}"`)
      return `<${name}${attributes.join('')}>${printXml(isLeaf ? entry : inside)}</${name}>\n`
    })
    .join('')
}

function escapeXml(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.replace(/[<>&"\0-\x1f]/g, character => `&#${character.charCodeAt(0)};`)
}

type Call = readonly [name: string, input: object, caller?: 'agent']

const callsOn = ({ ref, path }: Kind): readonly Call[] => [
  ['parse', { paths: [path] }],
  ['review', { item_id: ref }],
  ['sign', { item_id: ref }, 'agent'],
  ['sign', { item_id: ref }],
  ['verify', { targets: [ref] }],
  ['show', { item_id: ref, content: true }],
  ['list', {}],
  ['search', { query: 'one' }, 'agent'],
  ['search', { query: 'one', detail: 'full', why: true }],
  ['search', { query: '*', sort_by: 'name', filters: { tags: 't', constructor: '!x', version: '>=1.0.0' } }],
  ['search', { query: 'about one', sort_by: 'date', fields: { title: 'one' }, date_from: '2020-01-01' }],
  ['load', { item_id: ref }, 'agent'],
  ['load', { item_id: ref, view: 'summary' }],
  ['execute', { item_id: ref, dry_run: true }],
  ['execute', { item_id: ref, parameters: { who: 'x' } }, 'agent'],
  ['execute', { item_id: ref, param: { who: 'x' } }],
  ['why', { item_id: ref }],
  ['doctor', {}],
  ['mcp list', {}],
  ['add', { source: './vendor', list: true }],
  ['add', { source: './vendor', dry_run: true }],
  ['skills list', {}],
  ['skills validate', { directory: 'vendor' }],
  ['skills scan', { directory: 'vendor', details: true }],
  ['skills index', { directory: 'vendor', out: 'rows.jsonl' }],
  ['skills sniff', { directory: 'vendor' }],
  ['knowledge scan', { directory: 'vendor', details: true }],
  ['mv', { item_id: ref, to: 'y/two' }],
]

async function call(made: Scratch, [name, input, caller]: Call): Promise<Answer> {
  const answer = await made.run(name, input, caller ?? 'person')
  expect(renderAnswer(name, answer, at(80))).toEqual(expect.any(String))
  return answer
}

it.each(Object.entries(KINDS))('%s is answered for, or refused in words', async (_, kind) => {
  // Where nothing needs a signature, more of it is read.
  const made = await scratch({}, { environment: { RYE_DEV_MODE: '1' } })
  const write = (metadata: JsonObject) => {
    rmSync(made.path('.ai'), { recursive: true, force: true })
    for (const path of [kind.path, `vendor/${kind.path}`]) made.write(path, kind.print(metadata))
  }
  write(kind.metadata)
  expect(await call(made, ['sign', { item_id: kind.ref }])).toMatchObject({ status: 'signed' })
  const spots = places(kind.metadata).filter(place => place.length > 0)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...spots), oddValues, async (spot, value) => {
      write(withValue(kind.metadata, spot, value) as JsonObject)
      for (const one of callsOn(kind)) await call(made, one)
    }),
    { numRuns: tries({ usual: 5, torture: 12 }) },
  )
})
