// A script of a skill: run from a private copy of the signed folder, with the caller's arguments and standard input and nothing else.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratch } from '../workspace/scratch.ts'

const ROOT = '.claude/skills/kit'
const FILES = {
  'SKILL.md': '---\nname: kit\ndescription: Scripts of a kit. Use it in tests.\n---\n\nRun a script.\n',
  'scripts/show.py': `import json, os, pathlib, sys
import helper
here = pathlib.Path(__file__).resolve().parent
print(json.dumps({
    "args": sys.argv[1:],
    "stdin": sys.stdin.read(),
    "template": (here.parent / "assets/part.ts").read_text(),
    "helper": helper.NAME,
    "cwd": os.getcwd(),
}))
`,
  'scripts/helper.py': 'NAME = "helper"\n',
  'scripts/show.mjs': `import { readFileSync } from 'node:fs'
console.log(JSON.stringify({ args: process.argv.slice(2), stdin: readFileSync(0, 'utf8') }))
`,
  'scripts/show.cjs': `console.log(JSON.stringify({ args: process.argv.slice(2), stdin: require('node:fs').readFileSync(0, 'utf8') }))\n`,
  'scripts/show.ts': `import { readFileSync } from 'node:fs'
import { twice } from './lib/twice.ts'
const args: string[] = process.argv.slice(2)
const template: string = readFileSync(new URL('../assets/part.ts', import.meta.url), 'utf8')
console.log(JSON.stringify({ args: args.map(twice), stdin: readFileSync(0, 'utf8'), template }))
`,
  'scripts/lib/twice.ts': 'export const twice = (text: string): string => text + text\n',
  'scripts/show.sh': `printf '%s|' "$@"\ncat\nprintf '|%s' "\${PARAM_ARGS-none}" "\${PARAM_STDIN-none}"\n`,
  'scripts/strict.sh': '#!/bin/bash -e\nfalse\necho went on\n',
  'scripts/comment.sh': '#!/bin/sh # -*- mode: sh -*-\necho signed\n',
  'scripts/input.sh': '#!/bin/bash -s\necho signed\n',
  'scripts/options.sh': '#!/usr/bin/env -S bash -eo pipefail -u\nfalse | true\necho went on\n',
  'scripts/flags.py': '#!/usr/bin/env -S python3 -u\nprint("ran")\n',
  'scripts/fail.py': 'import sys\nprint("half")\nraise ValueError("no such berth")\n',
  'assets/part.ts': 'const {{name}}: string = 1\n',
  'references/tone.md': '# Tone\n',
}
const ARGS = ['--flag', '-', '$(id)', 'a b', 'ä', '']

