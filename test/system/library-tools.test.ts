// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts that must not be expanded are what is tested
// The bundled shell and system tools, and copies of bundled tools, each run through `execute`.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import { stripTypes } from '../../src/execute/workers/strip-types.ts'
import { type LibrarySession, openSession } from '../fixtures/library-session.ts'
import { until } from '../fixtures/patience.ts'

const FILES = 'rye/file-system'
let session: LibrarySession
beforeAll(async () => {
  session = await openSession()
  writeFileSync(join(session.outside, 'secret.txt'), 'secret\n')
  symlinkSync(session.outside, join(session.project, 'way-out'))
  session.write('src/a.ts', 'export const needle = 1\n')
})
afterAll(() => session.close())

const run = (tool: string, parameters?: Record<string, unknown>) => session.execute(tool, parameters)

describe('rye/bash', () => {
  it('says that output is no text, and does not take a cut for that', async () => {
    const note = expect.stringContaining('not valid UTF-8')
    expect(await run('rye/bash', { command: "printf '\\211PNG'" })).toMatchObject({ data: { note } })
    expect(await run('rye/bash', { command: "printf '\\211PNG'; exit 3" })).toMatchObject({ data: { note } })
    // Both ends of what is left out fall inside of a character.
    const many = "printf 'xxxxxxxx'; yes 'Zoë €' | head -c 999999"
    const cut = await run('rye/bash', { command: many })
    expect(cut.data).toMatchObject({ truncated: true })
    expect(JSON.stringify(cut.data)).not.toContain('not valid UTF-8')
    const mixed = await run('rye/bash', { command: `printf '\\377'; ${many}` })
    expect(JSON.stringify(mixed.data)).toContain('not valid UTF-8')
  })

  it('runs a command in the project and answers with its output', async () => {
    expect(await run('rye/bash', { command: 'echo "$PWD"; echo warn >&2' })).toMatchObject({
      status: 'success',
      data: { stdout: `${session.project}\n`, stderr: 'warn\n', exit_code: 0 },
    })
    const inner = await run('rye/bash', { command: 'pwd', working_dir: 'src' })
    expect(inner.data!.stdout).toBe(`${session.project}/src\n`)
  })

  it('reports a status other than 0 with the evidence', async () => {
    expect(await run('rye/bash', { command: 'echo out; echo no >&2; exit 3' })).toMatchObject({
      status: 'error',
      error: 'the command ended with exit status 3: no',
      data: { stdout: 'out\n', stderr: 'no\n', exit_code: 3 },
    })
  })

  it('ends a command that takes too long, with what it printed', async () => {
    // Half a second may be too short to print, so it gets more.
    for (let timeout = 0.5, printed = ''; printed === ''; timeout *= 4) {
      const answer = await run('rye/bash', { command: 'echo before; sleep 600', timeout })
      expect(answer).toMatchObject({
        status: 'error',
        error: expect.stringContaining(`longer than ${timeout} s`),
        data: { stdout: expect.stringMatching(/^(before\n)?$/), exit_code: null },
      })
      printed = answer.data!.stdout
    }
  })

  it('leaves nothing running', async () => {
    const nap = `sleep ${10_000 + process.pid}.5`
    const running = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(nap)
    const answer = run('rye/bash', {
      command: `${nap} & ${nap} & touch napping; until [ -e seen ]; do sleep 0.01; done; echo started`,
    })
    await until(() => existsSync(join(session.project, 'napping')) && running())
    session.write('seen', '')
    expect((await answer).data!.stdout).toBe('started\n')
    await until(() => !running())
  })

  it('has the whole of an output that is too long for an answer', async () => {
    const { data } = await run('rye/bash', { command: 'seq -f "ü %g" 1 20000' })
    expect(data).not.toHaveProperty('truncated')
    const { content } = await session.call('load', { item_id: data!.id, limit: 1_000_000 })
    expect(content).toBe(Array.from({ length: 20_000 }, (_, at) => `ü ${at + 1}\n`).join(''))
  })

  it('has streams that a command can open by name', async () => {
    const command = 'echo one > /dev/stderr; echo two | tee /dev/stderr; sh -c "echo three > /dev/stdout"'
    const { data } = await run('rye/bash', { command })
    expect(data).toMatchObject({ stdout: 'two\nthree\n', stderr: 'one\ntwo\n', exit_code: 0 })
  })

  it('names a signal, and keeps what was printed before it', async () => {
    expect(await run('rye/bash', { command: 'echo out; kill -9 $$' })).toMatchObject({
      error: 'the command ended with signal 9',
      data: { stdout: 'out\n', exit_code: -9 },
    })
  })

  it('keeps the beginning and the end of long output, and ends a flood', async () => {
    const { data } = await run('rye/bash', { command: 'seq 1 100000' })
    expect(data!.truncated).toBe(true)
    expect(data!.head.startsWith('1\n2\n')).toBe(true)
    expect(data!.tail.endsWith('99999\n100000\n')).toBe(true)
    const kept = await session.call('load', { item_id: data!.id, limit: 1_000_000 })
    expect(kept.content).toMatch(/\[\.\.\. \d+ bytes left out \.\.\.\]/)
    // Bytes that are not text take six times their size in JSON.
    const odd = await run('rye/bash', { command: 'head -c 400000 /dev/zero' })
    expect(odd).toMatchObject({ status: 'success', data: { exit_code: 0, truncated: true } })
    expect((await run('rye/bash', { command: 'yes', timeout: 60 })).error).toContain('wrote more than')
  })

  it('stays in the project, takes odd text as it is, and reads nothing from its caller', async () => {
    for (const working_dir of ['..', 'way-out', '/etc', 'src/a.ts', 'no-such-folder']) {
      expect((await run('rye/bash', { command: 'pwd', working_dir })).error).toContain('inside the project')
    }
    const odd = await run('rye/bash', { command: "printf '%s' '${HOME} {project_path} $(id)'; cat" })
    expect(odd.data!.stdout).toBe('${HOME} {project_path} $(id)')
    expect((await run('rye/bash', { command: "printf '\\xff'" })).data!.stdout).toBe('\ufffd')
    expect((await run('rye/bash', { command: `: ${'x'.repeat(90_000)}; echo long` })).data!.stdout).toBe(
      'long\n',
    )
    for (const command of ['a\0b', `: ${'\u00e9'.repeat(99_000)}`]) {
      expect((await run('rye/bash', { command })).error).toContain('could not be started')
    }
    expect((await run('rye/bash', { command: 'x'.repeat(100_001) })).code).toBe('PARAMETERS_INVALID')
  })
})

