// Using items, with real tools: answers, refusals, evidence, receipts, dev mode.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these placeholders are what is tested
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findAction } from '../../src/actions/table.ts'
import { generateKey } from '../../src/trust/key.ts'
import { stateFolder } from '../fixtures/kept-places.ts'
import {
  type Answer,
  directive,
  knowledge,
  placeKey,
  type Scratch,
  scratch,
  skill,
  tool,
} from '../workspace/scratch.ts'

const SHELL_HEAD = [
  '#!/usr/bin/env bash',
  '# __version__ = "1.0.0"',
  '# __tool_type__ = "bash"',
  '# __executor_id__ = "rye/core/runtimes/bash/bash"',
  '# __category__ = ""',
  '# __tool_description__ = "A shell tool"',
]
const DATA_HEAD = {
  version: '1.0.0',
  tool_type: 'data',
  executor_id: 'rye/core/runtimes/bash/bash',
  category: '',
  description: 'A tool that is data',
}
const FILES = {
  '.ai/tools/echo.py': tool('echo'),
  '.ai/tools/typed.py': tool('typed').replace(
    'def execute',
    'CONFIG_SCHEMA = {"type": "object", "properties": {"count": {"type": "integer", "minimum": 1}}, "required": ["count"], "additionalProperties": False}\n\ndef execute',
  ),
  '.ai/tools/boom.py': tool('boom', { body: 'print("so far")\nraise ValueError("no luck")' }),
  '.ai/tools/refuse.py': tool('refuse', {
    body: 'return {"success": False, "error": "not today", "detail": 7}',
  }),
  '.ai/tools/slow.py': tool('slow', { body: 'import time\ntime.sleep(60)' }),
  '.ai/tools/typescript.ts': [
    "export const __version__ = '1.0.0'",
    "export const __tool_type__ = 'javascript'",
    "export const __executor_id__ = 'rye/core/runtimes/node/node'",
    "export const __category__ = ''",
    "export const __tool_description__ = 'In TypeScript'",
    'export async function execute(params: Record<string, unknown>, projectPath: string): Promise<object> {',
    '  return { success: true, params, projectPath }',
    '}',
    '',
  ].join('\n'),
  '.ai/tools/bytes.sh': [...SHELL_HEAD, 'printf \'{"name": "\\377"}\'', ''].join('\n'),
  '.ai/tools/shell.sh': [
    ...SHELL_HEAD,
    'printf \'{"success": true, "params": %s, "project": "%s"}\' "$(cat)" "$1"',
    '',
  ].join('\n'),
  '.ai/tools/exit-3.sh': [...SHELL_HEAD, 'echo out; echo err >&2; exit 3', ''].join('\n'),
  '.ai/tools/yaml.yaml': `${Object.entries(DATA_HEAD)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')}\nconfig:\n  command: cat\n`,
  '.ai/tools/json.json': JSON.stringify({ ...DATA_HEAD, config: { command: 'cat' } }),
  '.ai/tools/toml.toml': `${Object.entries(DATA_HEAD)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join('\n')}\n[config]\ncommand = "cat"\n`,
  '.ai/directives/ship.md': directive('ship', {
    inputs:
      '<input name="service" type="string" required="true">Which</input><input name="times" type="integer" default="2">How often</input>',
    body: 'Ship {input:service} {input:times} times, {input:note?}{input:mood:gladly} {input:other|now}.',
  }),
  '.ai/knowledge/notes.md': knowledge('notes', { body: 'The body alone.' }),
  '.ai/skills/pdf/SKILL.md': skill('pdf'),
  '.ai/skills/pdf/references/forms.md': '# Forms\n',
}

let made: Scratch
beforeAll(async () => {
  made = await scratch(FILES, { shared: true })
  await made.sign('*')
  return made.close
})

function execute(item_id: string, parameters: object = {}, input: object = {}): Promise<Answer> {
  return made.run('execute', { item_id, parameters, ...input })
}

/** Quotes, templates, variables, line feeds: anything that a shell or a template might expand. */
const HOSTILE = {
  text: '$(id) `id` "\' ${HOME} {param} {{x}} \n\t\u0000 ü 𝄞',
  list: [1, null, { a: [] }],
  big: 1e21,
}

