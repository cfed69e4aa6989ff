// Answers as a person reads them: screens that were once annoying.
import { describe, expect, it } from 'vitest'
import { ACTIONS } from '../../src/actions/table.ts'
import { renderAnswer } from '../../src/surfaces/cli/render/answer.ts'
import { at, bare, expectScreen, type Screen } from './screens.ts'

describe('servers', () => {
  it('are to be signed by a pattern that covers what was read', () => {
    const signs = [
      ['mcp/a/x', 'mcp/servers/a'],
      Array.from({ length: 9 }, (_, at) => `mcp/a/x${at}`),
      Array.from({ length: 9 }, (_, at) => `mcp/a${at}/*`),
    ]
    const steps = signs.map(sign =>
      renderAnswer('mcp refresh', { unchanged: 0, applied: true, sign }, at(80)).split('\n').at(-1),
    )
    expect(steps).toEqual([
      'read them, then: rye sign mcp/a/x && rye sign mcp/servers/a',
      "read them, then: rye sign 'mcp/a/*'",
      "read them, then: rye sign 'mcp/**'",
    ])
  })
})

describe('a screen', () => {
  it.each<Screen>([
    [
      'runs',
      {
        runs: [],
        total: 0,
        intact: false,
        faults: [
          { line: 3, fault: 'altered' },
          { line: 5, fault: 'unlinked' },
        ],
      },
      ['', '0 runs; the log is broken: line 3 altered, line 5 unlinked'],
    ],
    [
      'registry search',
      { registry: 'https://r/', bundles: [{ package: 'a', version: '1.0.0', description: 'About' }] },
      ['a  1.0.0', '  About', '', '1 bundle in https://r/'],
    ],
    ['registry search', { registry: 'https://r/', bundles: [] }, ['no bundle found in https://r/']],
    [
      'registry show',
      {
        package: 'a',
        version: '1.0.0',
        tags: { latest: '1.0.0' },
        description: 'About',
        items: [
          { item: 'tool:x', signed_by: 'k', trust: 'verified' },
          { item: 'tool:y', signed_by: null, trust: 'unsigned' },
        ],
        files: [{ path: '.ai/x', size: 1 }],
        integrity: 'sha512-x',
      },
      [
        'a@1.0.0  latest 1.0.0',
        'About',
        '',
        'tool:x  ✓ verified signed by k',
        'tool:y  ! unsigned',
        '',
        '1 file, sha512-x',
      ],
    ],
    [
      'registry pull',
      { package: 'a', version: '1.0.0', written: ['.ai/x'], left_over: ['.ai/y'], unchanged: [], note: 'so' },
      ['+ .ai/x', '! .ai/y is not in the bundle', 'a@1.0.0: 1 file written, 0 unchanged', 'so'],
    ],
    [
      'registry publish',
      {
        ...{ registry: 'https://r/', package: 'a', version: '1.0.0', size: 9, integrity: 'sha512-x' },
        generated: [{ path: 'README.md', size: 2 }],
        files: [{ path: '.ai/x', size: 1 }],
        dry_run: true,
      },
      [
        '       2  README.md',
        '       1  .ai/x',
        '',
        'would be published: a@1.0.0, 9 bytes, to https://r/',
        'sha512-x',
      ],
    ],
    [
      'registry unpublish',
      { registry: 'https://r/', package: 'a', version: '1.0.0' },
      ['✓ unpublished: a@1.0.0 from https://r/'],
    ],
    [
      'knowledge scan',
      { entries: [{ title: 'Note', category: 'note', file_path: 'n.md', description: '' }], diagnostics: [] },
      ['Note  note  n.md', '', '1 document'],
    ],
    [
      'index',
      {
        items: 2,
        added: 1,
        updated: 0,
        deleted: 0,
        unchanged: 1,
        duration_ms: 20,
        diagnostics: [
          { path: '/x/_a.py', code: 'skipped-name', message: 'by rule' },
          { path: '/x/b.py', code: 'duplicate-id', message: 'two files' },
        ],
      },
      ['! /x/b.py: two files', '2 items: 1 added, 0 updated, 0 deleted, 1 unchanged (20 ms)'],
    ],
    [
      'show',
      {
        item_type: 'tool',
        item_id: 'x',
        metadata: {
          description: 'About',
          tool_description: 'About',
          hooks: [],
          MOST_BYTES: 7,
          config_schema: {},
          parameters: {
            properties: {
              who: { type: 'string', description: 'Who is greeted', default: 'world' },
              how: { enum: ['loud', 'soft'] },
              odd: 7,
            },
            required: ['how'],
          },
        },
      },
      [
        'tool:x',
        '',
        'description  About',
        '',
        'parameters',
        '  who  string     Who is greeted (default "world")',
        '  how  loud|soft  required',
        '  odd',
      ],
    ],
    [
      'show',
      {
        item_type: 'skill',
        item_id: 'x',
        issues: ['wrong'],
        diagnostics: [
          { path: 'scripts/a.py', line: 3, column: 1, message: 'odd\u001b[2J' },
          { line: 1, column: 2, message: 'odder' },
        ],
      },
      ['skill:x', '', '! wrong', '! scripts/a.py:3:1 odd\\u{1b}[2J', '! 1:2 odder'],
    ],
    [
      'show',
      {
        item_type: 'skill',
        item_id: 'x',
        diagnostics: [
          ...Array.from({ length: 5000 }, (_, index) => ({
            line: index + 1,
            code: 'nested',
            message: 'odd',
          })),
          { line: 5001, code: 'hidden', message: 'invisible' },
        ],
      },
      [
        ...[
          'skill:x',
          '',
          ...Array.from({ length: 10 }, (_, index) => `! ${index + 1} odd`),
          '! 5001 invisible',
        ],
        '! and 4990 more of these kinds; --json has them all',
      ],
    ],
  ])('of %s', (...screen) => {
    expectScreen(...screen)
  })

  it('is there for every command, shows hidden characters, and survives an answer of any shape', () => {
    const odd = {
      path: 'a\u202eb\u001b[2J',
      name: 'a\u202eb',
      title: '\u001b]0;x\u0007',
      message: 'x\u001b[31m',
    }
    for (const { name } of ACTIONS) {
      for (const value of [undefined, null, 7, 'x\u001b[2J', [], [null, 7, odd], odd]) {
        const keys = [
          'skills',
          'entries',
          'results',
          'items',
          'diagnostics',
          'metadata',
          'parameters',
          'added',
          'lance',
          'out',
        ]
        const answer = Object.fromEntries(keys.map(key => [key, value]))
        const shown = renderAnswer(name, { ...answer, status: value }, at(80))
        expect(shown, name).not.toMatch(/\u001b|\u202e/)
      }
    }
  })
})