describe('rye/core/system', () => {
  it('tells time, machine and places', async () => {
    const before = Date.now()
    const { data } = await run('rye/core/system')
    expect(Object.keys(data!)).toEqual(['success', 'info', 'time', 'paths'])
    // It may tell whole seconds.
    expect(Date.parse(data!.time.utc)).toBeGreaterThan(before - 1000)
    expect(Date.parse(data!.time.utc)).toBeLessThanOrEqual(Date.now())
    expect(data!.paths).toMatchObject({ project: session.project, items: join(session.project, '.ai') })
    expect(Object.keys((await run('rye/core/system', { what: 'time' })).data!)).toEqual(['success', 'time'])
    expect((await run('rye/core/system', { what: 'other' })).code).toBe('PARAMETERS_INVALID')
  })
})

describe('a copy of a bundled tool', () => {
  it('runs in the project with the files that it needs, and shadows the one of the system', async () => {
    const copies: [string, object, string[]][] = [
      [`${FILES}/grep`, { pattern: 'needle' }, ['_inside', '_walk']],
      [`${FILES}/glob`, { pattern: '*' }, ['_inside', '_walk']],
      ['rye/bash', { command: 'true' }, []],
      ['rye/core/system', {}, []],
    ]
    const path = (id: string) => join(session.project, `.ai/tools/${id}.ts`)
    for (const [id, parameters, helpers] of copies) {
      const copied = await session.call('load', { item_id: `tool:${id}@system`, destination: 'project' })
      expect(copied).toMatchObject({ copied_to: 'project', destination_path: path(id) })
      const status = id === `${FILES}/glob` ? 'unchanged' : 'copied'
      expect(copied.helpers ?? []).toEqual(helpers.map(name => ({ path: path(`${FILES}/${name}`), status })))
      const answer = await session.call('execute', { item_id: `tool:${id}`, parameters, trace: true })
      expect(answer).toMatchObject({ status: 'success', chain: [{ item_id: id, space: 'project' }, {}, {}] })
    }
    for (const [id] of copies) unlinkSync(path(id))
  })

  it('is not made over another helper, and not run with one that was changed', async () => {
    const helper = session.write(`.ai/tools/${FILES}/_inside.ts`, '// planted\n')
    const request = { item_id: `tool:${FILES}/ls@system`, destination: 'project' }
    expect(await session.call('load', request)).toMatchObject({
      code: 'ITEM_EXISTS',
      error: expect.stringContaining(helper),
    })
    expect(existsSync(join(session.project, `.ai/tools/${FILES}/ls.ts`))).toBe(false)
    expect(await session.call('load', { ...request, overwrite: true })).toMatchObject({
      helpers: [{ path: helper, status: 'copied' }],
    })
    expect((await run(`${FILES}/ls`)).status).toBe('success')
    writeFileSync(helper, `${readFileSync(helper, 'utf8')}\n`)
    const refused = {
      error: expect.stringContaining('`./_inside.ts` is not a verified sibling'),
      hint: expect.stringContaining(
        'it ran without `_inside.ts` beside it, which is unsigned; read that, then: ',
      ),
    }
    expect(await run(`${FILES}/ls`)).toMatchObject(refused)
    // Its other helper is there.
    await session.call('load', { item_id: `tool:${FILES}/_similar@system`, destination: 'project' })
    session.write(`.ai/tools/${FILES}/read.ts`, readFileSync(`system/.ai/tools/${FILES}/read.ts`, 'utf8'))
    expect(await run(`${FILES}/read`, { file_path: 'x' })).toMatchObject(refused)
  })
})

it('bundled TypeScript is shipped as it runs, without its types', async () => {
  const folder = 'system/.ai/tools'
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.ts'),
  )
  const shipped = await Promise.all(
    files.map(async path => {
      const text = readFileSync(join(folder, path), 'utf8')
      return [`${sha256Hex(text)}.js`, await stripTypes(text, path)] as const
    }),
  )
  expect(readdirSync('dist/workers/stripped').sort()).toEqual(shipped.map(([name]) => name).sort())
  for (const [name, text] of shipped)
    expect(readFileSync(join('dist/workers/stripped', name), 'utf8')).toBe(text)
})
