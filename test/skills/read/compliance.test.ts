import { describe, expect, it } from 'vitest'
import { scanSkills } from '../../../src/skills/read/scan-skills.ts'
import { makeFolder } from '../library.ts'

const MIT = 'MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\n'
const APACHE = '\n   Apache License\n   Version 2.0, January 2004\n'

async function entryOf(matter: string, files: Record<string, string | Buffer> = {}) {
  const text = `---\nname: s\ndescription: x\n${matter}---\n`
  const { skills } = await scanSkills([makeFolder('s', { 'SKILL.md': text, ...files })])
  const { oss_compliant, compliance_details } = skills[0]!.entry
  return { oss_compliant, compliance_details }
}

describe('the licences of a skill', () => {
  it.each<[string, string, Record<string, string>, string[], string[]]>([
    ['none', '', {}, [], []],
    ['the field', 'license: Apache 2.0\n', {}, ['Apache-2.0'], ['license field `Apache 2.0`: Apache-2.0']],
    ['a file', '', { 'LICENSE.txt': MIT }, ['MIT'], ['file `LICENSE.txt`: MIT']],
    [
      'both, and another one below a folder',
      'license: MIT\n',
      { LICENSE: APACHE, 'assets/LICENSE': MIT },
      ['Apache-2.0', 'MIT'],
      ['license field `MIT`: MIT', 'file `LICENSE`: Apache-2.0'],
    ],
    [
      'a field that its file contradicts',
      'license: MIT\n',
      { 'LICENSE.txt': 'All rights reserved. Proprietary.' },
      [],
      [
        'license field `MIT`: MIT',
        'file `LICENSE.txt`: no known open source licence',
        'not counted: MIT, since file `LICENSE.txt` says otherwise',
      ],
    ],
    [
      'a file that the field contradicts',
      'license: Proprietary\n',
      { LICENSE: MIT },
      [],
      [
        'license field `Proprietary`: no known open source licence',
        'file `LICENSE`: MIT',
        'not counted: MIT, since license field `Proprietary` says otherwise',
      ],
    ],
    [
      'a rider far below the licence',
      'license: Apache-2.0\n',
      { LICENSE: `${APACHE}${' terms\n'.repeat(2000)}"Commons Clause" License Condition v1.0` },
      [],
      [
        'license field `Apache-2.0`: Apache-2.0',
        'file `LICENSE`: no known open source licence',
        'not counted: Apache-2.0, since file `LICENSE` says otherwise',
      ],
    ],
    [
      'rights that are reserved in the copyright line',
      'license: MIT\n',
      { LICENSE: `Copyright (c) 2026 me. All rights reserved.\n\n${MIT}` },
      ['MIT'],
      ['license field `MIT`: MIT', 'file `LICENSE`: MIT'],
    ],
    [
      'a text that is open later',
      '',
      { LICENSE: 'Business Source License 1.1\n\nChange License: Apache License, Version 2.0\n' },
      [],
      ['file `LICENSE`: no known open source licence'],
    ],
    [
      'a text with two headings, of which one is not open',
      'license: MIT\n',
      { LICENSE: `${MIT}\n# Elastic License 2.0\n\nAcceptance\n` },
      [],
      [
        'license field `MIT`: MIT',
        'file `LICENSE`: no known open source licence',
        'not counted: MIT, since file `LICENSE` says otherwise',
      ],
    ],
    [
      'a field that leaves it to a file',
      'license: SEE LICENSE IN LICENSE\n',
      { LICENSE: MIT },
      ['MIT'],
      ['license field `SEE LICENSE IN LICENSE`: no known open source licence', 'file `LICENSE`: MIT'],
    ],
    [
      'a field of a licence that is not open',
      'license: BUSL-1.1\n',
      { LICENSE: APACHE },
      [],
      [
        'license field `BUSL-1.1`: no known open source licence',
        'file `LICENSE`: Apache-2.0',
        'not counted: Apache-2.0, since license field `BUSL-1.1` says otherwise',
      ],
    ],
    [
      'a file that says nothing of it',
      'license: MIT\n',
      { LICENSE: 'See https://example.com/license' },
      ['MIT'],
      ['license field `MIT`: MIT', 'file `LICENSE`: no known open source licence'],
    ],
    [
      'a proprietary one',
      'license: Proprietary. LICENSE.txt has complete terms\n',
      { 'LICENSE.txt': 'All rights reserved. You may not retain copies.' },
      [],
      [
        'license field `Proprietary. LICENSE.txt has complete terms`: no known open source licence',
        'file `LICENSE.txt`: no known open source licence',
      ],
    ],
  ])('%s', async (_, matter, files, oss_compliant, compliance_details) => {
    expect(await entryOf(matter, files)).toEqual({ oss_compliant, compliance_details })
  })
})