describe('the count below a search', () => {
  const hit = { id: 'a', type: 'tool', score: 1, source: 'project', trust: { status: 'verified' } }
  it.each([
    [{ total: 2 }, '2 found'],
    [{ total: 9, weaker: 7 }, '2 found; 7 weaker left out, --match any shows them'],
    [{ total: 9, offset: 2 }, '3-4 of 9; more with --offset 4'],
    [{ total: 4, offset: 2 }, '3-4 of 4'],
    [{ total: 9, offset: 2, weaker: 5 }, '3-4 of 4; 5 weaker left out, --match any shows them'],
  ])('of %j is %j', (counts, line) => {
    const shown = renderAnswer('search', { results: [hit, hit], ...counts }, at(200))
    expect(bare(shown).split('\n').at(-1)).toBe(line)
  })

  it('names the bundle of a hit in a registry, and how to have more of them', () => {
    const hit = { type: 'tool', id: 'a', score: 0.5, source: 'registry', package: 'kit@1.0.0', trust: {} }
    const answer = { results: [hit], total: 3, offset: 0, limit: 1, space: 'registry' }
    const shown = renderAnswer('search', answer, at(80))
    expect(shown).toContain('0.50 registry kit@1.0.0')
    expect(shown).toContain('1-1 of 3; more with --source registry --offset 1')
  })
})
