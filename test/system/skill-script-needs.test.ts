// Scripts like those of public skills: their use of project files, and what they need of Python and its
// packages.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../workspace/scratch.ts'
import { kit } from './skill-kit.ts'

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
      hint: "the script needs no-such-module>=2, rich: install them with `pip install 'no-such-module>=2' rich`, or let uv supply them with `script_packages = \"uv\"` below `[execute]` in the user's rye.toml",
    })
  })

  it('say it in a command that a shell takes as it is meant', async () => {
    const made = await kit({
      'scripts/marked.py': `# /// script\n# dependencies = ["nothing-like-it; python_version<'4'", "rich>=1"]\n# ///\nimport nothing_like_it\n`,
    })
    const { hint } = await run(made, 'marked.py')
    const [, words] = /`pip install ([^`]+)`/.exec(hint)!
    expect(execFileSync('bash', ['-c', `printf '%s|' ${words}`], { encoding: 'utf8' })).toBe(
      "nothing-like-it; python_version<'4'|rich>=1|",
    )
  })

  it('find modules from the folder of the skill, after those of Python', async () => {
    const made = await kit({
      'scripts/tools/words.py': 'def count(text):\n    return len(text.split())\n',
      'scripts/run.py':
        'import os, sys\nfrom scripts.tools.words import count\nimport shared.numbers, this_is_ours, colorsys\nprint([count("a b"), shared.numbers.ONE, this_is_ours.TWO, hasattr(colorsys, "rgb_to_hsv"), "RYE_MODULE_ROOT" in os.environ, sys.path[-1].startswith(os.getcwd())])\n',
      'shared/numbers.py': 'ONE = 1\n',
      'this_is_ours.py': 'TWO = 2\n',
      'colorsys.py': 'raise ValueError("hides a module of Python")\n',
    })
    expect(await run(made, 'run.py')).toMatchObject({
      data: { stdout: '[2, 1, 2, True, False, False]\n' },
    })
  })

  it('do not have a package installed by the name of a module that the skill has itself', async () => {
    const made = await kit({
      'scripts/search/words.py': 'ONE = 1\n',
      'tests/try.py': 'from search.words import ONE\n',
      'tests/two.py': '# /// script\n# dependencies = ["rich"]\n# ///\nimport words.more\n',
    })
    const try_ = await made.run('execute', { item_id: 'skill:kit/tests/try.py' })
    expect(try_.hint).toBe(
      'its Python has no module `search`: `scripts/search/` of the skill is not where the script looks for modules, in its own folder and in that of the skill',
    )
    const two = await made.run('execute', { item_id: 'skill:kit/tests/two.py' })
    expect(two.hint).toContain('`scripts/search/words.py` of the skill')
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

  it('are named to whoever gives their arguments to the skill', async () => {
    const made = await kit(REAL)
    const given = await made.run('execute', { item_id: 'skill:kit', parameters: { args: ['x'] } })
    expect(given).toMatchObject({
      status: 'success',
      hint: 'the parameters were not used: give them to one of the `tools`, or to a program among the `files` (`args`, `stdin`)',
    })
    expect(await made.run('execute', { item_id: 'skill:kit' })).not.toHaveProperty('hint')
  })

  it('name a module that a function lacks, with the file that asks for it first', async () => {
    const made = await kit({
      'scripts/tools.py':
        'from skills_core import skill_command\nimport no_such_module_2.part\n\n@skill_command\ndef brew():\n    return 1\n',
      'scripts/late.py':
        'from skills_core import skill_command\n\n@skill_command\ndef steep():\n    raise ValueError("cold")\n',
    })
    const brew = await made.run('execute', { item_id: 'kit.brew' })
    expect(brew).toMatchObject({
      status: 'error',
      hint: 'its Python has no module `no_such_module_2`: install the package that brings it, often `pip install no_such_module_2`',
    })
    const first = (answer: Answer) => answer.data.traceback.split('\n')[1]
    expect(first(brew)).toContain('scripts/tools.py", line 2, in <module>')
    expect(first(await made.run('execute', { item_id: 'kit.steep' }))).toContain('scripts/late.py", line 5')
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
