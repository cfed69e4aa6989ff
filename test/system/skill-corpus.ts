// Skills as people write them: the faults of public skills, in about the proportions found there. Each kind
// states its three verdicts.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface SkillKind {
  readonly name: string
  /** How many of a thousand skills are of this kind. */
  readonly share: number
  readonly loads: boolean
  readonly conforms: boolean
  readonly served: boolean
  readonly files: (name: string) => Readonly<Record<string, string>>
  /** Whether the folder has a link to a file outside. */
  readonly link?: true
}

const ABOUT = 'Cuts sails for boats. Use it when a sail is to be made'
const BODY = '\n# Sails\n\nMeasure twice, cut once.\n'
const USUAL = { loads: true, conforms: true, served: true }
const ODD = { loads: true, conforms: false, served: true }
const NONE = { loads: false, conforms: false, served: false }
/** Each line is a list of ten references to the line before it. */
const BOMB = Array.from({ length: 6 }, (_, at) => {
  const ten = Array.from({ length: 10 }, () => `*a${at}`).join(', ')
  return `  a${at + 1}: &a${at + 1} [${ten}]`
}).join('\n')

const main = (matter: string, body = BODY) => ({ 'SKILL.md': `---\n${matter}\n---\n${body}` })
const head = (name: string) => `name: ${name}\ndescription: ${ABOUT}`

export const SKILL_KINDS: readonly SkillKind[] = [
  { name: 'plain', share: 290, ...USUAL, files: name => main(head(name)) },
  {
    name: 'programs',
    share: 250,
    ...USUAL,
    files: name => ({
      ...main(head(name)),
      'scripts/cut.py': 'import sys\nprint(sys.argv)\n',
      'scripts/cut.sh': '#!/bin/bash\necho "$1"\n',
      'references/cloth.md': '# Cloth\n',
    }),
  },
  { name: 'other-name', share: 110, ...ODD, files: () => main(head('Another Name')) },
  { name: 'more-fields', share: 120, ...ODD, files: name => main(`${head(name)}\nversion: 1.0\nauthor: me`) },
  {
    name: 'metadata',
    share: 60,
    ...USUAL,
    files: name => main(`${head(name)}\nmetadata:\n  tags: [a, b]\n  version: 1.2\n  on: true`),
  },
  {
    name: 'colon',
    share: 60,
    ...ODD,
    files: name => main(`name: ${name}\ndescription: Sails: cut them. Use when: needed`),
  },
  {
    name: 'quotes',
    share: 30,
    ...USUAL,
    files: name => main(`name: ${name}\ndescription: "Cuts sails\n  over two lines"`),
  },
  {
    name: 'folded',
    share: 20,
    ...USUAL,
    files: name => main(`name: ${name}\ndescription: >-\n  Cuts sails\n  for boats`),
  },
  {
    name: 'flow',
    share: 10,
    ...USUAL,
    files: name => main(`{name: ${name}, description: "Cuts sails for boats"}`),
  },
  {
    name: 'blanks',
    share: 10,
    ...USUAL,
    files: name => ({ 'SKILL.md': `--- \n${head(name)}\n---\t\n${BODY}` }),
  },
  {
    name: 'lower-case',
    share: 10,
    ...USUAL,
    files: name => ({ 'skill.md': main(head(name))['SKILL.md'] }),
  },
  {
    name: 'mark',
    share: 5,
    ...ODD,
    files: name => ({ 'SKILL.md': `\ufeff${main(head(name))['SKILL.md']}` }),
  },
  {
    name: 'crlf',
    share: 5,
    ...USUAL,
    files: name => ({ 'SKILL.md': main(head(name))['SKILL.md'].replaceAll('\n', '\r\n') }),
  },
  { name: 'link', share: 5, ...USUAL, files: name => main(head(name)), link: true },
  {
    name: 'unterminated',
    share: 5,
    ...ODD,
    files: name => ({ 'SKILL.md': `---\n${head(name)}\n${BODY}` }),
  },
  {
    name: 'no-matter',
    share: 5,
    ...ODD,
    files: () => ({ 'SKILL.md': `# Sails\n\n${ABOUT}.\n` }),
  },
  ...['', '\ndescription: ~', '\ndescription: "   "', '\ndescription: |\nCuts at the margin'].map(
    (line, at) => ({
      name: `heading-${'abcd'[at]}`,
      share: 2,
      ...ODD,
      files: (name: string) => main(`name: ${name}${line}`, '# Sails\n'),
    }),
  ),
  { name: 'heading-alone', share: 2, ...ODD, files: () => ({ 'SKILL.md': '# Sails\n' }) },
  {
    name: 'description-list',
    share: 2,
    ...ODD,
    files: name => main(`name: ${name}\ndescription:\n  - cut\n  - sew`, '# Sails\n\nSews sails.\n'),
  },
  {
    name: 'name-list',
    share: 2,
    ...ODD,
    files: () => main(`name: [a, b]\ndescription: ${ABOUT}`),
  },
  {
    name: 'description-below',
    share: 2,
    ...ODD,
    files: name => main(`name: ${name}\nmetadata:\n  description: ${ABOUT}`),
  },
  {
    name: 'indented',
    share: 2,
    ...USUAL,
    files: name => main(`  name: ${name}\n  description: ${ABOUT}`),
  },
  {
    name: 'many-fields',
    share: 2,
    ...ODD,
    files: name =>
      main(`${head(name)}\n${Array.from({ length: 30_000 }, (_, at) => `k${at}: v`).join('\n')}`),
  },
  { name: 'itself', share: 2, ...ODD, files: name => main(`${head(name)}\nmetadata: &m\n  a: *m`) },
  {
    name: 'bomb',
    share: 2,
    ...ODD,
    files: name => main(`${head(name)}\nmetadata:\n  a0: &a0 [x, x]\n${BOMB}`),
  },
  { name: 'list', share: 2, ...ODD, files: name => main(`- name: ${name}\n- description: ${ABOUT}`) },
  { name: 'words', share: 2, ...ODD, files: () => main('Cuts sails and sews them') },
  {
    name: 'signature',
    share: 2,
    ...ODD,
    files: name => ({ 'SKILL.md': `<!-- rye:signed:x -->\n${main(head(name))['SKILL.md']}` }),
  },
  {
    name: 'nothing-said',
    share: 2,
    ...NONE,
    files: name => main(`name: ${name}\ndescription: ""`, ''),
  },
  {
    name: 'nothing',
    share: 5,
    ...NONE,
    files: () => ({ 'SKILL.md': '' }),
  },
]

export interface MadeSkill {
  readonly name: string
  readonly kind: SkillKind
}

/** Writes about `size` skills, at least one of each kind. */
export function writeCorpus(root: string, size: number): MadeSkill[] {
  return SKILL_KINDS.flatMap(kind =>
    Array.from({ length: Math.max(1, Math.round((kind.share * size) / 1000)) }, (_, count) => {
      const name = `${kind.name}-${count}`
      for (const [path, text] of Object.entries(kind.files(name))) {
        const file = join(root, name, path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
      }
      if (kind.link) symlinkSync('/etc/hostname', join(root, name, 'host'))
      return { name, kind }
    }),
  )
}
