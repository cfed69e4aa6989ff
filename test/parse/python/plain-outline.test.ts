import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeMetadata } from '../../../src/parse/code-fields.ts'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'
import { normalizePython } from '../../../src/parse/python/layout.ts'
import { readPlainOutline } from '../../../src/parse/python/plain-outline.ts'
import { printPython, pythonValue } from './print-python.ts'

const TOOL = `# A tool.
"""Says it.

    Twice.
"""
from __future__ import annotations
from pathlib import Path as P, PurePath
import json

__version__ = "1.0.0"  # first
__category__ = 'a/b'
CONFIG_SCHEMA = {
    "type": "object",
    "properties": {"count": {"type": "integer", "default": 3, "minimum": -1.5}, "on": {"default": True},},
    "required": ["count", "on"], "none": [], "nothing": None, 'empty': {}
}
json = 1
class K(Base):
 pass
def helper(a, b: int, c: dict[str, Any]) -> None:
 pass

async def execute(params: dict, project_path: str) -> dict:
 pass


if __name__ == "__main__":
 pass
`

const metadataOf = (text: string) => {
  const plain = readPlainOutline(normalizePython(text))
  return plain && codeMetadata(plain)
}

/** The parser of Python reads the whole of a text, when not only its outline is asked for. */
const parsed = (text: string) => parseBytes('python/ast', new TextEncoder().encode(text), '.py')

/** Whether it is read without the parser; if it is, the parser agrees. */
async function agrees(text: string): Promise<boolean> {
  const plain = metadataOf(text)
  if (plain === undefined || text.trim() === '') return false
  const { metadata, diagnostics } = await parsed(text)
  expect(diagnostics).toEqual([])
  expect(JSON.stringify(plain)).toBe(JSON.stringify(metadata))
  return true
}

describe('a plain outline', () => {
  it('is read', () => {
    expect(metadataOf(TOOL)).toEqual({
      docstring: 'Says it.\n\nTwice.',
      version: '1.0.0',
      category: 'a/b',
      config_schema: {
        type: 'object',
        properties: {
          count: { type: 'integer', default: 3, minimum: -1.5 },
          on: { default: true },
        },
        ...{ required: ['count', 'on'], none: [], nothing: null, empty: {} },
      },
      json: 1,
      entry: { execute: 'async', main: true },
    })
  })

  it('is what the parser makes of it', async () => {
    expect(await agrees(TOOL)).toBe(true)
    expect(await agrees('A = 1\nA = "b"\nimport A\nA = 2\nB = 3\ndef A():\n pass\n"""Late."""\n')).toBe(true)
    expect(
      await agrees(
        'A = {"a": 1, "b": 2, "a": 3}\n__proto__ = {"__proto__": 1, "constructor": [0, -0, -0.0]}',
      ),
    ).toBe(true)
    expect(await agrees('A = 999999999999999\nB = 0.1\nE = 1e3\nC = -123.456\nD = "é \u{1f600}"\n')).toBe(
      true,
    )
  })

  it('is what the parser makes of it after any change, or is left to it', { timeout: 120_000 }, async () => {
    const marks = [
      ...' \t\n#"\'\\()[]{}:,;.=-+*@_0123ae',
      '"""',
      "'''",
      ' pass',
      '\n pass',
      'f"',
      'None',
      'if',
      'x = ',
      ' as ',
      'é',
      '\r',
      '\f',
      '\u2028',
    ]
    const lines = TOOL.split('\n')
    const change = fc.record({
      line: fc.nat(),
      column: fc.nat(),
      gone: fc.nat(3),
      mark: fc.constantFrom('', ...marks),
    })
    let read = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 2 }),
        fc.nat(),
        fc.nat(),
        async (changes, from, length) => {
          const start = from % lines.length
          const part = lines.slice(start, start + 1 + (length % 8))
          for (const { line, column, gone, mark } of changes) {
            const old = part[line % part.length]!
            const at = column % (old.length + 1)
            part[line % part.length] = old.slice(0, at) + mark + old.slice(at + gone)
          }
          if (await agrees(part.join('\n'))) read++
        },
      ),
      { numRuns: 4000 },
    )
    expect(read).toBeGreaterThan(50)
  })

  it('has the values that the parser finds, however they are written', async () => {
    let read = 0
    const choices = fc.array(fc.nat(), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(pythonValue, choices, async (value, numbers) => {
        let next = 0
        const text = `X = ${printPython(value, most => numbers[next++ % numbers.length]! % most)}\n`
        if (await agrees(text)) read++
      }),
      { numRuns: 1000 },
    )
    expect(read).toBeGreaterThan(30)
  })

  it('is left to the parser when anything in it could mean something else', () => {
    const statements = [
      'None = 1',
      'match = 1',
      'x: int = 1',
      'x = y = 1',
      'x = 1; y = 2',
      'x = 1 + 2',
      'x += 1',
      'x = y',
      'x.y = 1',
      ' x = 1',
      '@a\nclass K:\n pass',
    ]
    const values = [
      '(1, 2)',
      '{1, 2}',
      '{1: 2}',
      '01',
      '1_0',
      '0x1',
      '1j',
      '9999999999999999',
      '"a" "b"',
      '"""a"""',
      'r"a"',
      '"\\n"',
      '[1 2]',
      '[,]',
      '[1,,]',
      '[1\n',
      '...',
      '- 1',
      '+1',
    ]
    const blocks = [
      'def f():\n',
      'def f(): pass\n',
      'def f(a=1):\n pass',
      'def f(*a):\n pass',
      'class if:\n pass',
      'def CONFIG():\n pass',
      'import __version__',
      'from . import a',
      'import a.b',
      'from a import *',
      'if x:\n pass',
    ]
    for (const text of [...statements, ...values.map(value => `x = ${value}`), ...blocks])
      expect(metadataOf(text), text).toBeUndefined()
  })

  it('is read in time that grows with its length', () => {
    for (const text of [
      `x = ${'['.repeat(100_000)}`,
      `x = [${'1,'.repeat(100_000)}`,
      `import ${'a, '.repeat(50_000)}`,
      `def f(${'a: b, '.repeat(50_000)}`,
      `${'\n \n'.repeat(100_000)}!`,
      `${'#'.repeat(200_000)}\n!`,
    ])
      expect(readPlainOutline(text)).toBeUndefined()
  })
})
