// What an agent gets from a run of the built program: no success without a run, short answers with the rest
// within reach, and failures told in terms of the author's files.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePlace } from './run-rye.ts'

const place = makePlace()
afterAll(() => place.remove())

const FIELDS = { version: '1.0.0', tool_type: 'x', category: 't', tool_description: 'x' }

function constants(executor: string, line: (name: string, value: string) => string): string {
  return Object.entries({ ...FIELDS, executor_id: `rye/core/runtimes/${executor}` })
    .map(([name, value]) => line(`__${name}__`, JSON.stringify(value)))
    .join('')
}

const python = (executor: string, code: string) =>
  constants(`python/${executor}`, (name, value) => `${name} = ${value}\n`) + code
const node = (code: string) =>
  constants('node/node', (name, value) => `export const ${name} = ${value}\n`) + code
const shell = (code: string) =>
  `#!/usr/bin/env bash\n${constants('bash/bash', (name, value) => `# ${name} = ${value}\n`)}${code}`

const TOOLS = {
  'none.py': python('script', 'def helper():\n    print(1)\n'),
  'none-function.py': python('function', 'print(1)\n'),
  'none.mjs': node('export const helper = () => 1\n'),
  'none.ts': node('export const helper = (): number => 1\n'),
  'called.py': python('script', 'import os\ndef execute(params, project_path):\n    return os.getpid()\n'),
  'loud.py': python(
    'function',
    'def execute(params, project_path):\n    print("on the way")\n    return 1\n',
  ),
  'long.sh': shell('seq 1 20000\n'),
  'variables.sh': shell('printf "%s" "$PARAM_TEXT"\n'),
  'fails.py': python('function', 'def execute(params, project_path):\n    raise ValueError("boom")\n'),
  'fails-script.py': python('script', 'raise ValueError("boom")\n'),
  'fails.mjs': node('export function execute() {\n  throw new Error("boom")\n}\n'),
  'fails.ts': node('export function execute(): never {\n  throw new Error("boom")\n}\n'),
  'fails.sh': shell('echo one >&2\necho "$0" >&2\nexit 3\n'),
}

/** Unsigned items of the project count: `sign` would not let all of these pass. */
const DEV = { RYE_DEV_MODE: '1' }
const pathOf = (name: string) => join(place.project, '.ai/tools/t', name)

beforeAll(async () => {
  for (const [name, text] of Object.entries(TOOLS)) {
    mkdirSync(dirname(pathOf(name)), { recursive: true })
    writeFileSync(pathOf(name), text)
  }
  expect((await place.rye(['keys', 'generate'])).status).toBe(0)
})

async function execute(id: string, ...words: string[]) {
  return (await place.rye(['execute', `tool:t/${id}`, ...words, '--json'], { env: DEV })).json()
}

/** A project in which only this file has its id. */
async function alone(name: string, ...words: string[]) {
  const own = makePlace()
  try {
    const file = join(own.project, '.ai/tools/t', name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, TOOLS[name as keyof typeof TOOLS])
    const id = `tool:t/${name.slice(0, name.lastIndexOf('.'))}`
    const ran = await own.rye(['execute', id, ...words, '--json'], { env: DEV })
    await own.rye(['keys', 'generate'])
    const signed = await own.rye(['sign', id, '--json'])
    return { file, root: own.root, answer: ran.json(), signed: signed.json() }
  } finally {
    own.remove()
  }
}

describe('a tool with nothing to run', () => {
  it.each(['none.py', 'none-function.py', 'none.mjs', 'none.ts'])('%s is refused twice', async name => {
    const { answer, signed } = await alone(name)
    expect(answer).toMatchObject({ status: 'error', code: 'CHAIN_INVALID' })
    expect(answer.error).toContain('nothing in it can be run')
    expect(signed).toMatchObject({ status: 'error', code: 'VALIDATION_FAILED' })
  })
})

describe('a script without a main block', () => {
  it('has its function called, each time in a process of its own', async () => {
    const answers = [await execute('called'), await execute('called')]
    expect(answers).toMatchObject([{ status: 'success' }, { status: 'success' }])
    expect(Object.keys(answers[0])).toEqual(['status', 'type', 'item_id', 'data', 'duration_ms', 'dev_mode'])
  })
})

describe('an answer', () => {
  it('has what a function printed only with trace, and its receipt has it always', async () => {
    expect(await execute('loud')).not.toHaveProperty('printed')
    const { printed, receipt } = await execute('loud', '--trace')
    expect(printed).toEqual({ stdout: 'on the way\n', stderr: '' })
    const { run, intact } = (await place.rye(['runs', receipt, '--json'])).json()
    expect({ printed: run.printed, intact }).toEqual({ printed, intact: true })
  })

  it('that is long is cut, and read on by its id', async () => {
    const { data } = await execute('long')
    const whole = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('')
    expect(data).toMatchObject({ of: 'stdout', size: whole.length, exit_code: 0 })
    expect(JSON.stringify(data).length).toBeLessThan(16_384)
    expect(whole.startsWith(data.head) && whole.endsWith(data.tail)).toBe(true)
    const pages: string[] = []
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const words: string[] = ['--offset', String(offset), '--limit', '60000', '--json']
      const page: { content: string; next_offset?: number } = (
        await place.rye(['load', data.id, ...words])
      ).json()
      pages.push(page.content)
      offset = page.next_offset
    }
    expect(pages.join('')).toBe(whole)
  })

  it('of a shell tool that reads its parameter from a variable has it unchanged', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what is tested
    const text = '$(id) `id` "\' ${HOME} {x} \n ü'
    const { data } = await execute('variables', '--params', JSON.stringify({ text }))
    expect(data.stdout).toBe(text)
  })
})

describe('a failure names the file of the author and no copy of it', () => {
  it.each([
    ['fails.py', /fails\.py", line \d+, in execute/],
    ['fails-script.py', /fails-script\.py", line \d+/],
    ['fails.mjs', /fails\.mjs:\d+:\d+/],
    ['fails.ts', /fails\.ts:\d+:\d+/],
    ['fails.sh', /fails\.sh/],
  ])('%s', async (name, line) => {
    const { answer, file, root } = await alone(name)
    expect(answer).toMatchObject({ status: 'error', code: 'EXECUTION_FAILED', chain: expect.any(Array) })
    const text = JSON.stringify(answer)
    expect(text).toContain(file)
    expect(text.replaceAll('\\"', '"')).toMatch(line)
    expect(text).not.toContain(join(root, 'cache'))
  })
})
