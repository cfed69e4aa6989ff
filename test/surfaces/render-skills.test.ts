// Screens about skills that were once annoying.
import { it } from 'vitest'
import { expectScreen, type Screen } from './screens.ts'

const DIAGNOSTIC = {
  path: 'bad/SKILL.md',
  severity: 'warning',
  code: 'x',
  message: 'odd name',
  line: 2,
  column: 1,
}

it.each<Screen>([
  [
    'skills scan',
    {
      skills: [
        {
          skill_name: 'tea',
          metadata: { description: 'Make tea' },
          skill_tools: { 'tea.cups': { tool: { description: 'Count cups' } } },
        },
      ],
      diagnostics: [DIAGNOSTIC],
    },
    ['tea  Make tea', '  tea.cups  Count cups', '! bad/SKILL.md:2:1 odd name', '', '1 skill, 1 tool'],
  ],
  [
    'skills index',
    {
      skills: [{ name: 'tea', description: '', tools: [] }],
      out: '/x/skills.json',
      lance: { uri: 'db', rows: 2 },
      diagnostics: [],
    },
    ['tea', '', '1 skill, 0 tools', '✓ written to /x/skills.json', '✓ 2 rows in db'],
  ],
  [
    'skills sync',
    { added: ['a.x'], updated: ['a.y'], deleted: ['a.z'], unchanged_count: 7 },
    ['+ a.x', '~ a.y', '- a.z', '1 added, 1 updated, 1 deleted, 7 unchanged'],
  ],
  [
    'skills sync',
    {
      ...{ added: Array.from({ length: 6000 }, (_, index) => `a.${index}`), updated: [], deleted: [] },
      unchanged_count: 0,
      diagnostics: [...Array(20).fill(DIAGNOSTIC), { ...DIAGNOSTIC, severity: 'error' }],
    },
    [
      ...Array.from({ length: 20 }, (_, index) => `+ a.${index}`),
      'and 5980 more: --json',
      ...['✗ bad/SKILL.md:2:1 odd name', ...Array(19).fill('! bad/SKILL.md:2:1 odd name')],
      ...['and 1 more: --json', '6000 added, 0 updated, 0 deleted, 0 unchanged'],
    ],
  ],
  [
    'skills search',
    { results: [{ id: 'tea.cups', score: 0.5, confidence: 'low', description: 'Count cups' }] },
    ['tea.cups  0.50 low', '  Count cups', '', '1 found'],
  ],
  ['skills search', { results: [] }, ['nothing found']],
  ['skills list', { skills: [] }, ['0 skills']],
  [
    'skills list',
    {
      skills: [
        { name: 'tea', state: 'installed', space: 'project', clients: ['zed'] },
        { name: 'pot', state: 'other', remark: 'edited', space: 'user', clients: ['amp', 'zed'] },
      ],
    },
    ['tea  installed      project  zed', 'pot  other, edited  user     amp, zed', '', '2 skills'],
  ],
  [
    'skills list',
    { skills: [], unreadable: [{ error: 'cannot read `/a`: EACCES', hint: 'check its permissions' }] },
    ['! cannot read `/a`: EACCES; check its permissions', '0 skills'],
  ],
  [
    'skills sniff',
    { skills: [{ item_id: 'tea', space: 'user', matches: [{ path: 'a.md' }] }], diagnostics: [DIAGNOSTIC] },
    ['tea  user  a.md', '! bad/SKILL.md:2:1 odd name', '', '1 skill'],
  ],
  [
    'skills validate',
    {
      skills: [
        {
          name: 'bad',
          path: 'b/bad',
          loads: { ok: true, reasons: [] },
          conforms: { ok: false, reasons: ['odd name'] },
          served: { ok: false, reasons: ['is not signed'] },
          errors: [DIAGNOSTIC],
          warnings: [],
        },
        {
          name: 'tea',
          path: 'tea',
          loads: { ok: true, reasons: [] },
          conforms: { ok: true, reasons: [] },
          served: { ok: true, reasons: [] },
          errors: [],
          warnings: [{ message: 'long' }],
        },
      ],
      summary: { skills: 2, load: 2, conform: 1, served: 1 },
      diagnostics: [],
    },
    [
      'bad  ✓ loads  ✗ conforms  ✗ served  b/bad',
      '    not served: is not signed',
      '    2:1 odd name',
      'tea  ✓ loads  ✓ conforms  ✓ served  tea',
      '    long',
      '',
      '2 skills: 2 load, 1 conforms, 1 is served',
    ],
  ],
  [
    'skills install',
    {
      to: 'claude',
      skills: [{ status: 'updated', item_id: 'tea', files: 2, path: '/x/tea' }],
      failed: [
        { item_id: 'bad', error: 'is not signed', hint: 'rye sign skill:bad' },
        { item_id: 'odd', error: 'is odd' },
      ],
    },
    [
      '✓ updated: skill:tea for claude, 2 files in /x/tea',
      '✗ skill:bad: is not signed',
      '  hint: rye sign skill:bad',
      '✗ skill:odd: is odd',
    ],
  ],
  [
    'skills install',
    { status: 'installed', item_id: 'tea', to: 'claude', files: 1, path: '/x' },
    ['✓ installed: skill:tea for claude, 1 file in /x'],
  ],
  [
    'skills install',
    { status: 'updated', item_id: 'tea', to: 'claude', files: 1, path: '/x', replaced: 'link' },
    ['✓ updated: skill:tea for claude, 1 file in /x, in place of a link'],
  ],
  [
    'skills remove',
    { status: 'removed', item_id: 'tea', from: 'codex', path: '/x/tea', files: 0, linked: true },
    ['✓ removed a link: /x/tea'],
  ],
  [
    'skills remove',
    {
      ...{ status: 'removed', item_id: '*', from: 'codex', path: '/x', files: 2 },
      skills: [{ item_id: 'tea', path: '/x/tea', files: 2 }],
      failed: [{ item_id: 'odd', error: 'was edited', hint: 'look' }],
      kept: ['own'],
      shared_with: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'],
    },
    [
      ...['✓ removed 2 files: /x/tea', '✗ skill:odd: was edited', '  hint: look'],
      'left alone, because rye did not install it: own',
      'gone as well for a, b, c, d, e, f, g, h and 2 more: they read the same folder',
    ],
  ],
  [
    'execute',
    {
      ...{ type: 'skill', item_id: 'a/tea', content: '# Tea\n' },
      tools: [
        { item_id: 'a/tea.cups' },
        {
          item_id: 'a/tea.pour',
          input_schema: {
            properties: { cups: { type: 'integer' }, kind: { enum: ['green', 'black'] }, any: {} },
            required: ['cups'],
          },
        },
      ],
      files: [{ item_id: 'skill:a/tea/forms.md', path: 'forms.md' }],
      references: [{ item_id: 'skill:a/tea/forms.md' }, { item_id: 'skill:a/tea/references/pots.md' }],
      hint: '80 files are too many',
    },
    [
      ...['# Tea', '', 'tools (rye execute NAME)', '  a/tea.cups'],
      '  a/tea.pour  cups: integer, kind?: green|black, any?',
      ...['', 'files (rye load NAME)', '  skill:a/tea/forms.md', '  skill:a/tea/references/pots.md'],
      ...['', '80 files are too many'],
    ],
  ],
])('of %s', (...screen) => {
  expectScreen(...screen)
})
