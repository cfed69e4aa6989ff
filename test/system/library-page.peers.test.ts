// The programs of `docs/library.md`, as a reader would use them: compiled strictly against the published
// package, then run in a project that `rye init` made. The text after a program is its output.
import { spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { blocksOf, listDocuments, readDocument } from '../fixtures/documents.ts'
import { makePlace, type Place } from './run-rye.ts'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))
const PACKAGES = ['@modelcontextprotocol/server', 'zod', '@types/node']
const COMPILER = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
const OPTIONS = {
  module: 'nodenext',
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ['node'],
}

/** Calls that do not compile, each with what the compiler says. */
const WRONG: [string, RegExp][] = [
  ["library.call('serch', {})", /not assignable to parameter of type 'keyof Signatures'/],
  ["library.call('search', { query: 'x' })", /'project_path' is missing/],
  ["library.call('search', { query: 1, project_path: '/x' })", /'number' is not assignable to type 'string'/],
  ["library.call('search', { query: 'x', project_path: '/x', limt: 1 })", /'limt' does not exist/],
  ["library.call('keys list', { all: true })", /not assignable to type 'never'/],
  ["(await library.call('search', { query: 'x', project_path: '/x' })).results", /'results' does not exist/],
]

const blocks = blocksOf(readDocument('docs/library.md'))
const programs = blocks.flatMap((block, index) => {
  if (block.language !== 'ts') return []
  const next = blocks[index + 1]
  const prints = next?.language === 'text' ? next.text : undefined
  return [{ path: block.path!, text: block.text, prints }]
})

let place: Place
/** What the compiler says, as `file:line: problem`, each on one line. */
let problems: string[]
beforeAll(async () => {
  place = makePlace()
  const ran = await place.rye(['init'])
  expect(ran.status, ran.stderr).toBe(0)
  writeFileSync(join(place.project, 'package.json'), '{ "type": "module" }\n')
  link('ryekit', REPOSITORY)
  for (const name of PACKAGES) link(name, join(REPOSITORY, 'node_modules', name))
  const opening =
    "import { openLibrary } from 'ryekit'; declare const library: ReturnType<typeof openLibrary>"
  const wrong = [opening, ...WRONG.map(([call]) => `await ${call}`), ''].join('\n')
  for (const { path, text } of [...programs, { path: 'wrong.ts', text: wrong }])
    writeFileSync(join(place.project, path), text)
  problems = await compile([...programs.map(({ path }) => path), 'wrong.ts'])
})
afterAll(() => place.remove())

function link(name: string, target: string): void {
  const path = join(place.project, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

async function compile(files: readonly string[], options: object = {}): Promise<string[]> {
  const compilerOptions = { ...OPTIONS, ...options }
  writeFileSync(join(place.project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const ran = await place.run(process.execPath, [COMPILER, '--pretty', 'false'])
  return ran.stdout
    .split(/\n(?! )/)
    .filter(text => text !== '')
    .map(text => text.replace(/^(.+)\((\d+),\d+\): /, '$1:$2: ').replace(/\s+/g, ' '))
}

describe('the programs of the page', () => {
  it('are all that the documents have', () => {
    const pages = listDocuments().filter(page =>
      blocksOf(readDocument(page)).some(({ language }) => language === 'ts'),
    )
    expect(pages).toEqual(['docs/library.md'])
    expect(programs.map(({ path }) => path)).toEqual(['ask.ts', 'check.ts', 'sign-all.ts', 'server.ts'])
  })

  it.each(programs)('$path compiles, and prints what the page says', async ({ path, prints }) => {
    expect(problems.filter(problem => problem.startsWith(`${path}:`))).toEqual([])
    if (prints === undefined) return
    const ran = await place.run(process.execPath, [path.replace(/ts$/, 'js')])
    expect(ran.stderr).toBe('')
    expect(ran.stdout.trimEnd()).toBe(prints.trimEnd())
    expect(ran.status).toBe(0)
  })
})

describe('a wrong call does not compile', () => {
  it.each(WRONG)('%s', (call, problem) => {
    const line = WRONG.findIndex(([wrong]) => wrong === call) + 2
    const found = problems.filter(text => text.startsWith(`wrong.ts:${line}: `))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(problem)
  })
})

it('the declarations compile by themselves', async () => {
  const problems = await compile([join(REPOSITORY, 'dist/index.d.mts')], {
    skipLibCheck: false,
    // For `AbortSignal`, which Node has, too.
    lib: ['es2022', 'dom'],
    types: [],
    noEmit: true,
  })
  expect(problems).toEqual([])
})

describe('the server of the page', () => {
  it('serves its own tools, with the library behind them', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['server.js'],
      cwd: place.project,
      env: place.environment,
    })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    onTestFinished(() => client.close())
    const { tools } = await client.listTools()
    expect(tools.map(tool => tool.name)).toEqual(['find_runbook', 'greet'])

    const found = await callTool(client, 'find_runbook', { question: 'notes on this project' })
    expect(found.isError).toBe(false)
    expect(found.answer.results[0]).toMatchObject({ id: 'hello/notes' })

    const greeted = await callTool(client, 'greet', { who: 'Ada' })
    expect(greeted.isError).toBe(false)
    expect(greeted.answer).toMatchObject({ status: 'success', data: { greeting: 'hello Ada, from greet' } })

    writeFileSync(join(place.project, '.ai/tools/hello/greet.ts'), 'export {}\n')
    const refused = await callTool(client, 'greet', { who: 'Ada' })
    expect(refused).toMatchObject({ isError: true, answer: { code: 'ITEM_UNSIGNED' } })
  })

  it('ends with its input, and leaves nothing running', async () => {
    const child = spawn(process.execPath, ['server.js'], {
      cwd: place.project,
      env: place.environment,
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    child.stdin.end()
    expect(await new Promise(resolve => child.once('exit', resolve))).toBe(0)
  })
})

async function callTool(client: Client, name: string, input: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: input })
  const [block] = content
  if (block?.type !== 'text') throw new Error('expected one block of text')
  return { isError, answer: JSON.parse(block.text) }
}