it.each<[string, string[]]>([
  ['MIT', ['MIT']],
  ['MIT OR Apache-2.0', ['Apache-2.0', 'MIT']],
  ['(MIT AND BSD-3-Clause)', ['BSD-3-Clause', 'MIT']],
  ['BSD-2-Clause license', ['BSD-2-Clause']],
  ['2-Clause BSD', ['BSD-2-Clause']],
  ['BSD', ['BSD-3-Clause']],
  ['0BSD', ['0BSD']],
  ['BSD-2-Clause OR BSD-3-Clause', ['BSD-2-Clause', 'BSD-3-Clause']],
  ['LGPL-2.1-or-later', ['LGPL-2.1']],
  ['AGPL-3.0-only', ['AGPL-3.0']],
  ['GPLv2', ['GPL-2.0']],
  ['MIT-0', ['MIT-0']],
  ['MIT, no warranty', ['MIT']],
  ['Proprietary, based on MIT code', []],
  ['not MIT', []],
  ['mit-license with Commons Clause', []],
  ['MIT, for non-commercial use', []],
  ['MIT AND CC-BY-NC-4.0', []],
  ['Permitted', []],
  ['BUSL-1.1', []],
  ['BUSL-1.1, Apache-2.0 after four years', []],
  ['FSL-1.1-MIT', []],
  ['FSL-1.1-ALv2', []],
  ['Functional Source License, Version 1.1, Apache 2.0 Future License', []],
  ['SSPL-1.0', []],
  ['Elastic-2.0', []],
  ['Elastic License 2.0, parts MIT', []],
  ['PolyForm-Small-Business-1.0.0', []],
  ['MIT, source-available parts excepted', []],
  ['UNLICENSED', []],
  ['BSD-3-Clause-No-Nuclear-License', []],
  ['CC-BY-ND-4.0 AND MIT', []],
  ['BSL-1.0', ['BSL-1.0']],
  ['BSL 1.1', []],
  ['MIT AND BUSL-1.1', []],
  ['MIT AND BSL-1.0', ['BSL-1.0', 'MIT']],
  ['GPL-1.0', ['GPL-1.0']],
  ['GPL-1.0-only', ['GPL-1.0']],
  ['GPL-1.0-or-later', ['GPL-1.0']],
  ['GPL-1.0+', ['GPL-1.0']],
  ['GPLv1', ['GPL-1.0']],
  ['Artistic-1.0-Perl OR GPL-1.0-or-later', ['Artistic-1.0-Perl', 'GPL-1.0']],
  ['gpl-2.0-ONLY', ['GPL-2.0']],
  ['GPL v2 or later', ['GPL-2.0']],
  ['GNU GPL version 2, see COPYING', ['GPL-2.0']],
  ['GNU GPL, see COPYING', ['GPL-3.0']],
  ['LGPL-2.0-or-later', ['LGPL-2.0']],
  ['LGPL v2.1, see COPYING', ['LGPL-2.1']],
  ['AGPL-1.0', ['AGPL-1.0']],
  ['Apache-1.1', ['Apache-1.1']],
  ['Apache Software License 1.1', ['Apache-1.1']],
  ['Apache License, Version 2.0', ['Apache-2.0']],
  ['MPL-1.1 OR GPL-2.0-or-later OR LGPL-2.1-or-later', ['GPL-2.0', 'LGPL-2.1', 'MPL-1.1']],
  ['Mozilla Public License 1.1', ['MPL-1.1']],
  ['EPL-2.0', ['EPL-2.0']],
  ['EUPL v1.2', ['EUPL-1.2']],
  ['zlib License', ['Zlib']],
  ['CC-BY-SA-4.0', ['CC-BY-SA-4.0']],
  ['BSD-3-Clause-Clear', ['BSD-3-Clause-Clear']],
  ['Boost your work with it', []],
  ['CC-BY-SA-3.0', []],
  ['MIT OR BUSL-1.1', ['MIT']],
  ['MIT OR Proprietary', ['MIT']],
  ['BUSL-1.1 OR MIT AND SSPL-1.0', []],
  ['(MIT OR SSPL-1.0) AND (Apache-2.0 OR ISC)', ['Apache-2.0', 'ISC', 'MIT']],
  ['SSPL-1.0 OR Elastic-2.0 OR AGPL-3.0-only', ['AGPL-3.0']],
  ['Apache-2.0 WITH LLVM-exception', ['Apache-2.0']],
  ['Apache-2.0 WITH Commons-Clause', []],
  ['GPL-2.0+ OR MIT', ['GPL-2.0', 'MIT']],
  ['MIT OR', ['MIT']],
  ['(MIT', ['MIT']],
  ['MIT/BUSL-1.1', []],
  ['LicenseRef-MIT-Modified', []],
  ['SEE LICENSE IN LICENSE-MIT.txt', []],
  ['SEE LICENSE IN LICENSE', []],
])('the field `%s` names %j', async (field, expected) => {
  expect((await entryOf(`license: ${JSON.stringify(field)}\n`)).oss_compliant).toEqual(expected)
})