async function kit(more: Readonly<Record<string, string>> = {}, environment: Record<string, string> = {}) {
  const files = Object.entries({ ...FILES, ...more }).map(([path, text]) => [`${ROOT}/${path}`, text])
  const made = await scratch(Object.fromEntries(files), { environment })
  await made.sign('skill:kit')
  return made
}

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
      template: FILES['assets/part.ts'],
    })
    expect((await run('skill:kit/scripts/show.py')).data).toMatchObject({
      helper: 'helper',
      template: FILES['assets/part.ts'],
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
    expect(answer.data.stderr).toContain(made.path(`${ROOT}/scripts/fail.py`))
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
    const head = FILES['SKILL.md'].replace(
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
    expect(files).toHaveLength(Object.keys(FILES).length)
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

// Written after scripts of public skills: a command line of its own, a file of the project that is read and one that is written.
const REAL = {
  'SKILL.md':
    '---\nname: kit\ndescription: Fills forms\n---\n\nRun {baseDir}/scripts/fill.py; see [fields](references/tone.md#top) and [more](none.md).\n',
  'scripts/fill.py': `#!/usr/bin/env python3
"""Fill the fields of a form."""
import argparse, json, pathlib, sys

def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("form", type=pathlib.Path)
    parser.add_argument("--values", required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    given = parser.parse_args()
    text = given.form.read_text()
    for name, value in json.loads(given.values).items():
        text = text.replace("{{" + name + "}}", value)
    given.output.write_text(text)
    print(f"wrote {given.output}", file=sys.stderr)

if __name__ == "__main__":
    main()
`,
  'scripts/check-links.sh': `#!/bin/bash
set -euo pipefail
count=0
while IFS= read -r link; do
  if [[ "$link" == http* ]]; then count=$((count + 1)); fi
done < <(grep -oE 'https?://[^ )]+' "\${1:-/dev/stdin}" | sort -u)
echo "{\\"links\\": $count}"
`,
  'scripts/slugs.js': `#!/usr/bin/env node
const fs = require('node:fs')
const path = require('node:path')
const [file] = process.argv.slice(2)
const words = fs.readFileSync(file, 'utf8').split('\\n').filter(Boolean)
console.log(JSON.stringify(words.map(word => word.toLowerCase().replace(/[^a-z]+/g, '-')), null, 2))
console.error(path.basename(file))
`,
  'scripts/count': '#!/usr/bin/env python3\nimport sys\nprint(len(sys.stdin.read().split()))\n',
  'scripts/needs.py':
    '# /// script\n# requires-python = ">=3.9"\n# dependencies = ["no-such-module>=2", "rich"]\n# ///\nimport no_such_module\n',
  'assets/logo.bin': '\0\u0001',
}

describe('scripts like those of real skills', () => {
  const run = (made: Awaited<ReturnType<typeof kit>>, name: string, parameters: object = {}) =>
    made.run('execute', { item_id: `skill:kit/scripts/${name}`, parameters })

  it('read and write files of the project, in Python, bash and Node', async () => {
    const made = await kit(REAL)
    made.write('form.txt', 'Dear {{who}}')
    const args = ['form.txt', '--values', '{"who": "Ada"}', '-o', 'out.txt']
    expect(await run(made, 'fill.py', { args })).toMatchObject({ status: 'success' })
    expect(made.read('out.txt')).toBe('Dear Ada')
    made.write('page.md', '[a](https://a.example/x) https://a.example/x http://b.example\n')
    expect(await run(made, 'check-links.sh', { args: ['page.md'] })).toMatchObject({ data: { links: 2 } })
    made.write('words.txt', 'Hello World\nTwo\n')
    expect(await run(made, 'slugs.js', { args: ['words.txt'] })).toMatchObject({
      data: ['hello-world', 'two'],
    })
    expect(await run(made, 'count', { stdin: 'a b c' })).toMatchObject({ data: 3 })
  })

  it('say what they need when it is missing', async () => {
    const made = await kit(REAL)
    expect(await run(made, 'needs.py')).toMatchObject({
      status: 'error',
      hint: "the script needs no-such-module>=2, rich: install them with `pip install 'no-such-module>=2' 'rich'`, or let uv supply them with `script_packages = \"uv\"` below `[execute]` in the user's rye.toml",
    })
  })

  it('say how their functions are run, where a module is missing that declares them', async () => {
    const made = await kit({
      'scripts/tools.py':
        'from skills_core import skill_command\n\n@skill_command\ndef brew():\n    return 1\n',
      'scripts/plain.py': 'import no_such_module_1\n',
    })
    expect(await run(made, 'tools.py')).toMatchObject({
      status: 'error',
      hint: 'its Python has no module `skills_core`; the functions of this file are run by their names, such as `kit.brew`, where the module that declares them need not be installed',
    })
    expect(await made.run('execute', { item_id: 'kit.brew' })).toMatchObject({ status: 'success' })
    expect(await run(made, 'plain.py')).toMatchObject({
      hint: 'its Python has no module `no_such_module_1`: install the package that brings it, often `pip install no_such_module_1`',
    })
  })

  it('say that they are made for another Python, and what of their block cannot be read', async () => {
    const block = (lines: string) => `# /// script\n${lines}# ///\nimport nothing_like_it\n`
    // Python's own: one of a version manager has another name.
    const asked = ['-c', 'import os, sys; print(os.path.realpath(sys.executable))']
    const python = execFileSync('python3', asked, { encoding: 'utf8' }).trim()
    const made = await kit(
      {
        ...REAL,
        'scripts/new.py': block('# requires-python = ">=3.99"\n'),
        'scripts/old.py': block('# requires-python = ">=3"\n'),
        'scripts/torn': `#!/usr/bin/env -S uv run --script\n${block('# dependencies = [\n')}`,
      },
      { PATH: `${dirname(python)}:${process.env.PATH}` },
    )
    expect(await run(made, 'new.py')).toMatchObject({
      status: 'error',
      code: 'INTERPRETER_MISSING',
      error: expect.stringMatching(/^expected Python `>=3\.99` for `kit\/scripts\/new\.py`, got 3\.\d+ \(/),
    })
    const hint = expect.stringContaining('`nothing_like_it`')
    expect(await run(made, 'old.py')).toMatchObject({ status: 'error', hint })
    expect(await run(made, 'torn')).toMatchObject({
      status: 'error',
      warning: expect.stringContaining('what `kit/scripts/torn` needs (`# /// script`) cannot be read: '),
    })
  })

  // uv itself cannot be had from the sources of this machine: a stand-in keeps to its command line and its cache.
  const UV = `#!/bin/sh
set -eu
test "$1 $2 $3 $4 $5 $6" = "run --quiet --no-project --no-config --no-python-downloads --python"
python=$7
test "$8" = --script
shift 8
mkdir -p "$UV_CACHE_DIR"
echo once >> "$UV_CACHE_DIR/fetched"
echo "TIMES = $(wc -l < "$UV_CACHE_DIR/fetched")" > "$UV_CACHE_DIR/no_such_module.py"
PYTHONPATH=$UV_CACHE_DIR exec "$python" "$@"
`
  const NEEDS = `${REAL['scripts/needs.py']}import sys\nprint(sys.argv[1], no_such_module.TIMES)\n`

  it('get what they need from uv where the user allows it, and keep it', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'rye-uv-'))
    writeFileSync(join(bin, 'uv'), UV, { mode: 0o755 })
    const made = await kit(
      { ...REAL, 'scripts/needs.py': NEEDS },
      { PATH: `${bin}:${process.env.PATH}`, XDG_CACHE_HOME: join(bin, 'cache') },
    )
    const refused = await run(made, 'needs.py', { args: ['a b'] })
    expect(refused).toMatchObject({ status: 'error', hint: expect.stringContaining('script_packages') })
    made.write('user:.ai/config/rye.toml', '[execute]\nscript_packages = "uv"\n')
    const asked = { item_id: 'skill:kit/scripts/needs.py', dry_run: true, trace: true }
    expect((await made.run('execute', asked)).trace.permissions.network).toEqual([
      'pypi.org',
      'files.pythonhosted.org',
    ])
    expect(await run(made, 'needs.py', { args: ['a b'] })).toMatchObject({ data: { stdout: 'a b 1\n' } })
    expect(await run(made, 'needs.py', { args: ['-c'] })).toMatchObject({ data: { stdout: '-c 2\n' } })
    await made.close()
    rmSync(bin, { recursive: true })
  })

  it('are told by names that lead to them', async () => {
    const made = await kit(REAL)
    const { content, files } = await made.run('execute', { item_id: 'kit' })
    expect(content).toBe(
      'Run skill:kit/scripts/fill.py; see [fields](skill:kit/references/tone.md#top) and [more](none.md).',
    )
    const programs = files.filter((file: { program: boolean }) => file.program)
    expect(programs.map((file: { path: string }) => file.path)).toContain('scripts/count')
    expect(files.find((file: { path: string }) => file.path === 'assets/logo.bin')).toMatchObject({
      kind: 'binary',
      program: false,
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
    made.write(`${ROOT}/scripts/helper.py`, 'NAME = "evil"\n')
    expect(await made.run('execute', { item_id: 'skill:kit/scripts/show.py' })).toMatchObject({
      code: 'ITEM_TAMPERED',
    })
  })
})
