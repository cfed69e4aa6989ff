import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'
import { readLayout } from '../../../src/parse/python/layout.ts'
import { withoutBlocks } from '../../../src/parse/python/outline.ts'

const parse = (text: string, outline: boolean) =>
  parseBytes('python/ast', new TextEncoder().encode(text), '.py', { outline })

it('leaves the top level where it was', () => {
  const text = [
    '"""Say it."""',
    'def f(a,',
    '      b=[',
    '1]):',
    '    """Inside.',
    '__version__ = "9"',
    '    """',
    '',
    '# a comment',
    '    return {',
    '"a": 1}',
    'X = 1',
    'if X:',
    '\tY = 2',
    'else: Z = 3',
    'async def g(): return 4',
    'class C:',
    '  y = 1',
  ].join('\n')
  expect(withoutBlocks(text, readLayout(text))).toBe(
    [
      '"""Say it."""',
      'def f(a,',
      '      b=[',
      '1]):',
      ' pass',
      '',
      '',
      '',
      '',
      '',
      '',
      'X = 1',
      'if X:',
      '\tY = 2',
      'else: Z = 3',
      'async def g(): return 4',
      'class C:',
      ' pass\n',
    ].join('\n'),
  )
})

const PIECES = [
  '"""Doc\nstring."""\n',
  '__version__ = "1.0.0"\n',
  'A = (\n1,\n  2)\n',
  'B = """\ndef f():\n    A = 9\n"""\n',
  "C = 'it\\\n    B = 3'\n",
  'def execute(params, project_path):\n    A = 5\n\n    return params\n',
  'async def execute(params,\n   project_path={\n}):\n  # done\n# at the margin\n  """Text.\nA = 6\n"""\n  return {\n"x": 1\n}\n',
  '@decorate(\n  1)\nclass K:\n\tA = 7\n\tdef m(self): pass\n',
  'if __name__ == "__main__":\n    A = 8\n    print(A)\nelse:\n  B = 4\n',
  'try:\n  A = 9\nexcept E:\n  pass\nfinally: D = 1\n',
  'for A in []: pass\n',
  'with x as y:\n    E = f"{y!r:>{w}}"\n',
  'del A\n',
  'B += 1\n',
  'import A\n',
  'x = 1; F = 2\n',
  'G = 1 \\\n  + 2\n',
  '\n\n',
  '# note\n',
  '    # indented note\n',
  '\f\n',
  'def broken(:\n    A = 1\n',
  '  stray = 1\n',
  'open = (\n',
]

it('gives what the whole gives, for any sound module', { timeout: 120_000 }, async () => {
  let sound = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }), async pieces => {
      const text = `A = 0\n${pieces.join('')}`
      const whole = await parse(text, false)
      const outline = await parse(text, true)
      if (whole.diagnostics.some(({ code }) => code === 'python-syntax')) return
      sound++
      expect(outline).toEqual(whole)
    }),
    { numRuns: 1500 },
  )
  expect(sound).toBeGreaterThan(200)
})

it('reads a file whose outline is no Python as before', async () => {
  const text = '__version__ = "1.0.0"\ndef f(:\n  pass\n'
  expect(await parse(text, true)).toEqual(await parse(text, false))
})
