import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../src/parse/parse-bytes.ts'

const FUNCTION = { execute: 'sync', main: false }
const PROGRAM = { execute: null, main: true }
const NOTHING = { execute: null, main: false }

async function entryOf(parser: string, extension: string, text: string): Promise<unknown> {
  const whole = await parseBytes(parser, Buffer.from(text), extension)
  const outline = await parseBytes(parser, Buffer.from(text), extension, { outline: true })
  expect(outline.metadata.entry).toEqual(whole.metadata.entry)
  return whole.metadata.entry
}

describe('what of a Python file can be run', () => {
  it.each([
    ['def execute(params, project_path):\n    return 1\n', FUNCTION],
    ['async def execute(params, project_path):\n    return 1\n', { execute: 'async', main: false }],
    ['from helper import execute\n', FUNCTION],
    ['from helper import run as execute\n', FUNCTION],
    ['from helper import *\n', FUNCTION],
    ['execute = make()\n', FUNCTION],
    ['if True:\n    def execute(params, project_path):\n        return 1\n', FUNCTION],
    ['if __name__ == "__main__":\n    print(1)\n', PROGRAM],
    ['print(1)\n', PROGRAM],
    ['for name in "ab":\n    x = name\n', PROGRAM],
    ['try:\n    import json\nexcept ImportError:\n    print("no json")\n', PROGRAM],
    ['def main():\n    return 1\nresult = main()\n', PROGRAM],
    ['def helper():\n    print(1)\n', NOTHING],
    ['"""Only words."""\n', NOTHING],
    ['import logging\nLOG = logging.getLogger()\n', NOTHING],
    ['import sys\nsys.path.insert(0, "lib")\nMODES = []\nMODES.append("slow")\n', NOTHING],
    ['class Tool:\n    def execute(self, params, project_path):\n        print(1)\n', NOTHING],
    ['execute = "a word"\n', NOTHING],
  ])('%j', async (text, expected) => {
    expect(await entryOf('python/ast', '.py', text)).toEqual(expected)
  })
})

describe('what of a JavaScript or TypeScript file can be run', () => {
  it.each([
    ['.mjs', 'export function execute() {}', FUNCTION],
    ['.ts', 'export const execute: Tool = async () => 1', { execute: 'async', main: false }],
    ['.mjs', "export { execute } from './other.mjs'", FUNCTION],
    ['.mjs', "export * from './other.mjs'", FUNCTION],
    ['.mjs', 'export default { execute() {} }', FUNCTION],
    ['.mjs', 'const tool = { execute() {} }\nexport default tool', FUNCTION],
    ['.cjs', 'module.exports = { execute }\nfunction execute() {}', FUNCTION],
    ['.cjs', "module.exports = require('./other.cjs')", FUNCTION],
    ['.mjs', 'console.log(1)', PROGRAM],
    ['.ts', 'if (process.argv.length > 2) process.exitCode = 1', PROGRAM],
    ['.mjs', 'function main() {}\nconst done = main()', PROGRAM],
    ['.mjs', "const text = await read('a')", PROGRAM],
    ['.mjs', 'export default function helper() {}', NOTHING],
    ['.mjs', 'function helper() {}\nexport default helper', NOTHING],
    ['.cjs', "'use strict'\nmodule.exports = { helper() {} }", NOTHING],
    ['.mjs', "import { join } from 'node:path'\nexport const HERE = join('a', 'b')", NOTHING],
    ['.mjs', "const MODES = ['fast']\nMODES.push('slow')", NOTHING],
    ['.ts', 'interface A { b: 1 }\nexport type { A }\nclass C { execute() {} }', NOTHING],
  ])('%s %j', async (extension, text, expected) => {
    expect(await entryOf('javascript/javascript', extension, text)).toEqual(expected)
  })
})
