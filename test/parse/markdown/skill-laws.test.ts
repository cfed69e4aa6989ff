// Laws about front matter with any content.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/index.ts'

const parse = (text: string) => parseBytes('markdown/skill', Buffer.from(text), '.md')

it('a skill is read whatever stands between the marks, and no problem is an error', async () => {
  const line = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom(
      'name: a',
      'metadata:',
      '  k: [1',
      '- x',
      '"q',
      'a: {',
      'b: |',
      '\ttab: 1',
      '&a b',
      '? c',
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async lines => {
      const text = `---\ndescription: kept\n${lines.join('\n').replaceAll(/[\0\ud800-\udfff]/g, '')}\n---\nText`
      const { diagnostics } = await parse(text)
      expect(diagnostics.filter(one => one.severity === 'error')).toEqual([])
    }),
    { numRuns: 200 },
  )
})

it('a skill keeps every line in its fields or in its text, or says that it is left out', async () => {
  // Each line has a word of its own, so that it can be found again.
  const shape = fc.constantFrom(
    'kN: wN',
    'kN: "wN',
    'wN"',
    "kN: 'it's wN'",
    'kN: [wN',
    'kN: {{ wN }}',
    'kN: wN: x',
    'kN:',
    'kN: |',
    '  kN: wN',
    '\tkN: wN',
    '  wN',
    '- wN',
    '  - wN',
    'wN and more.',
    'Note wN: more',
    '**wN**',
    '<<<<<<< wN',
    '---',
    '...',
    '  ---',
    '',
    '',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(shape, { maxLength: 14 }), async shapes => {
      const lines = ['---', 'name: a', ...shapes.map((line, index) => line.replaceAll('N', `${index}x`))]
      const { metadata, diagnostics } = await parseBytes(
        'markdown/skill',
        Buffer.from(lines.join('\n')),
        '.md',
      )
      const kept = JSON.stringify(metadata)
      const leftOut = diagnostics.filter(found => / (?:is|are) left out/.test(found.message))
      for (const [index, line] of lines.entries()) {
        const word = /w\d+x/.exec(line)?.[0]
        if (word === undefined || kept.includes(word)) continue
        const isNamed = leftOut.some(({ line: first, message }) => {
          const [, count = '1'] = /(\d+) lines/.exec(message) ?? []
          return first <= index + 1 && index + 1 < first + Number(count)
        })
        expect({ lines, line, diagnostics, isNamed }).toMatchObject({ isNamed: true })
      }
    }),
    { numRuns: 500 },
  )
})

it('a skill ends at the first mark wherever what stands before it is YAML', async () => {
  const line = fc.constantFrom(
    'kN: v',
    'kN: "v',
    'v"',
    'v", # end',
    "kN: 'v",
    "v'",
    'kN: {',
    'kN: [',
    '"a": 1,',
    'v,',
    '}',
    ']',
    'kN: |',
    'kN:',
    '  v',
    '  - v',
    '- v',
    '# Title',
    '? kN',
    ': v',
    'a key N: v',
    '!!map',
    '',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 10 }), async shapes => {
      const yaml = ['k: v', ...shapes].map((one, index) => one.replaceAll('N', String(index))).join('\n')
      const strict = await parseBytes('yaml/yaml', Buffer.from(yaml), '.yaml')
      if (strict.diagnostics.length > 0) return
      const { metadata, diagnostics } = await parse(blockOf([yaml]))
      expect({ yaml, body: metadata.body, diagnostics }).toEqual({ yaml, body: 'Text', diagnostics: [] })
    }),
    { numRuns: 300 },
  )
})

it('front matter that is indented as a whole reads as it does at the margin', async () => {
  const line = fc.constantFrom(
    'kN: v',
    'kN: "v',
    'kN: v: w',
    'kN: [v',
    'kN: {{ v }}',
    'kN:',
    'kN: |',
    '  kN: v',
    '  v',
    '- v',
    'v and more',
    '',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 10 }), async shapes => {
      const lines = ['name: a', ...shapes, 'description: Does it'].map((one, index) =>
        one.replaceAll('N', String(index)),
      )
      const indented = lines.map(one => (one === '' ? one : `  ${one}`))
      const [plain, moved] = [await parse(blockOf(lines)), await parse(blockOf(indented))]
      const found = (of: typeof plain, shift: number) =>
        of.diagnostics.map(({ line, code, column }) => [line, code, line === 1 ? column : column + shift])
      expect({ lines, data: moved.metadata, found: found(moved, 0), leftOut: moved.leftOut }).toEqual({
        ...{ lines, data: plain.metadata, found: found(plain, 2), leftOut: plain.leftOut },
      })
    }),
    { numRuns: 300 },
  )
})

const blockOf = (lines: readonly string[]) => `---\n${lines.join('\n')}\n---\nText\n`
