// A script of a skill: run from a private copy of the signed folder, with only the caller's arguments and
// standard input.
import { describe, expect, it } from 'vitest'
import { KIT_FILES, KIT_ROOT, kit } from './skill-kit.ts'

const ARGS = ['--flag', '-', '$(id)', 'a b', 'ä', '']

describe('a script of a skill', () => {
  it.each(['show.py', 'show.mjs', 'show.cjs'])(
    '%s gets arguments and standard input unchanged',
    async name => {
      const made = await kit()
      const parameters = { args: ARGS, stdin: '{"a": "$HOME"}\n' }
      const answer = await made.run('execute', {
        item_id: `skill:kit/scripts/${name}`,
        parameters,
        trace: true,
      })
      expect(answer).toMatchObject({
        status: 'success',
        type: 'tool',
        item_id: `kit/scripts/${name}`,
        data: { args: ARGS, stdin: parameters.stdin },
        receipt: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
      expect(answer.chain.at(-1).item_id).toBe('rye/core/primitives/subprocess')
    },
  )

  it('in TypeScript runs with its modules, and reads other files of the skill as they are', async () => {
    const made = await kit()
    const run = (item_id: string) => made.run('execute', { item_id, parameters: { args: ['x'] } })
    expect((await run('skill:kit/scripts/show.ts')).data).toEqual({
      args: ['xx'],
      stdin: '',
      template: KIT_FILES['assets/part.ts'],
    })
    expect((await run('skill:kit/scripts/show.py')).data).toMatchObject({
      helper: 'helper',
      template: KIT_FILES['assets/part.ts'],
      cwd: made.project,
    })
  })

  it('runs beside TypeScript that cannot be stripped, and says what is wrong with it where it needs that file', async () => {
    const made = await kit({
      'scripts/lib/bad.ts': 'export const one: number = 1\nexport enum Colour { Red }\n',
      'scripts/needs.mjs': "import { one } from './lib/bad.ts'\nconsole.log(one)\n",
      'scripts/later.ts': "const { one } = await import('./lib/bad.ts')\nconsole.log(one)\n",
      'scripts/old.cjs': "console.log(require('./lib/bad.ts').one)\n",
    })
    const run = (name: string) => made.run('execute', { item_id: `skill:kit/scripts/${name}` })
    for (const name of ['show.mjs', 'show.cjs', 'show.ts'])
      expect(await run(name), name).toMatchObject({ status: 'success' })
    const fault = '`scripts/lib/bad.ts`, line 2, column 8: an enum'
    for (const name of ['needs.mjs', 'later.ts', 'old.cjs'])
      expect(await run(name), name).toMatchObject({
        code: 'EXECUTION_FAILED',
        error: expect.stringContaining(fault),
      })
    expect(await run('lib/bad.ts')).toMatchObject({
      code: 'ITEM_MALFORMED',
      error: expect.stringContaining(fault),
    })
  })

  it('reads files beside it as they are that only have the suffix of TypeScript', async () => {
    const translation = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1"></TS>\n'
    const video = '47400010\u0000\u0000'
    const old = '\n<!DOCTYPE TS><TS></TS>\n'
    const read = `import { readFileSync } from 'node:fs'
const read = name => readFileSync(new URL(name, import.meta.url), 'utf8')
console.log(JSON.stringify(['de.ts', 'video/clip.ts', 'old.mts'].map(read)))\n`
    const made = await kit({
      'scripts/de.ts': translation,
      'scripts/video/clip.ts': video,
      'scripts/old.mts': old,
      'scripts/read.mjs': read,
      'scripts/read.ts': read.replace('name =>', '(name: string) =>'),
      'scripts/needs.mjs': "import './de.ts'\n",
    })
    const run = (name: string) => made.run('execute', { item_id: `skill:kit/scripts/${name}` })
    for (const name of ['read.mjs', 'read.ts'])
      expect((await run(name)).data, name).toEqual([translation, video, old])
    const place = expect.stringContaining('de.ts')
    expect(await run('needs.mjs')).toMatchObject({ code: 'EXECUTION_FAILED', error: place })
    expect(await run('de.ts')).toMatchObject({
      code: 'ITEM_MALFORMED',
      error: '`scripts/de.ts`, line 1, column 2: unexpected token',
    })
  })

  it('in shell gets them as words, and no variables', async () => {
    const made = await kit()
    const parameters = { args: ARGS, stdin: 'in' }
    const answer = await made.run('execute', { item_id: 'skill:kit/scripts/show.sh', parameters })
    expect(answer.data.stdout).toBe(`${ARGS.join('|')}|in|none|none`)
  })

  it('has the flags of its `#!` line in a shell, and is told of others', async () => {
    const made = await kit()
    const strict = await made.run('execute', { item_id: 'skill:kit/scripts/strict.sh' })
    expect(strict).toMatchObject({ status: 'error', data: { stdout: '', exit_code: 1 } })
    const options = await made.run('execute', { item_id: 'skill:kit/scripts/options.sh' })
    expect(options).toMatchObject({ status: 'error', data: { stdout: '' } })
    made.write('#', 'echo of the project\n')
    for (const name of ['comment', 'input']) {
      const parameters = { stdin: 'echo of the caller\n' }
      const answer = await made.run('execute', { item_id: `skill:kit/scripts/${name}.sh`, parameters })
      expect(answer.data.stdout, name).toBe('signed\n')
    }
    const other = await made.run('execute', { item_id: 'skill:kit/scripts/flags.py' })
    expect(other).toMatchObject({ status: 'success', data: { stdout: 'ran\n' } })
    expect(JSON.stringify(other)).toContain('its `#!` line asks for')
  })

  it('is told that its `#!` line names another program than the one that it is run with', async () => {
    const made = await kit({
      'scripts/notes.js': '#!/usr/bin/env osascript -l JavaScript\nconsole.log(1)\n',
      'scripts/z.sh': '#!/bin/zsh\necho 1\n',
      'scripts/tool.py': '#!/bin/bash\nprint(1)\n',
      'scripts/plain.mjs': '#!/usr/bin/env node\nconsole.log(1)\n',
    })
    const warningOf = async (name: string) =>
      (await made.run('execute', { item_id: `skill:kit/scripts/${name}` })).warning
    expect(await warningOf('notes.js')).toBe(
      'its `#!` line names `osascript`; by its name it is run with node',
    )
    expect(await warningOf('z.sh')).toContain('`zsh`; by its name it is run with bash')
    expect(await warningOf('tool.py')).toContain('`bash`; by its name it is run with python')
    expect(await warningOf('plain.mjs')).toBeUndefined()
  })

  it('needs no parameters, and takes the type as a field', async () => {
    const made = await kit()
    const answer = await made.run('execute', { item_id: 'kit/scripts/show.py', item_type: 'skill' })
    expect(answer.data).toMatchObject({ args: [], stdin: '' })
  })

  it('that fails says so in words of its own file', async () => {
    const made = await kit()
    const answer = await made.run('execute', { item_id: 'skill:kit/scripts/fail.py' })
    expect(answer).toMatchObject({ status: 'error', code: 'EXECUTION_FAILED', item_type: 'skill' })
    expect(answer.error).toContain('no such berth')
    expect(answer.data.stderr).toContain(made.path(`${KIT_ROOT}/scripts/fail.py`))
  })

  it('is only checked on a dry run', async () => {
    const made = await kit({ 'scripts/write.sh': 'touch ran\n' })
    const item_id = 'skill:kit/scripts/write.sh'
    expect(await made.run('execute', { item_id, dry_run: true })).toMatchObject({
      status: 'validation_passed',
      parameters: { args: [], stdin: '' },
    })
    expect(() => made.read('ran')).toThrow('ENOENT')
  })

  it('reaches the hosts that the skill names, and no other', async () => {
    const head = KIT_FILES['SKILL.md'].replace(
      '---\n\n',
      'metadata:\n  permissions: ["network:api.example.com"]\n---\n\n',
    )
    const hostsOf = async (made: Awaited<ReturnType<typeof kit>>) => {
      const asked = { item_id: 'skill:kit/scripts/show.py', dry_run: true, trace: true }
      return (await made.run('execute', asked)).trace.permissions.network
    }
    expect(await hostsOf(await kit())).toBe('closed')
    expect(await hostsOf(await kit({ 'SKILL.md': head }))).toEqual(['api.example.com'])
  })

  it('is one of the files that the skill answers with', async () => {
    const made = await kit()
    const { files } = await made.run('execute', { item_id: 'kit' })
    expect(files).toHaveLength(Object.keys(KIT_FILES).length)
    expect(files).toContainEqual({
      item_id: 'skill:kit/references/tone.md',
      path: 'references/tone.md',
      size: 7,
      kind: 'text',
      program: false,
    })
    expect(files).toContainEqual({
      item_id: 'skill:kit/scripts/helper.py',
      path: 'scripts/helper.py',
      size: 16,
      kind: 'text',
      program: true,
    })
  })
})

describe('what is no script of a skill', () => {
  it.each([
    [{ args: 'one' }, '/args'],
    [{ args: [1] }, '/args/0'],
    [{ stdin: {} }, '/stdin'],
    [{ argv: [] }, 'argv'],
    [{ args: ['a\0b'] }, 'NUL'],
    [{ args: ['x'.repeat(100_000)] }, 'longer than'],
    [{ args: Array.from({ length: 50 }, () => 'x'.repeat(10_000)) }, 'at most'],
  ])('%# is refused before anything runs', async (parameters, said) => {
    const made = await kit({ 'scripts/write.sh': 'touch ran\n' })
    const answer = await made.run('execute', { item_id: 'skill:kit/scripts/write.sh', parameters })
    expect(answer).toMatchObject({ code: 'PARAMETERS_INVALID', error: expect.stringContaining(said) })
    expect(answer.hint ?? '').not.toContain('tool:')
    expect(() => made.read('ran')).toThrow('ENOENT')
  })

  it('a file of another kind is to be read', async () => {
    const made = await kit()
    const answer = await made.run('execute', { item_id: 'skill:kit/references/tone.md' }, 'agent')
    expect(answer).toMatchObject({
      code: 'CHAIN_INVALID',
      hint: 'read it with `load` with `{"item_id":"skill:kit/references/tone.md"}`',
    })
  })

  it.each([
    ['skill:kit/../../../outside.sh', 'INVALID_ID'],
    ['skill:kit//outside.sh', 'INVALID_ID'],
    ['skill:kit/scripts/%2e%2e/%2e%2e/outside.sh', 'ITEM_NOT_FOUND'],
    ['skill:kit/scripts/show.py --flag', 'ITEM_NOT_FOUND'],
    ['skill:kit/scripts/SHOW.py', 'ITEM_NOT_FOUND'],
    ['skill:kit/SKILL.sig', 'ITEM_NOT_FOUND'],
  ])('%s is not run', async (item_id, code) => {
    const made = await kit()
    made.write('outside.sh', 'touch ran\n')
    expect(await made.run('execute', { item_id })).toMatchObject({ code })
    expect(() => made.read('ran')).toThrow('ENOENT')
  })

  it('a helper that was changed after signing stops the script that imports it', async () => {
    const made = await kit()
    made.write(`${KIT_ROOT}/scripts/helper.py`, 'NAME = "evil"\n')
    expect(await made.run('execute', { item_id: 'skill:kit/scripts/show.py' })).toMatchObject({
      code: 'ITEM_TAMPERED',
    })
  })
})