describe('a tool', () => {
  it.each([
    ['echo', (data: Answer) => data.params],
    ['typescript', (data: Answer) => data.params],
    ['shell', (data: Answer) => data.params],
    ['tool:yaml', (data: Answer) => data],
    ['json', (data: Answer) => data],
    ['toml', (data: Answer) => data],
  ])('%s gets its parameters unchanged', async (id, paramsOf) => {
    const answer = await made.run('execute', { item_id: id, parameters: HOSTILE, trace: true })
    expect(answer).toMatchObject({ status: 'success', type: 'tool', item_id: id.replace('tool:', '') })
    expect(paramsOf(answer.data)).toEqual(HOSTILE)
    expect(answer.chain.at(-1)).toEqual({
      item_id: 'rye/core/primitives/subprocess',
      space: 'system',
      tool_type: 'primitive',
    })
    expect(answer.isolation).toEqual(expect.any(String))
    expect(answer.duration_ms).toEqual(expect.any(Number))
    expect(answer.receipt).toMatch(/^[0-9a-f]{64}$/)
  })

  it('gets the project path', async () => {
    expect((await execute('shell')).data.project).toBe(made.project)
    expect((await execute('typescript')).data.projectPath).toBe(made.project)
  })

  it.each([
    [{}, /count/],
    [{ count: 'many' }, /count.*integer/],
    [{ count: 0 }, /count/],
    [{ count: 1, other: 2 }, /other/],
  ])('refuses parameters %j before anything runs', async (parameters, says) => {
    const answer = await execute('typed', parameters)
    expect(answer).toMatchObject({ status: 'error', code: 'PARAMETERS_INVALID' })
    expect(answer.error).toMatch(says)
  })

  it('converts what comes from the command line by the schema', async () => {
    expect((await made.run('execute', { item_id: 'typed', param: { count: '7' } })).data.params).toEqual({
      count: 7,
    })
    expect(await made.run('execute', { item_id: 'typed', param: { count: 'x' } })).toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  it('says beside JSON that it is not UTF-8', async () => {
    expect(await execute('bytes')).toMatchObject({
      status: 'success',
      data: { name: '\ufffd' },
      warning: expect.stringContaining('not valid UTF-8'),
    })
  })

  it('takes any name from the command line, and refuses what its schema does', async () => {
    const odd = JSON.parse('{"__proto__": "x", "constructor": "y"}')
    expect((await made.run('execute', { item_id: 'echo', param: odd })).data.params).toEqual(odd)
  })

  it('is planned and not run with dry_run', async () => {
    const { total } = await made.run('runs')
    expect(await execute('boom', {}, { dry_run: true })).toMatchObject({
      status: 'validation_passed',
      item_id: 'boom',
      chain: [
        { item_id: 'boom' },
        { item_id: 'rye/core/runtimes/python/function' },
        { item_id: 'rye/core/primitives/subprocess' },
      ],
      validated_pairs: expect.anything(),
    })
    expect(await execute('typed', {}, { dry_run: true })).toMatchObject({ code: 'PARAMETERS_INVALID' })
    expect((await made.run('runs')).total).toBe(total)
  })

  it('is explained with trace', async () => {
    expect(await execute('echo')).not.toHaveProperty('trace')
    expect((await execute('echo', {}, { trace: true })).trace).toBeDefined()
  })

  it('is ended when its time is up', async () => {
    const answer = await execute('slow', {}, { timeout: 0.3 })
    expect(answer).toMatchObject({
      status: 'error',
      code: 'EXECUTION_TIMEOUT',
      item_type: 'tool',
      item_id: 'slow',
    })
  })

  it.each([
    ['boom', 'ValueError: no luck', { traceback: expect.stringContaining('raise ValueError') }],
    ['refuse', 'not today', { success: false, detail: 7 }],
    ['exit-3', 'the tool ended with exit status 3: err', { stdout: 'out\n', stderr: 'err\n', exit_code: 3 }],
  ])('%s fails with its evidence', async (id, error, data) => {
    const answer = await execute(id)
    expect(answer).toMatchObject({
      status: 'error',
      code: 'EXECUTION_FAILED',
      error,
      item_type: 'tool',
      item_id: id,
      data,
      receipt: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('leaves a receipt of each run', async () => {
    const { receipt } = await made.run('execute', {
      item_id: 'echo',
      parameters: { secret: 'hunter2' },
      trace: true,
    })
    const { run, intact } = await made.run('runs', { receipt })
    expect(intact).toBe(true)
    expect(run).toMatchObject({ item_id: 'echo', item_type: 'tool', space: 'project', outcome: 'success' })
    expect(run.chain).toHaveLength(3)
    expect(JSON.stringify(run)).not.toContain('hunter2')
  })
})

describe('other items', () => {
  it('a directive answers with directions, inputs filled in once', async () => {
    expect(await execute('ship', { service: 'web {input:times}' })).toMatchObject({
      status: 'success',
      type: 'directive',
      item_id: 'ship',
      your_directions: expect.stringContaining('Ship web {input:times} 2 times, gladly now.'),
      inputs: { service: 'web {input:times}', times: 2 },
      metadata: { name: 'ship', version: '1.0.0' },
    })
    expect(await execute('ship', { service: 'x' }, { dry_run: true })).toMatchObject({
      status: 'validation_passed',
    })
  })

  it.each([
    [{}, 'Missing required inputs: service'],
    [{ service: 'x', colour: 'red' }, 'Unknown parameters: colour. Valid inputs: service, times'],
    [{ service: 'x', times: 'many' }, '/times: expected integer, got string'],
  ])('a directive refuses %j', async (inputs, error) => {
    expect(await execute('ship', inputs)).toMatchObject({ code: 'PARAMETERS_INVALID', error })
  })

  it('knowledge answers with its body', async () => {
    const answer = await execute('notes')
    expect(answer).toMatchObject({
      status: 'success',
      type: 'knowledge',
      item_id: 'notes',
      metadata: { title: 'notes' },
    })
    expect(answer.content.trim()).toBe('The body alone.')
  })

  it('a skill answers with its content, tools and references', async () => {
    expect(await execute('skill:pdf')).toMatchObject({
      status: 'success',
      type: 'skill',
      item_id: 'pdf',
      content: expect.stringContaining('Do the work.'),
      tools: [],
      references: [expect.anything()],
    })
  })

  it.each([
    ['nothing', 'ITEM_NOT_FOUND'],
    ['../x', 'INVALID_ID'],
    ['config:x', 'INVALID_ID'],
  ])('%s is %s', async (id, code) => {
    expect(await execute(id)).toMatchObject({ status: 'error', code })
  })
})

describe('dev mode', () => {
  const files = {
    '.ai/tools/mine.py': tool('mine'),
    '.ai/knowledge/note.md': knowledge('note'),
    '.ai/tools/changed.py': tool('changed'),
    'user:.ai/tools/theirs.py': tool('theirs'),
  }

  it('runs unsigned items of the project, and says so in every answer', async () => {
    const dev = await scratch(files, { environment: { RYE_DEV_MODE: '1' } })
    for (const [name, input] of [
      ['execute', { item_id: 'mine' }],
      ['load', { item_id: 'note' }],
      ['search', { query: 'note' }],
      ['list', {}],
    ] as const) {
      const answer = await dev.run(name, input)
      expect(answer).toMatchObject({ dev_mode: true })
      expect(answer.status).not.toBe('error')
    }
    expect(await dev.run('execute', { item_id: 'theirs' })).toMatchObject({
      code: 'ITEM_UNSIGNED',
      dev_mode: true,
    })
  })

  it('runs what its author signed and changed since, helpers too, with a warning', async () => {
    const dev = await scratch(
      {
        ...files,
        '.ai/tools/changed.py': `import _words\n${tool('changed')}`,
        '.ai/tools/_words.py': 'A = 1\n',
      },
      { environment: { RYE_DEV_MODE: '1' } },
    )
    for (const name of ['changed', '_words']) await dev.sign(name)
    const edit = (path: string) => dev.write(path, `${dev.read(path)}#\n`)
    edit('.ai/tools/_words.py')
    expect(await dev.run('execute', { item_id: 'changed' })).toMatchObject({ status: 'success' })
    edit('.ai/tools/changed.py')
    expect(await dev.run('execute', { item_id: 'changed', trace: true })).toMatchObject({
      status: 'success',
      dev_mode: true,
      warning: '`tool:changed` was changed since you signed it, and is used in development mode',
      trace: { elements: [{ trust: 'unsigned', signer: null }, {}, {}] },
    })
    // In the user space, and for other keys, a signature that does not fit stays a reason to stop.
    await dev.sign('theirs@user')
    edit('user:.ai/tools/theirs.py')
    expect(await dev.run('execute', { item_id: 'theirs' })).toMatchObject({ code: 'ITEM_TAMPERED' })
    placeKey(dev, generateKey())
    expect(await dev.run('execute', { item_id: 'changed' })).toMatchObject({ code: 'ITEM_TAMPERED' })
  })

  it('is not turned on by a file of the project or of the user', async () => {
    const settings = { '.env': 'RYE_DEV_MODE=1\n', '.ai/config/rye.toml': 'RYE_DEV_MODE = "1"\n' }
    const off = await scratch({ ...files, ...settings, 'user:.env': 'RYE_DEV_MODE=1\n' })
    const answer = await off.run('execute', { item_id: 'mine' })
    expect(answer).toMatchObject({ code: 'ITEM_UNSIGNED' })
    expect(answer).not.toHaveProperty('dev_mode')
  })

  it.each(['0', 'true', 'yes', ''])('is off with RYE_DEV_MODE=%j', async value => {
    const off = await scratch(files, { environment: { RYE_DEV_MODE: value } })
    const answer = await off.run('execute', { item_id: 'mine' })
    expect(answer).toMatchObject({ code: 'ITEM_UNSIGNED' })
    expect(answer).not.toHaveProperty('dev_mode')
  })
})

describe('runs', () => {
  it('lists receipts, newest first, finds one, filters, and notices a broken log', async () => {
    const own = await scratch({
      '.ai/tools/good.py': tool('good'),
      '.ai/tools/bad.py': tool('bad', { body: 'raise ValueError("no")' }),
    })
    await own.sign('*')
    const ran = await own.run('execute', { item_id: 'good', trace: true })
    await own.run('execute', { item_id: 'bad' })
    const answer = await own.run('runs')
    expect(answer).toMatchObject({ total: 2, intact: true })
    expect(answer.runs.map((run: Answer) => [run.item_id, run.outcome])).toEqual([
      ['bad', 'EXECUTION_FAILED'],
      ['good', 'success'],
    ])
    expect(await own.run('runs', { receipt: ran.receipt.slice(0, 10) })).toMatchObject({
      run: { receipt: ran.receipt, item_id: 'good', item_type: 'tool', space: 'project' },
    })
    expect(await own.run('runs', { outcome: 'success' })).toMatchObject({ total: 1 })
    expect(await own.run('runs', { item_id: 'bad' })).toMatchObject({ total: 1 })
    expect(await own.run('runs', { limit: 1 })).toMatchObject({ total: 2, runs: [{ item_id: 'bad' }] })
    expect(await own.run('runs', { since: '2999-01-01' })).toMatchObject({ total: 0 })
    // An hour ago and half an hour from now, each by a clock that says otherwise.
    const clock = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19)
    expect(await own.run('runs', { since: `${clock(60)}+02:00` })).toMatchObject({ total: 2 })
    expect(await own.run('runs', { since: `${clock(-30)}-01:00` })).toMatchObject({ total: 0 })
    for (const since of ['yesterday', 'chapter 3', '2024-13-45'])
      expect(await own.run('runs', { since })).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await own.run('runs', { receipt: 'feedface' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })

    const path = join(stateFolder(own.user, own.project), 'receipts.jsonl')
    const log = readFileSync(path, 'utf8')
    expect(log).not.toContain('"who"')
    writeFileSync(path, log.replace('"good"', '"evil"'))
    const broken = await own.run('runs')
    expect(broken).toMatchObject({ intact: false, faults: [{ line: 1, fault: 'altered' }] })
    const { exitStatus } = await findAction('runs')!.load()
    expect([exitStatus!(answer), exitStatus!(broken)]).toEqual([0, 1])
  })
})
