import { describe, expect, it } from 'vitest'
import { siblingNames } from '../../../src/plan/invocation/sibling-names.ts'

const names = (path: string, text: string) => siblingNames(path, Buffer.from(text))

describe('siblings that a file may use', () => {
  it.each([
    ['tool.ts', "import { a } from './helper.ts'", 'helper.ts', true],
    ['tool.ts', "/* it's */ import { a } from './_helper.ts' // don't", '_helper.ts', true],
    ['tool.mjs', "await import('./helper.mjs')", 'helper.mjs', true],
    ['tool.cjs', "require('./helper')", 'helper.cjs', true],
    ['tool.js', "readFileSync(join(here, 'data.json'))", 'data.json', true],
    ['tool.js', 'exec("node /here/helper.js --fast")', 'helper.js', true],
    ['tool.ts', 'read(1) // then write', 'read.ts', false],
    ['tool.ts', 'throw new Error(`see rye/file-system/read`)', 'read.ts', false],
    ['tool.py', 'import helper', 'helper.py', true],
    ['tool.py', 'from helper import (a,\n  b)', 'helper.py', true],
    ['tool.py', 'import os, \\\n  helper', 'helper.py', true],
    ['tool.py', 'importlib.import_module("helper")', 'helper.py', true],
    ['tool.py', 'if ready: import helper', 'helper.py', true],
    ['tool.py', 'subprocess.run(f"python {here}/helper.py")', 'helper.py', true],
    ['tool.py', 'helper = 1  # a helper', 'helper.py', false],
    ['tool.sh', '. "$(dirname "$0")"/helper', 'helper.sh', true],
    ['tool.rb', 'require_relative :my-helper', 'my-helper.rb', true],
  ])('%s with `%s`: %s is %s', (path, text, sibling, isNamed) => {
    expect(names(path, text)(sibling)).toBe(isNamed)
  })
})
