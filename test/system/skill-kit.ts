// A signed skill of scripts in every language, in a project of its own.
import { scratch } from '../workspace/scratch.ts'

export const KIT_ROOT = '.claude/skills/kit'
export const KIT_FILES = {
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

export async function kit(
  more: Readonly<Record<string, string>> = {},
  environment: Record<string, string> = {},
) {
  const files = Object.entries({ ...KIT_FILES, ...more }).map(([path, text]) => [`${KIT_ROOT}/${path}`, text])
  const made = await scratch(Object.fromEntries(files), { environment })
  await made.sign('skill:kit')
  return made
}