it('an expression that is nested without end is read as words', async () => {
  const field = `${'('.repeat(20_000)}MIT${')'.repeat(20_000)}`
  expect((await entryOf(`license: ${JSON.stringify(field)}\n`)).oss_compliant).toEqual(['MIT'])
})

it.each([
  'Functional Source License, Version 1.1, MIT Future License',
  'Server Side Public License\nVERSION 1, based on the GNU AFFERO GENERAL PUBLIC LICENSE',
  '# Elastic License 2.0',
  '# PolyForm Small Business License 1.0.0',
  '# PolyForm Shield License 1.0.0',
  'Confluent Community License Agreement Version 1.0',
  'Sustainable Use License\nVersion 1.0',
  'Creative Commons Attribution-NoDerivatives 4.0 International',
])('the text %j is of no open licence, whatever else it names', async heading => {
  const { oss_compliant } = await entryOf('license: MIT\n', { LICENSE: `${heading}\n\n${MIT}` })
  expect(oss_compliant).toEqual([])
})

it.each([
  ['Business Source\nLicense 1.1\n\nChange License: Apache License, Version 2.0', []],
  [MIT.replace('any person', 'any person for non-commercial\n  purposes'), []],
  [`${MIT}\n\n"Commons\r\nClause" License Condition v1.0`, []],
  [MIT.replace(/ /g, '\n'), ['MIT']],
  [`${MIT}\n\nThis library is free for commercial and non-commercial\nuse as long as`, ['MIT']],
])('lines of a text end anywhere: %j', async (LICENSE, expected) => {
  expect((await entryOf('', { LICENSE })).oss_compliant).toEqual(expected)
})

it.each([
  ['GNU GENERAL PUBLIC LICENSE\nVersion 1, February 1989\n', 'the GNU Library', 'GPL-1.0'],
  ['GNU LIBRARY GENERAL PUBLIC LICENSE\nVersion 2, June 1991\n', 'the GPL', 'LGPL-2.0'],
  ['MOZILLA PUBLIC LICENSE\nVersion 1.1\n', 'the GNU General Public License', 'MPL-1.1'],
  ['SIL OPEN FONT LICENSE\nVersion 1.1 - 26 February 2007\n', `this:\n${MIT}`, 'OFL-1.1'],
  ['Eclipse Public License - v 2.0\n', 'the GNU General Public License, version 2', 'EPL-2.0'],
  [
    'Boost Software License\n\nPermission is hereby granted, free of charge, to any person or organization',
    'MIT',
    'BSL-1.0',
  ],
  ['GNU GENERAL PUBLIC LICENSE\nVersion 2, June 1991\n', 'GNU Lesser General Public License', 'GPL-2.0'],
  ['Mozilla Public License Version 2.0\n', 'the GNU Affero General Public License', 'MPL-2.0'],
])('a text is of the licence that it names first: %j', async (heading, other, expected) => {
  const { oss_compliant } = await entryOf('', { COPYING: `${heading}\n\nOther works are under ${other}.\n` })
  expect(oss_compliant).toEqual([expected])
})

it.each<[string, Buffer]>([
  ['little-endian', Buffer.from(`\ufeff${MIT}`, 'utf16le')],
  ['big-endian', Buffer.from(`\ufeff${MIT}`, 'utf16le').swap16()],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${MIT}`)],
])('a licence file is read in UTF-16, too: %s', async (_, LICENSE) => {
  expect(await entryOf('', { LICENSE })).toEqual({
    oss_compliant: ['MIT'],
    compliance_details: ['file `LICENSE`: MIT'],
  })
})

it('a licence that is made from an open one is not that one', async () => {
  const LICENSE =
    'SUGARCRM PUBLIC LICENSE\n\nThe SugarCRM Public License consists of the Mozilla Public License Version 1.1, modified\n'
  expect((await entryOf('', { LICENSE })).oss_compliant).toEqual([])
})

it('a rider in UTF-16 counts', async () => {
  const LICENSE = Buffer.from(`\ufeff${MIT}\n"Commons Clause" License Condition v1.0`, 'utf16le')
  expect((await entryOf('license: MIT\n', { LICENSE })).oss_compliant).toEqual([])
})

it('a skill without front matter has its tools', async () => {
  const files = { 'SKILL.md': '# S\n\nDoes it.\n', 'scripts/a.py': '@skill_command\ndef run(): pass\n' }
  const { skills } = await scanSkills([makeFolder('s', files)])
  expect(skills[0]!.payload.metadata).toEqual({})
  expect(skills[0]!.entry.description).toBe('Does it.')
  expect(Object.keys(skills[0]!.payload.skill_tools)).toEqual(['s.run'])
})
